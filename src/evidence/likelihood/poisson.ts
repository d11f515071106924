import * as Term from "../../expr/Term.ts"
import { type Density, make } from "./Density.ts"
import { lgamma } from "./lgamma.ts"

/** y ~ Poisson(exp eta). *When to use*: counts of independent events; `negativeBinomial` where they vary more than their mean. */
export const poisson: Density = make("Poisson", {
  support: "counts",
  logDensity: ({ y, eta }) => Term.sub(Term.sub(Term.mul(y, eta), Term.exp(eta)), lgamma(Term.add(y, 1))),
  mean: ({ eta }) => Term.exp(eta),
})
