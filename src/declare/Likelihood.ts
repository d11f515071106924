import * as Schema from "effect/Schema"
import type { Forest } from "./Tree.ts"

/**
 * y = beta_0 + sum_j beta_j f_j(x) + eps with the conjugate normal-inverse-gamma prior on (beta, sigma^2), which is
 * integrated out (paper, Eq. vasst-model and "Marginalization over model regression parameters"):
 *
 *     beta | sigma^2 ~ N(mu0, sigma^2 Sigma0),   sigma^2 ~ IG(a0, b0)
 */
export interface ConjugateLinear {
  readonly _tag: "ConjugateLinear"
  readonly forest: Forest
  /** prior means of the K + 1 coefficients, intercept first; on the scale of y */
  readonly mu0: ReadonlyArray<number>
  /** diagonal of Sigma0, length K + 1: prior variances of the coefficients in units of sigma^2 */
  readonly sigma0: ReadonlyArray<number>
  readonly a0: number
  readonly b0: number
}

/** What can be observed. */
export type Likelihood = ConjugateLinear

/** A likelihood with an impossible hyperparameter. Thrown while the model is declared. */
export class LikelihoodError extends Schema.TaggedError<LikelihoodError>()("LikelihoodError", {
  message: Schema.String,
}) {}

/**
 * The collapsed linear likelihood over the trees of a forest.
 *
 * @param hyper.mu0 prior mean of the coefficients: one for all, or K + 1 of them (intercept first)
 * @param hyper.sigma0 prior variance of the coefficients in units of sigma^2: one for all (Sigma0 = sigma0 I), or K + 1
 * @param hyper.a0 shape of the inverse gamma prior of sigma^2, > 0
 * @param hyper.b0 scale of the inverse gamma prior of sigma^2, > 0, in squared units of y
 * @throws LikelihoodError naming the hyperparameter
 */
export const conjugateLinear = (
  forest: Forest,
  hyper: {
    readonly mu0: number | ReadonlyArray<number>
    readonly sigma0: number | ReadonlyArray<number>
    readonly a0: number
    readonly b0: number
  },
): ConjugateLinear => {
  const coefficients = forest.trees + 1
  const spread = (name: string, value: number | ReadonlyArray<number>): ReadonlyArray<number> => {
    const values = typeof value === "number" ? Array.from({ length: coefficients }, () => value) : value
    if (values.length !== coefficients)
      throw new LikelihoodError({
        message: `${name} has ${values.length} entries, but ${forest.trees} trees and an intercept need ${coefficients}`,
      })
    if (!values.every(Number.isFinite)) throw new LikelihoodError({ message: `${name} must be finite` })
    return values
  }
  const sigma0 = spread("sigma0", hyper.sigma0)
  if (!sigma0.every((variance) => variance > 0))
    throw new LikelihoodError({ message: "sigma0 must be positive" })
  for (const name of ["a0", "b0"] as const)
    if (!(hyper[name] > 0 && Number.isFinite(hyper[name])))
      throw new LikelihoodError({ message: `${name} must be positive and finite, but is ${hyper[name]}` })
  return {
    _tag: "ConjugateLinear",
    forest,
    mu0: spread("mu0", hyper.mu0),
    sigma0,
    a0: hyper.a0,
    b0: hyper.b0,
  }
}
