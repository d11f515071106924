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
      /** the coefficient; under a logarithmic link the exponential of the intercept */
      readonly exact: Exact.Exact
      readonly value: number
    }
  | { readonly _tag: "Ratio"; readonly exact: Exact.Exact; readonly value: number }

/** A hypothesis about all coefficients, intercept first, and its log prior mass. */
export interface Hypothesis {
  readonly states: ReadonlyArray<State>
  readonly logMass: number
}

export const free: State = { _tag: "Free" }

/** The hypothesis about the coefficient of a column in the span of others, which has none. */
export const absent: State = { _tag: "Fixed", exact: Exact.make(0), value: 0 }

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
}
