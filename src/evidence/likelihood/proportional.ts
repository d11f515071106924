import * as Term from "../../expr/Term.ts"
import type { Dist } from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import { logNormalDensity } from "./normal.ts"

/**
 * y ~ N(eta, (sigma eta)^2): the standard error is proportional to the law's value.
 *
 * *When to use*: for instruments with constant relative error whose y may have either sign. For positive y use `logNormal`.
 *
 * @param prior of sigma, the relative error, no unit; the improper prior 1 / sigma if left out
 */
export const proportional = (prior?: Dist<"positive">): Density =>
  make("proportional noise", {
    support: "real",
    nuisance: { sigma: prior ?? "positive" },
    logDensity: ({ y, eta, sigma }) => logNormalDensity(y, eta, Term.mul(sigma, Term.abs(eta))),
    scale: "sigma",
    sample: ({ eta = NaN, sigma = NaN }, source) => eta * (1 + sigma * source.normal()),
  })
