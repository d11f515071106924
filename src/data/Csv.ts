import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Encoding from "./Encoding.ts"

/** A table of texts, as a file of separated values holds it. Every row has as many cells as there are columns. */
export interface Table {
  readonly columns: ReadonlyArray<string>
  /** The units that the header has behind names, `mass [kg]`, as texts by name. */
  readonly units: Readonly<Record<string, string>>
  readonly rows: ReadonlyArray<Row>
}

/** A row and the line of the file (from 1) that it ends on. */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

const startsWith = (bytes: Uint8Array, ...prefix: ReadonlyArray<number>): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

/**
 * The text of a file: UTF-8, or UTF-16 where a byte order mark says so ("Unicode text" in spreadsheets).
 *
 * @param asked the encoding, where the bytes do not say it
 * @param otherwise what else may be done with bytes that are none of UTF-8
 * @errors DataError about bytes that are no text of the encoding, or have the mark of another
 */
export const decode = (
  bytes: Uint8Array,
  asked?: Encoding.Encoding,
  otherwise = "",
): Effect.Effect<string, DataError> => {
  if (startsWith(bytes, 0x50, 0x4b, 3, 4))
    return fail("this is a zip archive or a spreadsheet, not text; save it as CSV first")
  if (startsWith(bytes, 0x1f, 0x8b)) return fail("this is a gzip archive, not text; unpack it first")
  const marked = Encoding.marked(bytes)
  if (asked !== undefined && marked !== undefined && marked !== asked)
    return fail(`this begins with the mark of ${marked}, and is not ${asked}; leave the encoding out`)
  const encoding = asked ?? (marked === "utf-16le" || marked === "utf-16be" ? marked : "utf-8")
  return Effect.try({
    try: () => Encoding.decode(bytes, encoding),
    catch: (error) =>
      new DataError({
        message:
          error instanceof TypeError
            ? `this is not text in ${encoding.toUpperCase()}; save the data as CSV in UTF-8 ("CSV UTF-8" in Excel)${otherwise}`
            : "this is longer than a text may be; give fewer rows or columns",
      }),
  })
}

/**
 * Parses values separated by tabs, commas or semicolons, whichever the header has most of, or by blanks where it has none of these. The first
 * row names the columns. Lines above it that begin with `#` are remarks; if numbers follow, the last one has the names, as `numpy.savetxt` writes them. Quoted cells may hold delimiters, line breaks and doubled quotes; white space around cells, blank lines,
 * units behind the names of the header in brackets, rows without a value at the end, a byte order mark and any mixture of line endings are accepted.
 *
 * @errors DataError when there is nothing below a header, names repeat, quotes do not match, or a row is not as long
 * as the header
 * @param delimiter between values; the one that the header has most of if left out
 */
export const parse = (text: string, delimiter = delimiterOf(text)): Effect.Effect<Table, DataError> =>
  Effect.gen(function* () {
    if (text.includes("\0")) return yield* fail("this is a binary file, not text; save the data as CSV")
    const [header, ...below] = yield* records(tabled(text, delimiter), delimiter)
    if (header === undefined)
      return yield* fail("there are no data: expected a row of column names, and rows of numbers below it")
    const headings = header.cells.map(heading)
    const columns = headings.map(({ name }) => name)
    const repeated = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index)
    if (repeated !== undefined)
      return yield* fail(`the column ${quote(repeated)} occurs twice in the header; rename one of the two`)
    const rows = below.slice(0, below.findLastIndex(({ cells }) => cells.some((cell) => cell !== "")) + 1)
    if (rows.length === 0)
      return yield* fail(`there is a header (${list(columns)}), but no row of values below it`)
    const ragged = rows.findIndex(({ cells }) => cells.length !== columns.length)
    if (ragged >= 0) {
      const { cells } = rows[ragged]!
      return yield* fail(
        `${place(ragged, rows[ragged])} has ${count(cells.length, "value")}, but the header names ` +
          `${count(columns.length, "column")}; add or remove values, or quote values that hold a delimiter`,
      )
    }
    const units = Object.fromEntries(
      headings.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
    )
    return { columns, units, rows }
  })

