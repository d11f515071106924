import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Csv from "../data/Csv.ts"
import type { Encoding } from "../data/Encoding.ts"
import { causeOf, reasonOf } from "../internal/systemCode.ts"
import { Complaint } from "./Complaint.ts"
import * as Format from "./input/Format.ts"
import * as Gzip from "./input/Gzip.ts"
import * as Memory from "./input/Memory.ts"

/** A failure of a file, in plain words. */
export const reason = (error: PlatformError): string => {
  switch (error.reason._tag) {
    case "NotFound":
      return "there is no such file or directory"
    case "PermissionDenied":
      return "permission denied"
    case "AlreadyExists":
      return "there is a file of this name"
    default:
      return reasonOf(causeOf(error)) ?? error.message
  }
}

export interface File {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The first bytes of an ordinary file, all of them where there are fewer.
 *
 * @errors Complaint where the file cannot be read
 */
export const beginning = (
  path: string,
  bytes: number,
): Effect.Effect<Uint8Array, Complaint, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const parts = yield* Stream.runCollect(files.stream(path, { chunkSize: bytes, bytesToRead: bytes }))
    return parts[0] ?? new Uint8Array(0)
  }).pipe(Effect.mapError((error) => about(path, reason(error))))

/** The bytes of a file, or of standard input for `-`; those of a gzip file are unpacked. */
export const bytes = (
  path: string,
  encoding?: Encoding,
): Effect.Effect<File, Complaint, FileSystem.FileSystem | Stdio.Stdio> =>
  Effect.gen(function* () {
    const name = path === "-" ? "standard input" : path
    const found = yield* path === "-" ? standardInput(encoding) : file(path, encoding)
    if (!Format.isGzip(found)) return { name, bytes: found }
    const content = yield* Effect.mapError(Gzip.unpack(found), ({ message }) => about(name, message))
    if (Format.isGzip(content)) return yield* about(name, "this is packed with gzip twice; unpack it once")
    return { name, bytes: content }
  })

/**
 * The text of a file.
 *
 * @param encoding the one that a flag asks for
 * @param otherwise what else may be done with bytes that are none of UTF-8
 */
export const textOf = (
  { name, bytes }: File,
  encoding?: Encoding,
  otherwise?: string,
): Effect.Effect<string, Complaint> => {
  const wrong = unread(bytes, encoding)
  return wrong === undefined
    ? Effect.mapError(Csv.decode(bytes, encoding, otherwise), ({ message }) => about(name, message))
    : Effect.fail(about(name, wrong))
}

/** The text of a file, or of standard input for `-`, and its name in messages. */
export const read = (
  path: string,
): Effect.Effect<
  { readonly name: string; readonly text: string },
  Complaint,
  FileSystem.FileSystem | Stdio.Stdio
> =>
  Effect.gen(function* () {
    const found = yield* bytes(path)
    return { name: found.name, text: yield* textOf(found) }
  })

/**
 * Whether a folder has a file.
 *
 * @errors Complaint about the folder where that cannot be seen
 */
export const has = (folder: string, path: string): Effect.Effect<boolean, Complaint, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.mapError(files.exists(path), (error) => about(folder, reason(error))),
  )

export const about = (name: string, message: string): Complaint =>
  new Complaint({ message: `${name}: ${message}` })

const tooLong = `this has more than ${Math.floor(Memory.longest / 2 ** 20)} MB, which no table in memory may have; vasst fit reads a CSV or Parquet file of any size in parts, by its name and without --stream never; otherwise give fewer rows or columns`

/** The complaint about the first bytes of a text, undefined where they are sound; UTF-16 that is asked for needs no mark. */
const unread = (bytes: Uint8Array, encoding: Encoding | undefined): string | undefined =>
  encoding === "utf-16le" ? undefined : Format.unread(bytes)

/** The bytes of a stream, which may have no end. */
const collected = (
  name: string,
  stream: Stream.Stream<Uint8Array, PlatformError>,
  encoding: Encoding | undefined,
): Effect.Effect<Uint8Array, Complaint> =>
  Effect.gen(function* () {
    const chunks: Array<Uint8Array<ArrayBuffer>> = []
    let size = 0
    yield* Stream.runForEach(stream, (chunk) => {
      const strange = size === 0 ? unread(chunk, encoding) : undefined
      if (strange !== undefined) return about(name, strange)
      size += chunk.length
      const wrong = size > Memory.longest ? tooLong : Memory.complaint(size)
      if (wrong !== undefined) return about(name, wrong)
      // Blobs take no bytes that other threads may share; the chunks of a stream are never shared, but their types do not say so.
      chunks.push(new Uint8Array(chunk))
      return Effect.void
    })
    return yield* Effect.promise(async () => new Uint8Array(await new Blob(chunks).arrayBuffer()))
  }).pipe(Effect.mapError((error) => (error._tag === "PlatformError" ? about(name, reason(error)) : error)))

const standardInput = (encoding: Encoding | undefined) =>
  Effect.flatMap(Stdio.Stdio, ({ stdin }) => collected("standard input", stdin, encoding))

const file = (
  path: string,
  encoding: Encoding | undefined,
): Effect.Effect<Uint8Array, Complaint, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { type, size } = yield* files.stat(path)
    if (type === "Directory") return yield* about(path, "this is a directory; name the file with the data")
    // Devices and pipes have no size.
    if (type !== "File") return yield* collected(path, files.stream(path), encoding)
    const wrong = size > Memory.longest ? tooLong : Memory.complaint(Number(size))
    if (wrong !== undefined) return yield* about(path, wrong)
    return yield* files.readFile(path)
  }).pipe(Effect.mapError((error) => (error._tag === "PlatformError" ? about(path, reason(error)) : error)))
