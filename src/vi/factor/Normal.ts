import type { Algebra } from "../../numeric/Algebra.ts"
import * as Normal from "../../prob/dist/Normal.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import { divergence, typicalPriors } from "./divergence.ts"
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
  const length = product(site.shape)
  refuseBounds(site, "Normal(loc, log scale)")
  const initial = normalStart(typicalPriors(site).map(centred), length, start, (x) => x)
  const q = <T>(A: Algebra<T>, loc: T, logScale: T) => ({ mean: loc, sd: A.unary.exp(logScale) })
  return {
    name: "Normal(loc, log scale)",
    support: "real",
    parameters: [
      { name: "loc", shape: site.shape, initialise: initial.loc },
      { name: "logScale", shape: site.shape, initialise: initial.logScale },
    ],
    noise: [{ kind: "normal", shape: site.shape }],
    draw: (A, [loc, logScale], [noise]) => Normal.draw(A)(noise!, q(A, loc!, logScale!)),
    moments: (A, [loc, logScale]) => {
      const { mean, sd } = q(A, loc!, logScale!)
      return { mean, square: A.binary.add(A.unary.square(mean), A.unary.square(sd)) }
    },
    divergence: (A, constant, [loc, logScale], parent, draws) => {
      const own = q(A, loc!, logScale!)
      const moments = {
        mean: own.mean,
        square: A.binary.add(A.unary.square(own.mean), A.unary.square(own.sd)),
      }
      return divergence(site, { A, constant, parent, draws }, { moments, entropy: Normal.entropy(A)(own) })
    },
    sample: (key, [loc, logScale], count) =>
      Rng.normal(key, new Float64Array(count * length)).map(
        (z, i) => loc![i % length]! + Math.exp(logScale![i % length]!) * z,
      ),
    logDensity: Gaussian.logDensity,
    project: Gaussian.moved,
  }
}
