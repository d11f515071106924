import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import { DataError } from "../errors/Errors.ts"
import { meant } from "../internal/nearest.ts"
import type * as Template from "../prob/Template.ts"
import * as Fits from "./Source.ts"

/** Whether a type is one literal, or any text. */
type IsOne<O extends string, Each extends string = O> = O extends unknown
  ? [Each] extends [O]
    ? true
    : false
  : never

/** Rows with a column for each output. */
export interface Responses<O extends string> {
  /** shape [rows, features] */
  readonly X: ReadonlyArray<ArrayLike<number>>
  /** the column of each output by its name, shape [rows] */
  readonly y: { readonly [K in O]: ArrayLike<number> }
  /** names of the columns of X; x0, x1, ... by default */
  readonly features?: ReadonlyArray<string> | undefined
}

/**
 * Where the data of a template come from: rows with a column for each output; for a template with one output the rows of any fit; or a data set, of which
 * the outputs are the target and features by their names.
 */
export type Source<O extends string> =
  Responses<O> | Data.Dataset | (IsOne<O> extends true ? Fits.Source : never)

type Any = Responses<string> | Fits.Source

const isSeveral = (source: Any): source is Responses<string> =>
  !("rows" in source) && !ArrayBuffer.isView(source.y) && !Array.isArray(source.y) && !("length" in source.y)

const unknown = (name: string, columns: ReadonlyArray<string>) =>
  new DataError({
    message: `there is no column "${name}" for the output of this name${meant(name, columns, { otherwise: ";" })} the columns are: ${columns.join(", ")}`,
  })

/**
 * A data set for each output of a template, all with the same rows and features.
 *
 * @errors DataError as of `Data.fromRows`, for an output without a column, and for one that is the same on all rows
 */
export const datasets = (
  { outputs }: Pick<Template.Template, "outputs">,
  source: Any,
): Effect.Effect<ReadonlyArray<Data.Dataset>, DataError> =>
  Effect.gen(function* () {
    const names = outputs.map(({ name }) => name)
    if (isSeveral(source)) {
      const { X, y, features } = source
      const lacking = names.find((name) => !Object.hasOwn(y, name))
      if (lacking !== undefined) return yield* unknown(lacking, Object.keys(y))
      return yield* Effect.forEach(names, (name) => Data.fromRows({ X, y: y[name]!, features, target: name }))
    }
    const data = yield* Fits.dataset(source)
    const own = names.length === 1 && !data.features.includes(names[0]!) ? [data.target] : names
    const lacking = own.find((name) => name !== data.target && !data.features.includes(name))
    if (lacking !== undefined) return yield* unknown(lacking, [...data.features, data.target])
    const features = data.features.filter((name) => !own.includes(name))
    const columnOf = (name: string): Float64Array =>
      name === data.target ? data.y : data.columns[data.features.indexOf(name)]!
    const found = own.map((name): Data.Dataset => ({
      ...data,
      features,
      columns: features.map(columnOf),
      target: name,
      y: columnOf(name),
    }))
    const flat = found.find(({ y }) => Data.isConstant(y))
    if (flat !== undefined)
      return yield* new DataError({
        message: `the column "${flat.target}" is ${flat.y[0]} on all rows; there is nothing to explain`,
      })
    return found
  })
