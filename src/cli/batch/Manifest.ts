/** A list of data sets with the settings of their fits: JSON lines, or a table whose header has the names of settings. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Csv from "../../data/Csv.ts"
import { nearest } from "../../internal/nearest.ts"
import type { Complaint } from "../Complaint.ts"
import { decimal } from "../Flags.ts"
import * as JsonSettings from "../JsonSettings.ts"
import * as Source from "../Source.ts"

/** A line: a table, its columns and rows that are read, and the settings of its fit. */
const Line = Schema.Struct({
  ...JsonSettings.Settings.fields,
  /** the path of a table, from the folder of the list */
  data: Schema.NonEmptyString,
  target: Schema.optionalKey(Schema.String),
  features: Schema.optionalKey(Schema.Array(Schema.String)),
  /** of the result; that of the table if left out */
  name: Schema.optionalKey(Schema.String),
  /** the number of bootstrap replicas that are fitted in place of the table; null and a missing name stand for the table itself */
  bootstrap: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
})

/** The most bootstrap replicas of a line. */
const most = 10_000

/** A data set of a list. */
export interface Entry {
  /** where it stands in the list, for messages */
  readonly place: string
  /** different from those of all others */
  readonly name: string
  /** the number of bootstrap replicas that are fitted; undefined where the table itself is */
  readonly replicas: number | undefined
  readonly data: string
  readonly target: string | undefined
  readonly features: ReadonlyArray<string> | undefined
  readonly settings: JsonSettings.Settings
}

/** A result that a data set is asked for. */
export interface Wanted {
  /** different from those of all others; a name for a file */
  readonly name: string
  readonly replica: number | undefined
}

/** The results of a data set: one, or one for each bootstrap replica. */
export const wanted = ({ name, replicas }: Pick<Entry, "name" | "replicas">): ReadonlyArray<Wanted> =>
  replicas === undefined
    ? [{ name, replica: undefined }]
    : Array.from({ length: replicas }, (_, k) => ({ name: `${name}-replica-${k + 1}`, replica: k + 1 }))

const known = Object.keys(Line.fields)
/** What the cells of a table may be: the others are for JSON lines. */
const lists = new Set(["features", "operators", "links", "noise", "contains", "without"])
const numbers = new Set(["learned", "trees", "depth", "time", "effort", "seed", "size", "bootstrap"])
const texts = new Set(["data", "target", "name", "start", "error", "weights"])

const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,199}$/u

/** A cell of a table as a setting has it; a number that is none stays a text, which the schema refuses. */
const valueOf = (setting: string, cell: string): unknown => {
  if (lists.has(setting)) return cell.split(",").map((part) => part.trim())
  if (setting === "constants")
    return cell === "none" ? [] : cell.split(",").map((part) => numeric(part.trim()))
  return numbers.has(setting) ? numeric(cell) : cell
}
const numeric = (text: string): number | string => {
  const value = text === "pi" ? Math.PI : decimal(text)
  return Number.isNaN(value) ? text : value
}

interface Raw {
  readonly place: string
  readonly value: unknown
}

const rowsOf = (name: string, text: string): Effect.Effect<ReadonlyArray<Raw>, Complaint> =>
  Effect.gen(function* () {
    if (/^\s*\{/.test(text)) {
      const found: Array<Raw> = []
      for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
        if (line.trim() === "") continue
        const place = `line ${index + 1}`
        try {
          found.push({ place, value: JSON.parse(line) })
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
          return yield* Source.about(
            name,
            `${place} is no JSON: each line holds one object, such as {"data": "a.csv", "target": "y"}`,
          )
        }
      }
      return found
    }
    const table = yield* Effect.mapError(Csv.parse(text), ({ message }) => Source.about(name, message))
    const other = table.columns.find(
      (column) => !texts.has(column) && known.includes(column) && !simple(column),
    )
    if (other !== undefined)
      return yield* Source.about(
        name,
        `the setting ${Csv.quote(other)} has parts; give the list as JSON lines`,
      )
    return table.rows.map((row, index) => ({
      place: Csv.place(index, row),
      value: Object.fromEntries(
        table.columns.flatMap((column, k) => {
          const cell = row.cells[k]?.trim() ?? ""
          return cell === "" ? [] : [[column, valueOf(column, cell)]]
        }),
      ),
    }))
  })

