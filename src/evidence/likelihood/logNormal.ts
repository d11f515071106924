import * as Term from "../../expr/Term.ts"
import type { Dist } from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import { logNormalDensity } from "./normal.ts"

/**
 * log y ~ N(log eta, sigma^2): eta > 0 is the median of y, and noise multiplies. *When to use*: y above 0 over several decades,
 * known to a share of itself.
 *
 * @param prior of sigma, the relative error where it is small; 1 / sigma if left out
 */
export const logNormal = (prior?: Dist<"positive">): Density =>
  make("log-normal", {
    support: "positive",
    nuisance: { sigma: prior ?? "positive" },
    logDensity: ({ y, eta, sigma }) =>
      Term.sub(logNormalDensity(Term.log(y), Term.log(eta), sigma), Term.log(y)),
    mean: ({ eta, sigma }) => Term.mul(eta, Term.exp(Term.mul(0.5, Term.square(sigma)))),
    scale: "sigma",
    sample: ({ eta = NaN, sigma = NaN }, source) => eta * Math.exp(sigma * source.normal()),
  })
