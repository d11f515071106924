import * as Term from "../../expr/Term.ts"
import type { Dist } from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import { logNormalDensity } from "./normal.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * log y ~ N(log eta, sigma^2), y > 0: eta > 0 is the median of y, and noise is multiplicative. The mean of y is
 * eta exp(sigma^2 / 2) (Limpert, Stahel and Abbt 2001).
 *
 * *When to use*: for positive y over several orders of magnitude, with constant relative errors. For y of either sign use
 * `proportional`.
 *
 * @param prior of sigma, which is the relative error if it is small; no unit. The improper prior 1 / sigma if left out
 */
export const logNormal = (prior?: Dist<"positive">): Density =>
  make("log-normal", {
    support: "positive",
    nuisance: { sigma: prior ?? "positive" },
    logDensity: ({ y, eta, sigma }) =>
      Term.sub(logNormalDensity(Term.log(y), Term.log(eta), sigma), Term.log(y)),
    mean: ({ eta, sigma }) => Term.mul(eta, Term.exp(Term.mul(0.5, Term.square(sigma)))),
    scale: "sigma",
    sample: ({ eta = NaN, sigma = NaN }, source) => eta * Real.exp(sigma * source.normal()),
  })
