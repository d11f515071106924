import { scalarFunction } from "../expr/evaluate.ts"
import { sympy } from "../expr/text/sympy.ts"
import type * as Ranked from "../rank/Model.ts"
import type { Ranking } from "../rank/Rank.ts"
import { DataError } from "../errors/Errors.ts"

/**
 * A finished fit.
 *
 * @typeParam P the posterior of the inference, with the record of the fit (`Fit.Fitted`)
 */
export interface Fitted<P> {
  /** the first of `models` */
  readonly best: Ranked.Model
  /** the models that were ranked, best first */
  readonly models: ReadonlyArray<Ranked.Model>
  readonly ranking: Ranking
  readonly posterior: P
  /** seconds of the whole call, ranking included */
  readonly seconds: number
  /**
   * Values of the best model on rows of features, in the order of the data's features; NaN for a row on which the law is not
   * defined, such as a root of a negative number.
   *
   * @throws DataError for a row with more or fewer values than there are features
   */
  readonly predict: (rows: ReadonlyArray<ReadonlyArray<number>>) => Float64Array
  /** the best model as text that SymPy parses */
  readonly toSymPy: () => string
}

/**
 * @param features names, in the order in which `predict` takes their values
 * @param of.ranking a ranking with at least one model, as all rankings have
 */
export const make = <P>(
  features: ReadonlyArray<string>,
  of: Pick<Fitted<P>, "ranking" | "posterior" | "seconds">,
): Fitted<P> => {
  const { models } = of.ranking
  const best = models[0]!
  const predict = scalarFunction(best.expression, features)
  return {
    ...of,
    best,
    models,
    predict: (rows) =>
      Float64Array.from(rows, (row, index) => {
        if (row.length !== features.length)
          throw new DataError({
            message: `row ${index + 1} has ${row.length} values, but the law is over ${features.length}: ${features.join(", ")}`,
          })
        return predict(row)
      }),
    toSymPy: () => sympy(best.expression),
  }
}