/** The lines that begin with `#` at the start of a text; a name such as `#1` is none of these. */
const remarks = /^(?:[\uFEFF\r\n ]*#(?:[ #][^\r\n]*)?(?:\r\n|\n|\r))+/

/** The start of a text: its remarks, the names if the last remark has them, and the first line below them. */
const start = (text: string) => {
  const above = remarks.exec(text)?.[0] ?? ""
  const first = /^[\r\n]*([^\r\n]*)/.exec(text.slice(above.length))?.[1] ?? ""
  const names = /#+ *([^\r\n]*)\s*$/.exec(above)?.[1] ?? ""
  const delimiter = delimiterIn(first)
  const fields = (line: string): ReadonlyArray<string> =>
    line.trim().split(delimiter === " " ? / +/ : delimiter)
  const hasNames = fields(first).some(isNumber) && fields(names).length === fields(first).length
  return { above, delimiter, names: hasNames ? names : undefined }
}

const isNumber = (field: string): boolean => field.trim() !== "" && Number.isFinite(Number(field))

/** A text without remarks, but with as many lines, and with one blank between values where blanks separate them. */
const tabled = (text: string, delimiter: string): string => {
  const { above, names = "" } = start(text)
  const breaks = above.replaceAll(/[^\r\n]/g, "")
  const whole =
    above === "" ? text : breaks.replace(/(\r\n|\n|\r)$/, (end) => names + end) + text.slice(above.length)
  return delimiter === " " ? whole.replaceAll(/^ +| +(?=[\r\n]|$)| +(?= )/gm, "") : whole
}

/** The name of a column and its unit: `mass [kg]` is the mass in kg. `x[1]` without a space is a name. */
export const heading = (text: string): { readonly name: string; readonly unit?: string | undefined } => {
  const found = /^(.*\S)\s+\[([^[\]]*)\]$/.exec(text)
  return found === null ? { name: text } : { name: found[1]!, unit: found[2] }
}

const records = (text: string, delimiter: string): Effect.Effect<ReadonlyArray<Row>, DataError> =>
  special.test(text) ? general(text, delimiter) : Effect.succeed(split(text, delimiter))

/** Characters that most files written by programs lack: quotes, and white space but line feeds. */
const special = /"|[^\S\n]/

/** The records of a text without such. */
const split = (text: string, delimiter: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .flatMap((line, index) => (line === "" ? [] : [{ cells: line.split(delimiter), line: index + 1 }]))

/** The records of any text, by a parser that is loaded when it is needed. */
const general = (text: string, delimiter: string): Effect.Effect<ReadonlyArray<Row>, DataError> =>
  Effect.flatMap(
    Effect.promise(() => import("csv-parse/sync")),
    ({ CsvError, parse }) =>
      Effect.try({
        try: () =>
          // The parser's types know records as lists of texts only; with `info` it wraps each in an object.
          parse<{ record: ReadonlyArray<string>; info: { lines: number } }>(text, {
            bom: true,
            columns: false,
            delimiter,
            info: true,
            max_record_size: 0,
            record_delimiter: ["\r\n", "\n", "\r"],
            relax_column_count: true,
            skip_empty_lines: true,
            trim: true,
          } as never).map(({ record, info }) => ({ cells: record, line: info.lines })),
        catch: (error) => {
          if (!(error instanceof CsvError)) throw error
          // The parser has gone to the end of the file in search of the closing quote; it knows the row before.
          const parsed = Number(error["records"])
          const where = parsed === 0 ? "the header" : `row ${parsed}`
          return new DataError({
            message:
              error.code === "CSV_QUOTE_NOT_CLOSED"
                ? `${where} has a quote that is never closed; add the missing "`
                : `${where} (line ${String(error["lines"])}) has a quote inside a value; ` +
                  'write the whole value in quotes and double the quote inside ("")',
          })
        },
      }),
  )

/** The delimiter that the first line below remarks has most of outside of quotes: a tab, a comma or a semicolon; else a blank; a comma where there is none. */
export const delimiterOf = (text: string): string => {
  const { above, delimiter } = start(text)
  return above === "" ? delimiterIn(text.slice(0, 65_536).replace(/^[\uFEFF\r\n ]+/, "")) : delimiter
}

const delimiterIn = (text: string): string => {
  const line = /^[^\r\n]*/.exec(text.replace(/"(?:[^"]|"")*"/g, ""))?.[0] ?? ""
  const number = (delimiter: string): number => line.split(delimiter).length
  const found = ["\t", ",", ";"].reduce((best, next) => (number(next) > number(best) ? next : best), ",")
  return number(found) === 1 && number(" ") > 1 ? " " : found
}

/**
 * The rows as CSV text, quoted where a cell needs it: `parse` gives the cells back.
 */
export const format = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cell).join(",")}\n`).join("")

const cell = (value: string | number): string => {
  const text = String(value)
  return text === "" || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A value as messages show it: on one line, in quotes, and not at length. */
export const quote = (value: string): string =>
  JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)

export const list = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, 20).map((name) => (/^[^\s",]+$/.test(name) ? name : quote(name)))
  return [...shown, ...(names.length > 20 ? [`and ${names.length - 20} more`] : [])].join(", ")
}

/** `1 row`, `2 rows`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

/** Where a row is, for messages: counted from 1 without the header, and in lines of the file. */
export const place = (index: number, row: Row | undefined): string =>
  row === undefined ? `row ${index + 1}` : `row ${index + 1} (line ${row.line})`
