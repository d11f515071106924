import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import * as Data from "../data/Data.ts"
import { Complaint } from "./Complaint.ts"
import * as Input from "./input/Input.ts"
import * as Source from "./Source.ts"

/** The flags that say which columns of a file are read. */
export interface Columns extends Input.Settings {
  readonly target: string | undefined
  readonly features: ReadonlyArray<string> | undefined
  readonly error: string | undefined
  readonly weights: string | undefined
  /** the column with the names of groups; undefined where rows are of one kind */
  readonly group?: string | undefined
}

/** Columns of the table that are read beside the features. */
const besides = ({
  error,
  weights,
  group,
}: Pick<Columns, "error" | "weights" | "group">): ReadonlyArray<string> =>
  [error, weights, group].flatMap((name) => name ?? [])

/** The data set of a table. */
const dataset = (table: Input.Table, input: Columns) =>
  Effect.gen(function* () {
    if (input.target === undefined) {
      const { columns } = yield* Input.frameOf(table)
      return yield* new Complaint({
        message: `name the column to explain with --target; the columns are: ${Csv.list(columns)}`,
      })
    }
    const wanted = {
      target: input.target,
      features: input.features && [...new Set([...input.features, ...besides(input)])],
      group: input.group,
    }
    const data = yield* table._tag === "Text"
      ? Data.fromCsv(table.text, wanted)
      : Data.fromFrame(table.frame, wanted)
    // Columns beside the features are among them in the table: a name that is not there is told with a suggestion.
    const missing = besides(input).find((name) => !data.features.includes(name))
    if (missing !== undefined)
      return yield* new Complaint({
        message:
          missing === input.target
            ? `the target ${Csv.quote(missing)} cannot be its own error, weight or group; name another column`
            : `there is no column ${Csv.quote(missing)}; the columns are: ${Csv.list(data.features)}`,
      })
    return data
  })

/** The data set of a file or of standard input, and its name in messages. */
export const read = (input: Columns) =>
  Effect.gen(function* () {
    const table = yield* Input.read(input)
    const { name } = table
    const data = yield* dataset(table, input).pipe(
      Effect.mapError((error) => (error._tag === "DataError" ? Source.about(name, error.message) : error)),
    )
    return { name, data }
  })
