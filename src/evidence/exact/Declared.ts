import type { Tree } from "../../prob/Tree.ts"
import type { OfLaw, Table } from "./Constants.ts"
import type { Hypothesis, Intercept, Problem, State } from "./Hypothesis.ts"
import { exactFrom, free } from "./Hypothesis.ts"
import { exactly, logMassThere } from "./hypothesisPrior.ts"
import * as Real from "../../numeric/Real.ts"

/** A coefficient of a declared law: an exact number, or a number to be fitted. */
export type Coefficient = number | "free"

/** A hypothesis about the coefficients of a law that a user declares, in place of a search for one. */
export interface Declared {
  readonly intercept: Coefficient
  readonly of: (tree: Tree) => Coefficient
  /** the magnitudes of numbers inside of terms that are exact; others are fitted. None if left out */
  readonly inside?: ReadonlyArray<number> | undefined
}

/** The hypotheses about constants among which the most probable one is selected: all, one that is declared, or those of one kind of intercept. */
export type Among = (
  | { readonly declared?: Declared | undefined; readonly intercept?: undefined }
  | { readonly declared?: undefined; readonly intercept: Intercept }
) & {
  /** by how many nats a hypothesis that is searched for has to raise the log posterior of the model as it is; by any if left out */
  readonly rise?: number | undefined
}

/** Numbers are those that are declared up to this share: an exact one may be rounded twice. */
const same = 1e-12

/**
 * The states of fitted numbers inside of terms under a declared law, and their log prior mass; undefined where the numbers are not all those that are
 * declared, since they have other values here.
 */
export const statesInside = (
  values: ReadonlyArray<number>,
  inside: ReadonlyArray<number>,
  prior: OfLaw,
  table: Table,
): Hypothesis | undefined => {
  let logMass = 0
  const states = values.map((value): State => {
    if (!inside.some((one) => Math.abs(Math.abs(value) - one) <= same * one)) {
      logMass += Real.log1p(-prior.exact)
      return free
    }
    const one = exactly(value, table)
    logMass += Real.log(prior.exact) + one.logMass
    return exactFrom(one.exact, value)
  })
  return states.filter(({ _tag }) => _tag === "Fixed").length < inside.length
    ? undefined
    : { states, logMass }
}

/**
 * The hypothesis of coefficients, with its log prior mass under a prior of exact constants. A number that the prior does not have
 * costs a factor of 10 for each of its digits.
 *
 * @param coefficients intercept first
 * @param of whether the law is the exponential of the linear part, whose intercept is the logarithm of a factor, or the linear part
 */
export const hypothesis = (
  coefficients: ReadonlyArray<Coefficient>,
  prior: OfLaw,
  table: Table,
  { logarithmic, linear }: Pick<Problem, "logarithmic" | "linear">,
): Hypothesis => {
  let logMass = 0
  const untied = logMassThere(prior, coefficients.length - 1, linear)
  const states = coefficients.map((value, k): State => {
    if (k === 0) logMass += value === 0 ? Real.log(prior.zero) : untied
    if (value === "free") {
      logMass += Real.log1p(-prior.exact)
      return free
    }
    const exponent = k === 0 && logarithmic
    const one = exactly(exponent ? Real.exp(value) : value, table)
    if (k > 0 || value !== 0) logMass += Real.log(prior.exact) + one.logMass
    return { _tag: "Fixed", exact: one.exact, value }
  })
  return { states, logMass }
}
