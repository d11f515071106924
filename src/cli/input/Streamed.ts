import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Opened, Wanted } from "../../data/CsvChunks.ts"
import { DataError } from "../../errors/Errors.ts"
import type { Complaint } from "../Complaint.ts"
import * as Source from "../Source.ts"
import * as Format from "./Format.ts"
import type { Settings } from "./Input.ts"
import * as Memory from "./Memory.ts"

/** The flag that says whether a table is read in parts. */
export const parameters = {
  stream: Flag.Literals("stream", ["auto", "always", "never"]).pipe(
    Flag.withDescription(
      "Whether a CSV or Parquet file is read in parts, several times, and never held in memory: auto does so with files of more than a sixteenth of the memory (default auto)",
    ),
    Flag.withDefault("auto"),
  ),
} as const

/** The bytes that are read at once. */
const part = 2 ** 22

/** Whether a table is to be read in parts. Fails where that is asked for and cannot be. */
export const isWanted = (path: string, stream: "auto" | "always" | "never") =>
  Effect.gen(function* () {
    if (stream === "never") return false
    const files = yield* FileSystem.FileSystem
    const found = path === "-" ? undefined : Option.getOrUndefined(yield* Effect.option(files.stat(path)))
    if (found?.type === "File") return stream === "always" || Memory.isLarge(Number(found.size))
    // What is not there, or a directory, is told by the usual reader.
    if (stream === "auto" || found === undefined || found.type === "Directory") {
      if (stream === "always" && path === "-")
        return yield* Source.about(
          "standard input",
          "this can be read once, and --stream always reads a table several times; name a file",
        )
      return false
    }
    return yield* Source.about(
      path,
      "this is no regular file, and --stream always reads a table several times",
    )
  })

/**
 * Opens a file as chunks.
 *
 * @errors Complaint about a file of another format, a header or a column
 */
export const open = (
  { data: path, inputFormat, decimal, encoding }: Settings,
  wanted: Wanted,
): Effect.Effect<Opened, Complaint, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const inParts = (format: string) =>
      Source.about(
        path,
        `this is ${format}, which is not read in parts: save it as Parquet or CSV, or give --stream never where there is memory for all of it`,
      )
    const bytes = Stream.mapError(
      files.stream(path, { chunkSize: part }),
      (error) => new DataError({ message: Source.reason(error) }),
    )
    const head = yield* bytes.pipe(
      Stream.take(1),
      Stream.runCollect,
      Effect.mapError(({ message }) => Source.about(path, message)),
    )
    const begin = head[0] ?? new Uint8Array(0)
    const format = Format.binary(begin)
    const wrong = Format.unread(begin)
    if (wrong !== undefined) return yield* Source.about(path, wrong)
    if (Format.isGzip(begin)) return yield* inParts("packed with gzip")
    if (begin[0] === 0xff || begin[0] === 0xfe) return yield* inParts("UTF-16")
    if (encoding !== undefined && encoding !== "utf-8") return yield* inParts(`a text in ${encoding}`)
    if (decimal === "comma") return yield* inParts("a text with decimal commas")
    if (format !== undefined && format !== "parquet") return yield* inParts(Format.title[format])
    if (format === undefined) {
      const text = new TextDecoder().decode(begin.subarray(0, 65_536))
      if ((inputFormat ?? Format.ofText(text, path)) === "jsonl") return yield* inParts(Format.title.jsonl)
    }
    const opened =
      format === "parquet"
        ? Effect.flatMap(
            Effect.promise(() => import("./ParquetChunks.ts")),
            (Parquet) => Parquet.open(path, wanted),
          )
        : Effect.flatMap(
            Effect.promise(() => import("../../data/CsvChunks.ts")),
            (CsvChunks) => CsvChunks.open(bytes, wanted),
          )
    const about = ({ message }: DataError): Complaint => Source.about(path, message)
    const { chunks, units } = yield* Effect.mapError(opened, about)
    return { chunks, units }
  })
