import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Csv from "../../data/Csv.ts"
import * as Encoding from "../../data/Encoding.ts"
import * as Frame from "../../data/Frame.ts"
import * as JsonLines from "../../data/JsonLines.ts"
import type { DataError } from "../../errors/Errors.ts"
import { optional } from "../Flags.ts"
import { Screen } from "../Screen.ts"
import * as Source from "../Source.ts"
import * as Format from "./Format.ts"

/** The argument and the flags of commands that read a table. */
export const parameters = {
  data: Argument.String("DATA").pipe(
    Argument.withDescription(
      "A table: CSV, TSV, JSON lines, Parquet, Arrow IPC or NumPy .npy, each perhaps packed with gzip; - for standard input",
    ),
  ),
  inputFormat: optional(
    Flag.Literals("input-format", Format.names).pipe(
      Flag.withDescription("The format of DATA (default: what its content says)"),
    ),
  ),
  encoding: optional(
    Flag.Literals("encoding", Encoding.names).pipe(
      Flag.withDescription(
        "The encoding of a text: windows-1252 for tables of older programs, Latin-1 among them (default utf-8, or what a byte order mark says)",
      ),
    ),
  ),
  decimal: optional(
    Flag.Literals("decimal", ["point", "comma"]).pipe(
      Flag.withDescription(
        "How numbers of a text are written: 1.5 or 1,5 (default point); with commas, columns are separated by semicolons or tabs",
      ),
    ),
  ),
} as const

/** The values of these. */
export interface Settings {
  readonly data: string
  readonly inputFormat: Format.Format | undefined
  readonly decimal: "point" | "comma" | undefined
  readonly encoding?: Encoding.Encoding | undefined
}

/** A table that was read: a text of separated values, of which large ones are read quickly, or columns. */
export type Table =
  | { readonly _tag: "Text"; readonly name: string; readonly text: string }
  | { readonly _tag: "Frame"; readonly name: string; readonly frame: Frame.Frame }

/** Texts with decimal commas as numbers are written elsewhere. */
const pointed = (frame: Frame.Frame): Frame.Frame => ({
  ...frame,
  values: frame.values.map((values) =>
    values instanceof Float64Array
      ? values
      : values.map((text) =>
          /^[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?$/.test(text) ? text.replace(",", ".") : text,
        ),
  ),
})

/** The readers of binary formats, each loaded when it is needed. */
const readers = {
  parquet: (bytes: Uint8Array) =>
    Effect.flatMap(
      Effect.promise(() => import("./Parquet.ts")),
      ({ parse }) => parse(bytes),
    ),
  arrow: (bytes: Uint8Array) =>
    Effect.flatMap(
      Effect.promise(() => import("./Arrow.ts")),
      ({ parse }) => parse(bytes),
    ),
  npy: (bytes: Uint8Array) =>
    Effect.flatMap(
      Effect.promise(() => import("../../data/Npy.ts")),
      ({ parse }) => parse(bytes),
    ),
} as const

const isBinary = (format: Format.Format | undefined): format is keyof typeof readers =>
  format !== undefined && format in readers

/** The table of the bytes of a file. */
export const ofBytes = (file: Source.File, settings: Settings) =>
  Effect.gen(function* () {
    const { name, bytes } = file
    const named = <A>(effect: Effect.Effect<A, DataError>) =>
      Effect.mapError(effect, ({ message }) => Source.about(name, message))
    const found = Format.binary(bytes)
    const asked = settings.inputFormat
    // The first bytes of an Arrow stream are no name: they may be left to the flag.
    if (asked !== undefined && (isBinary(asked) ? found !== asked : found !== undefined))
      return yield* Source.about(
        name,
        `this is not ${Format.title[asked]}${found === undefined ? "" : `, but ${Format.title[found]}`}; leave --input-format out, or correct it`,
      )
    if (found !== undefined) {
      if (settings.encoding !== undefined)
        return yield* Source.about(name, `this is ${Format.title[found]}, and no text; leave --encoding out`)
      const frame = yield* named(readers[found](bytes))
      return { _tag: "Frame", name, frame } satisfies Table
    }
    const text = yield* Source.textOf(
      file,
      settings.encoding,
      ", or add --encoding windows-1252 where the table is in that (Western European, Latin-1)",
    )
    if (settings.encoding === undefined && (bytes[0] === 0xff || bytes[0] === 0xfe))
      (yield* Screen).err(`${name}: read as UTF-16\n`)
    const format = asked ?? Format.ofText(text, settings.data)
    if (format === "jsonl") {
      const frame = yield* named(JsonLines.parse(text))
      return {
        _tag: "Frame",
        name,
        frame: settings.decimal === "comma" ? pointed(frame) : frame,
      } satisfies Table
    }
    if (settings.decimal !== "comma" && format !== "tsv") return { _tag: "Text", name, text } satisfies Table
    const delimiter = format === "tsv" ? "\t" : Csv.delimiterOf(text)
    if (settings.decimal === "comma" && delimiter === ",")
      return yield* Source.about(
        name,
        "columns are separated by commas here, so that numbers cannot have them; leave --decimal comma out",
      )
    const frame = Frame.ofTexts(yield* named(Csv.parse(text, delimiter)))
    return {
      _tag: "Frame",
      name,
      frame: settings.decimal === "comma" ? pointed(frame) : frame,
    } satisfies Table
  })

/** The table of a file or of standard input, whatever its format. */
export const read = (settings: Settings) =>
  Effect.flatMap(Source.bytes(settings.data, settings.encoding), (file) => ofBytes(file, settings))

export const frameOf = (table: Table): Effect.Effect<Frame.Frame, DataError> =>
  table._tag === "Frame" ? Effect.succeed(table.frame) : Effect.map(Csv.parse(table.text), Frame.ofTexts)
