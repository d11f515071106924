import type { Algebra } from "../../numeric/Algebra.ts"
import { lazy } from "../../internal/once.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { typicalPriors } from "./divergence.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, scattered, type Start } from "./Initial.ts"
import { centredLog, refuseBounds } from "./typical.ts"

/** E[x^a] = exp(a loc + a^2 scale^2 / 2) */
const power = <T>(A: Algebra<T>, loc: T, scale: T, a: number): T =>
  A.unary.exp(
    A.binary.add(
      A.binary.mul(A.literal(a), loc),
      A.binary.mul(A.literal((a * a) / 2), A.unary.square(scale)),
    ),
  )

/**
 * q(x) = LogNormal(loc, exp(logScale)) for each element. Starts at location 0 and scale 1, or at `start`.
 *
 * @throws CompileError for a prior that is 0 on a part of (0, infinity)
 */
export const logNormal = (site: FactorSite<"positive">, start?: Start): Factor<"positive"> => {
  const name = "LogNormal(loc, log scale)"
  const length = product(site.shape)
  refuseBounds(site, name)
  return Gaussian.factor(site, {
    name,
    support: "positive",
    initial:
      start === undefined
        ? { loc: scattered([0], length, 0), logScale: scattered([0], length, 0) }
        : normalStart(typicalPriors(site).map(centredLog), length, start, Real.log),
    place: (A, z) => A.unary.exp(z),
    to: Real.exp,
    from: Real.log,
    logSlope: (z) => z,
    slope: (_, z) => z,
    stretch: (_, { mean }) => mean,
    moments: (A, { mean, sd }) =>
      lazy({
        mean: () => power(A, mean, sd, 1),
        log: () => mean,
        logSquare: () => A.binary.add(A.unary.square(mean), A.unary.square(sd)),
        square: () => power(A, mean, sd, 2),
        inverse: () => power(A, mean, sd, -1),
        inverseSquare: () => power(A, mean, sd, -2),
      }),
  })
}
