import type { Factor, FactorSite } from "../../prob/Factor.ts"
import { product } from "../../numeric/Nd.ts"
import { typicalPriors } from "./divergence.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, type Start } from "./Initial.ts"
import { centred, refuseBounds } from "./typical.ts"

/**
 * q(x) = N(loc, exp(logScale)^2) for each element. Starts at the mean and standard deviation of the prior, or at
 * `start`. A latent mean counts as 0, a latent scale as 1.
 *
 * @throws CompileError for a prior that is 0 on a part of the real line
 */
export const normal = (site: FactorSite<"real">, start?: Start): Factor<"real"> => {
  const name = "Normal(loc, log scale)"
  refuseBounds(site, name)
  return Gaussian.factor(site, {
    name,
    support: "real",
    initial: normalStart(typicalPriors(site).map(centred), product(site.shape), start, (x) => x),
    to: (z) => z,
    from: (x) => x,
    logSlope: () => 0,
    moments: (A, { mean, sd }) => ({
      mean,
      square: A.binary.add(A.unary.square(mean), A.unary.square(sd)),
    }),
  })
}
