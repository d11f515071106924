import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DataError } from "../errors/Errors.ts"
import * as Cells from "./Cells.ts"
import type { Chunk, Chunks } from "./Chunks.ts"
import * as Csv from "./Csv.ts"
import * as Frame from "./Frame.ts"
import * as NumberTable from "./NumberTable.ts"

/** A table of texts that is read in parts, with the units of its header. */
export interface Opened {
  readonly chunks: Chunks
  readonly units: Readonly<Record<string, string>>
}

/** The columns that are read. */
export interface Wanted {
  readonly target: string
  /** every other column if left out */
  readonly features?: ReadonlyArray<string> | undefined
}

/** The longest header, and the longest part that ends inside of quotes, in bytes or characters. */
const longest = 2 ** 24

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** The number of quotation marks of a text. */
const quotes = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++
  return count
}

/** The end of the last line that is whole: quotes before it are closed. @returns 0 where there is none */
const endOf = (text: string): number => {
  let end = text.lastIndexOf("\n") + 1
  let open = end > 0 ? quotes(text.slice(0, end)) : 0
  while (end > 0 && open % 2 === 1) {
    const before = text.lastIndexOf("\n", end - 2) + 1
    open -= quotes(text.slice(before, end))
    end = before
  }
  return end
}

/** The lines of a part of a text, as many as it ends. */
const linesOf = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

/**
 * A CSV or TSV file as chunks. A part that is as large as what `bytes` gives at once becomes a chunk.
 *
 * @param bytes the file in UTF-8, from its beginning at every run
 * @errors DataError for a header that is none, an unknown column or an encoding; the chunks fail for cells that are no numbers
 */
export const open = (
  bytes: Stream.Stream<Uint8Array, DataError>,
  { target: asked, features: listed }: Wanted,
): Effect.Effect<Opened, DataError> =>
  Effect.gen(function* () {
    const target = Csv.heading(asked).name
    const header = yield* headerOf(bytes)
    const delimiter = Csv.delimiterOf(header)
    // A row of zeros makes a table of the header alone.
    const { columns, units } = yield* Csv.parse(
      `${header}\n${Array.from({ length: header.split(delimiter).length }, () => "0").join(delimiter)}\n`,
      delimiter,
    ).pipe(
      Effect.mapError((error) =>
        header.includes('"')
          ? new DataError({
              message:
                "the header has a delimiter in quotes; rename the column, or save the table as Parquet",
            })
          : error,
      ),
    )
    const features = listed ?? columns.filter((name) => name !== target)
    const wanted = [...features, target]
    const empty: Frame.Frame = { columns, units, values: columns.map(() => []), rows: 0 }
    yield* Cells.known(Csv, empty, wanted)
    if (features.length === 0) return yield* fail("there is no feature to explain the target by")
    const plain = columns.map((_, k) => `c${k}`)
    const plainWanted = wanted.map((name) => plain[columns.indexOf(name)]!)
    const chunkOf = (found: ReadonlyArray<Float64Array>): Chunk => ({
      columns: found.slice(0, -1),
      // The target is the last of them.
      y: found[features.length]!,
      rows: found[features.length]!.length,
    })
    const none = chunkOf(wanted.map(() => new Float64Array(0)))

    const reader = () => {
      const decoder = new TextDecoder("utf-8", { fatal: true })
      let rest = ""
      let begun = false
      let [line, row] = [1, 0]
      const parse = (text: string): Effect.Effect<Chunk, DataError> =>
        Effect.gen(function* () {
          const [first, before] = [line, row]
          line += linesOf(text)
          if (text.trim() === "") return none
          const quick = NumberTable.read(`${plain.join(delimiter)}\n${text}`, delimiter, () => plainWanted)
          if (quick !== undefined) {
            row += quick.rows
            return chunkOf(quick.columns)
          }
          const table = yield* Csv.parse(`${plain.join(delimiter)}\n${text}`, delimiter).pipe(
            Effect.mapError(
              ({ message }) =>
                new DataError({ message: `in the part that begins on line ${first + 1}: ${message}` }),
            ),
          )
          row += table.rows.length
          const frame = Frame.ofTexts({ ...table, columns, units })
          const numbers = Int32Array.from(table.rows, (_, k) => before + k + 1)
          const lines = Int32Array.from(table.rows, (one) => first + one.line - 1)
          const found = yield* Cells.numbers(
            Csv,
            { ...frame, numbers, lines },
            { names: wanted, target, listed: listed !== undefined },
          )
          return chunkOf(found)
        })
      const take = (text: string, whole: boolean): Effect.Effect<Chunk, DataError> =>
        Effect.suspend(() => {
          rest += text
          if (!begun) {
            const newline = rest.indexOf("\n")
            if (newline < 0) return Effect.succeed(none)
            begun = true
            rest = rest.slice(newline + 1)
          }
          const end = whole ? rest.length : endOf(rest)
          if (end === 0)
            return rest.length > longest
              ? fail(
                  `line ${line + 1} begins a cell in quotes, or a line, of more than ${longest} characters`,
                )
              : Effect.succeed(none)
          const part = rest.slice(0, end)
          rest = rest.slice(end)
          return parse(part)
        })
      const decoded = (part: Uint8Array | undefined) =>
        Effect.try({
          try: () => (part === undefined ? decoder.decode() : decoder.decode(part, { stream: true })),
          catch: () =>
            new DataError({
              message:
                'this is not text in UTF-8; save the data as CSV in UTF-8 ("CSV UTF-8" in Excel), or as Parquet',
            }),
        })
      return {
        push: (part: Uint8Array) => Effect.flatMap(decoded(part), (text) => take(text, false)),
        end: Effect.suspend(() => Effect.flatMap(decoded(undefined), (text) => take(text, true))),
      }
    }
    const chunks = Stream.suspend(() => {
      const { push, end } = reader()
      return bytes.pipe(
        Stream.mapEffect(push),
        Stream.concat(Stream.fromEffect(end)),
        Stream.filter(({ rows }) => rows > 0),
      )
    })
    return { chunks: { features, target, chunks }, units }
  })

/** The first line of a file. */
const headerOf = (bytes: Stream.Stream<Uint8Array, DataError>): Effect.Effect<string, DataError> =>
  Effect.gen(function* () {
    const parts: Array<Uint8Array> = []
    let size = 0
    yield* bytes.pipe(
      Stream.takeUntil((part) => {
        parts.push(part)
        size += part.length
        return part.includes(10) || size > longest
      }),
      Stream.runDrain,
    )
    const all = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    const newline = all.indexOf(10)
    if (newline < 0) return yield* fail("there is no row below the header")
    const header = yield* Csv.decode(all.subarray(0, newline))
    return header.replace(/\r$/, "")
  })
