import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Builder from "./Builder.ts"
import * as Csv from "./Csv.ts"
import * as Frame from "./Frame.ts"

/** A value of the text, and the line that it ends on. */
interface Row {
  readonly value: unknown
  readonly line: number
}

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** Numbers that `JSON.parse` may round or overflow: they keep their digits as texts, as those of a CSV file do. */
const long = /\d{16}|[eE][+-]?\d{3}/
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The value of a JSON text; undefined for any other text. */
const json = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return long.test(text)
      ? JSON.parse(text.replace(token, (found) => (found.startsWith('"') ? found : `"${found}"`)))
      : value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The values of a text: one a line, or those of one list. */
const rowsOf = (text: string): Effect.Effect<ReadonlyArray<Row>, DataError> => {
  const whole = /^\s*\[\s*[{\]]/.test(text) ? json(text) : undefined
  if (Array.isArray(whole)) return Effect.succeed(whole.map((value) => ({ value, line: 0 })))
  const rows: Array<Row> = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === "") continue
    const value = json(line)
    const where = `row ${rows.length + 1} (line ${index + 1})`
    if (value === undefined)
      return fail(
        `${where} is no JSON${/[:,[]\s*-?(NaN|Infinity|inf|nan)\b/.test(line) ? "; NaN and infinity are no numbers of JSON: write null" : ': each line holds one object, such as {"x": 1.5, "y": 2}'}`,
      )
    rows.push({ value, line: index + 1 })
  }
  return Effect.succeed(rows)
}

/** Lists, the first of which has the names, as objects. */
const named = (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<Row>, DataError> => {
  const [header, ...below] = rows
  if (header === undefined || !Array.isArray(header.value)) return Effect.succeed(rows)
  const names: ReadonlyArray<unknown> = header.value
  if (!names.every((name) => typeof name === "string"))
    return fail("the first list must hold the names of the columns, as texts")
  if (new Set(names).size < names.length)
    return fail("a name of a column occurs twice in the first list; rename one of the two")
  return Effect.forEach(below, ({ value, line }, index) =>
    Array.isArray(value) && value.length === names.length
      ? Effect.succeed({ line, value: Object.fromEntries(names.map((name, k) => [name, value[k]])) })
      : fail(`row ${index + 1} (line ${line}) is no list of ${Csv.count(names.length, "value")}`),
  )
}

/**
 * A table of JSON lines: one object a line, whose keys are the names of the columns; or lists, the first of which has the
 * names; or one list of objects. A key that a row lacks is a missing value, as null is; lists and objects within a row are texts.
 *
 * @errors DataError naming the row and the line of what is no such object
 */
export const parse = (text: string): Effect.Effect<Frame.Frame, DataError> =>
  Effect.gen(function* () {
    const rows = yield* Effect.flatMap(rowsOf(text), named)
    const builders = new Map<string, Builder.Builder>()
    for (const [row, { value, line }] of rows.entries()) {
      const where = `row ${row + 1}${line === 0 ? "" : ` (line ${line})`}`
      if (!isRecord(value))
        return yield* fail(`${where} is no object; each row is one, such as {"x": 1.5, "y": 2}`)
      for (const name of Object.keys(value)) {
        if (!builders.has(name)) {
          const fresh = Builder.make(rows.length)
          // Rows above lack the key.
          for (let above = 0; above < row; above++) fresh.set(above, undefined)
          builders.set(name, fresh)
        }
      }
      for (const [name, builder] of builders)
        builder.set(row, Object.hasOwn(value, name) ? value[name] : undefined)
    }
    if (rows.length === 0)
      return yield* fail('there are no data: expected an object such as {"x": 1.5, "y": 2} on each line')
    const lines = rows[0]!.line === 0 ? undefined : Int32Array.from(rows, ({ line }) => line)
    return yield* Frame.make(
      [...builders.keys()],
      Array.from(builders.values(), (builder) => builder.done()),
      lines,
    )
  })
