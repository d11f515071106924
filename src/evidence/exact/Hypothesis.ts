import { unitVector } from "../../numeric/unitVector.ts"
import type { Target } from "../gPrior.ts"
import type { OfLaw, Table } from "./Constants.ts"
import * as Exact from "./Exact.ts"
import type * as Restricted from "./restricted.ts"

/**
 * The hypothesis about one coefficient: it is free, it is an exact number, or it is an exact number times a scale that it
 * shares with other coefficients.
 */
export type State =
  | { readonly _tag: "Free" }
  | {
      readonly _tag: "Fixed"
      /** the coefficient; under a logarithmic link the exponential of the intercept; a number inside of terms */
      readonly exact: Exact.Exact
      /** the coefficient: of a number inside of terms how far it moves to the exact one */
      readonly value: number
    }
  | { readonly _tag: "Ratio"; readonly exact: Exact.Exact; readonly value: number }

/**
 * The intercept of a law: it has none, it is minus the coefficient of a term, as in b (1 - exp(-c x)), or it is a number of its own. An exponential
 * of a sum without one has a factor of 1.
 */
export type Intercept = "none" | "tied" | "own"

export const intercepts: ReadonlyArray<Intercept> = ["none", "tied", "own"]

/**
 * The intercept under a hypothesis about it.
 *
 * @param linear whether the law is the linear part itself: only then an intercept may be minus a coefficient (`Constants.tied`)
 */
export const interceptOf = (state: State | undefined, linear: boolean): Intercept => {
  if (state?._tag === "Fixed" && state.value === 0) return "none"
  return linear && state?._tag === "Ratio" && state.value === -1 ? "tied" : "own"
}

/** A hypothesis about all coefficients, intercept first, and its log prior mass. */
export interface Hypothesis {
  readonly states: ReadonlyArray<State>
  readonly logMass: number
}

export const free: State = { _tag: "Free" }

/** The hypothesis about the coefficient of a column in the span of others, which has none, and about a number inside of terms that stays as it is. */
export const absent: State = { _tag: "Fixed", exact: Exact.zero, value: 0 }

/** The hypothesis that a number inside of terms is exact, around a value of it: it moves by as much as there is between them. */
export const exactFrom = (exact: Exact.Exact, value: number): State => ({
  _tag: "Fixed",
  exact,
  value: Exact.value(exact) - value,
})

/** The number of free coefficients before one. */
export const freeBefore = (states: ReadonlyArray<State>, k: number): number => {
  let count = 0
  for (let j = 0; j < k; j++) if (states[j]!._tag === "Free") count++
  return count
}

/** The restriction of a hypothesis: a column of the basis for each free coefficient, then one for the shared scale. */
export const restriction = (states: ReadonlyArray<State>): Restricted.Restriction => {
  // It is asked for thousands of times: loops take a third of the time of the same in closures.
  const offset = new Float64Array(states.length)
  const shared = new Float64Array(states.length)
  const basis: Array<Float64Array> = []
  let isShared = false
  for (let k = 0; k < states.length; k++) {
    const state = states[k]!
    if (state._tag === "Fixed") offset[k] = state.value
    else if (state._tag === "Ratio") {
      shared[k] = state.value
      isShared ||= state.value !== 0
    } else basis.push(unitVector(states.length, k))
  }
  if (isShared) basis.push(shared)
  return { offset, basis }
}

/** The input of the search: a regression, and the prior of exact constants. */
export interface Problem {
  readonly target: Target
  readonly geometry: Restricted.Geometry
  readonly prior: OfLaw
  readonly table: Table
  /** whether the law is the exponential of the linear part: then the intercept is the logarithm of a factor */
  readonly logarithmic: boolean
  /** whether the law is the linear part itself: only then an intercept may be minus a coefficient (`Constants.tied`) */
  readonly linear: boolean
  /**
   * The numbers inside of terms (`InnerNumbers`): the last coefficients are those of their derivatives, by which they move from these values. A number is
   * free or exact, and in no ratio to others. None if left out.
   */
  readonly inner?: ReadonlyArray<number> | undefined
  /** the intercept of the hypotheses; any if left out */
  readonly intercept?: Intercept | undefined
}

/** sigma of the free model. That of a restricted model would grow with a wrong restriction, and so admit further wrong ones. */
export const sigma = ({ target, geometry }: Pick<Problem, "target" | "geometry">): number =>
  Math.sqrt((geometry.rss + target.rounding) / Math.max(1, target.rows - geometry.estimate.length))

/** The number of coefficients without those of the intercept and of numbers inside of terms. */
export const slopesOf = ({ geometry, inner = [] }: Pick<Problem, "geometry" | "inner">): number =>
  geometry.estimate.length - 1 - inner.length

/** The value from which coefficient k moves: that of a number inside of terms; 0 for others. */
export const originOf = (problem: Pick<Problem, "geometry" | "inner">, k: number): number =>
  problem.inner?.[k - 1 - slopesOf(problem)] ?? 0