const simple = (setting: string): boolean =>
  lists.has(setting) || numbers.has(setting) || setting === "constants"

const decode = Schema.decodeUnknownEffect(Line)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The message of the schema about a setting, in words of the user's: `depth must be of the type number`. */
const typed = (message: string): string =>
  message
    .replaceAll(/\s+/g, " ")
    .replace(
      /^Expected (.+?)(?: \| null)? at \["(\w+)"\](?:\[(.+?)\])?.*$/,
      (_, type: string, name: string, part: string | undefined) =>
        `${name}${part === undefined ? "" : `[${part}]`} must be of the type ${type}`,
    )
    .replace(/^Missing key at \["(\w+)"\].*$/, (_, name: string) => `${name} is missing`)

/** The name of a table's result, if the list has none for it. */
const stem = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? path)
    .replace(/(\.\w+)(\.gz)?$/, "")
    .replaceAll(/[^\p{L}\p{N}_. -]/gu, "_")
    .replace(/^[. -]+/, "")

/**
 * The data sets of a list. Names are made different from each other by numbers behind them.
 *
 * @param name the list's, for messages
 * @param usual settings of every line that does not have them
 * @errors Complaint that names the line and what is wrong with it
 */
export const read = (
  name: string,
  text: string,
  usual: JsonSettings.Settings & { readonly target?: string },
): Effect.Effect<ReadonlyArray<Entry>, Complaint> =>
  Effect.gen(function* () {
    const rows = yield* rowsOf(name, text)
    if (rows.length === 0) return yield* Source.about(name, "there is no data set in this list")
    const taken = new Set<string>()
    const entries: Array<Entry> = []
    for (const { place, value } of rows) {
      const unknown = Object.keys(isRecord(value) ? value : {}).find((key) => !known.includes(key))
      if (unknown !== undefined) {
        const near = nearest(unknown, known)
        return yield* Source.about(
          name,
          `${place}: there is no setting ${Csv.quote(unknown)}${near === undefined ? `; they are: ${known.join(", ")}` : `; did you mean ${Csv.quote(near)}?`}`,
        )
      }
      const line = yield* Effect.mapError(decode(value), ({ message }) =>
        Source.about(name, `${place}: ${typed(message)}`),
      )
      const { data, target, features, name: given, bootstrap, ...settings } = { ...usual, ...line }
      const replicas = bootstrap ?? undefined
      if (replicas !== undefined && !(Number.isInteger(replicas) && replicas >= 1 && replicas <= most))
        return yield* Source.about(
          name,
          `${place}: bootstrap must be a whole number of replicas from 1 to ${most}, not ${replicas}; leave it out to fit the table itself`,
        )
      const isTaken = (own: string): boolean =>
        wanted({ name: own, replicas }).some((one) => taken.has(one.name))
      if (given !== undefined && (!isName.test(given) || isTaken(given)))
        return yield* Source.about(
          name,
          `${place}: ${isTaken(given) ? `the name ${Csv.quote(given)} is that of another data set` : `the name ${Csv.quote(given)} cannot be that of a file; write letters, digits, spaces, - _ and .`}`,
        )
      const base = given ?? (stem(data) || "data")
      let own = base
      for (let k = 2; isTaken(own); k++) own = `${base}-${k}`
      for (const one of wanted({ name: own, replicas })) taken.add(one.name)
      entries.push({ place, name: own, replicas, data, target, features, settings })
    }
    return entries
  })
