import { dot } from "../../numeric/orthogonal.ts"
import * as Real from "../../numeric/Real.ts"
import type { Target } from "../gPrior.ts"
import { type Constrained, logIntegral } from "./restricted.ts"

/** A further linear constraint v't = c on a restricted fit, by which one of its numbers, of factor 1 in v, follows from the others. */
export interface Constraint {
  /** c - v't^ */
  readonly gap: number
  /** w of v (`Constrained.whitened`) */
  readonly across: Float64Array
}

/**
 * What a further constraint makes of a restricted fit, without another factorisation:
 *
 *     S' = S + gap^2 / q,   log det (L') = log det (L) + log q,   q = v'L^-1 v
 *
 * and t^ moves by L^-1 v gap / q.
 */
export interface Further {
  readonly logIntegral: number
  /** by how much a combination u't^ of the numbers that are left moves, w being that of u */
  readonly move: (w: Float64Array) => number
}

export const add = (
  target: Target,
  { rss, logDeterminant, estimate }: Pick<Constrained, "rss" | "logDeterminant" | "estimate">,
  { gap, across }: Constraint,
): Further => {
  const q = dot(across, across)
  return {
    logIntegral: logIntegral(
      target,
      estimate.length - 1,
      rss + gap ** 2 / q,
      logDeterminant + Real.log(q) / 2,
    ),
    move: (w) => (dot(w, across) * gap) / q,
  }
}
