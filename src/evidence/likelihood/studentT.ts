import * as Term from "../../expr/Term.ts"
import { lgamma } from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"
import type { Dist } from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"

/**
 * y ~ eta + sigma t_nu: Student's t noise with nu degrees of freedom (Lange, Little and Taylor 1989).
 *
 * *When to use*: for noise with outliers, whose influence on the fit falls with their distance.
 *
 * @param settings.degrees nu > 0. The default 4 is robust to outliers, and costs little efficiency under normal noise
 * @param settings.prior of sigma, in units of y; the improper prior 1 / sigma if left out
 */
export const studentT = (
  settings: { readonly degrees?: number | undefined; readonly prior?: Dist<"positive"> | undefined } = {},
): Density => {
  const { degrees = 4, prior } = settings
  const constant = lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - 0.5 * Real.log(degrees * Math.PI)
  return make(`Student's t with ${degrees} degrees of freedom`, {
    support: "real",
    nuisance: { sigma: prior ?? "positive" },
    logDensity: ({ y, eta, sigma }) => {
      const squared = Term.square(Term.div(Term.sub(y, eta), sigma))
      const tail = Term.mul((degrees + 1) / 2, Term.log(Term.add(1, Term.div(squared, degrees))))
      return Term.sub(Term.sub(constant, Term.log(sigma)), tail)
    },
    scale: "sigma",
    // A normal over the root of a chi-square over its degrees of freedom.
    sample: ({ eta = NaN, sigma = NaN }, source) =>
      eta + (sigma * source.normal()) / Math.sqrt((2 * source.gamma(degrees / 2)) / degrees),
  })
}
