import * as Term from "../../expr/Term.ts"
import type { Dist } from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import * as Real from "../../numeric/Real.ts"

const halfLog2Pi = 0.5 * Real.log(2 * Math.PI)

/** log N(y; mean, sd^2) as a term, in nats. */
export const logNormalDensity = (y: Term.Term, mean: Term.Term, sd: Term.Term): Term.Term =>
  Term.sub(Term.mul(-0.5, Term.square(Term.div(Term.sub(y, mean), sd))), Term.add(Term.log(sd), halfLog2Pi))

/**
 * y ~ N(eta, sigma^2) with sigma unknown, as a density whose evidence is Laplace's approximation.
 *
 * *When to use*: for normal noise with row weights (`weighted`), or with a prior of sigma of your own. Otherwise
 * `selectedLinear` and `conjugateLinear` integrate sigma out in closed form, and are faster.
 *
 * @param prior of sigma, in units of y; the improper prior 1 / sigma if left out
 */
export const normal = (prior?: Dist<"positive">): Density =>
  make("normal", {
    support: "real",
    nuisance: { sigma: prior ?? "positive" },
    logDensity: ({ y, eta, sigma }) => logNormalDensity(y, eta, sigma),
    scale: "sigma",
    sample: ({ eta = NaN, sigma = NaN }, source) => eta + sigma * source.normal(),
  })
