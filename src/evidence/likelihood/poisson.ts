import * as Term from "../../expr/Term.ts"
import { type Density, make } from "./Density.ts"
import { lgamma } from "./lgamma.ts"

/**
 * y ~ Poisson(exp eta), y in {0, 1, 2, ...}: eta is the log mean (McCullagh and Nelder 1989, chapter 6).
 *
 * *When to use*: for counts of independent events. For counts whose variance exceeds their mean use `negativeBinomial`.
 */
export const poisson: Density = make("Poisson", {
  support: "counts",
  logDensity: ({ y, eta }) => Term.sub(Term.sub(Term.mul(y, eta), Term.exp(eta)), lgamma(Term.add(y, 1))),
  mean: ({ eta }) => Term.exp(eta),
})
