import type { ByColumns, Constants } from "../../src/evidence/exact/Constants.ts"
import { terminalsOf } from "./fit.ts"
import type { Representation } from "./representation.ts"

/** Laws of as many columns and more are one class. */
const classes = 4

/** A share with one imaginary case of either kind, so that none is 0 or 1; rounded. */
const share = (part: number, whole: number): number => Number(((part + 1) / (whole + 2)).toFixed(2))

/** How many columns of the data a law has, at most `classes`. */
export const columnsOf = (one: Representation): number =>
  Math.min(classes, (terminalsOf(one).alike ?? []).length)

/**
 * How often coefficients are exact numbers, intercepts are 0, and leading factors of exponentials of a sum are 1, by the number of columns: the
 * defaults of `Constants`.
 */
export const constantsOf = (
  represented: ReadonlyArray<Representation>,
): Pick<Constants, "exact" | "zero" | "factorless"> => {
  const byColumns = (of: (laws: ReadonlyArray<Representation>) => number): ByColumns => {
    const [first, ...others] = Array.from({ length: classes }, (_, k) =>
      of(represented.filter((one) => columnsOf(one) === k + 1)),
    )
    return [first!, ...others]
  }
  const without = (laws: ReadonlyArray<Representation>): number =>
    share(laws.filter(({ intercept }) => intercept === 0).length, laws.length)
  return {
    exact: byColumns((laws) => {
      const all = laws.flatMap(({ coefficients }) => coefficients)
      return share(all.filter((one) => one !== "fitted").length, all.length)
    }),
    zero: byColumns((laws) => without(laws.filter(({ link }) => link !== "log"))),
    factorless: byColumns((laws) => without(laws.filter(({ link }) => link === "log"))),
  }
}
