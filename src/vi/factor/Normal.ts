import type { Algebra } from "../../numeric/Algebra.ts"
import * as Normal from "../../prob/dist/Normal.ts"
import type { Factor, FactorSite, Moments } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, type Start } from "./Initial.ts"

/**
 * q(x) = N(loc, exp(logScale)^2) for each element. Starts at the prior, or at N(0, 1) where that is latent, unless `start` says
 * where.
 */
export const normal = (site: FactorSite<"real">, start?: Start): Factor<"real"> => {
  const length = product(site.shape)
  const priors = site.prior._tag === "Each" ? site.prior.dists : [site.prior.dist]
  const scaled = priors.map(({ mean, sd }) => ({
    centre: typeof mean === "number" ? mean : 0,
    sd: typeof sd === "number" ? sd : 1,
  }))
  const initial = normalStart(scaled, length, start, (x) => x)
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
    divergence: (A, constant, [loc, logScale], parent) => {
      const own = q(A, loc!, logScale!)
      const { mean, sd } = priorMoments(site, constant, parent)
      const { add, mul, sub } = A.binary
      // E_q[(x - m)^2] = E[x]^2 + sd^2 - 2 E[x] E[m] + E[m^2], x and m being independent under q.
      const distance = add(
        sub(
          add(A.unary.square(own.mean), A.unary.square(own.sd)),
          mul(A.literal(2), mul(own.mean, mean.mean)),
        ),
        mean.square,
      )
      const cross = add(
        A.literal(0.5 * Math.log(2 * Math.PI)),
        add(sd.log, mul(A.literal(0.5), mul(distance, sd.inverseSquare))),
      )
      return A.sumAll(sub(cross, Normal.entropy(A)(own)))
    },
    sample: (key, [loc, logScale], count) =>
      Rng.normal(key, new Float64Array(count * length)).map(
        (z, i) => loc![i % length]! + Math.exp(logScale![i % length]!) * z,
      ),
    logDensity: Gaussian.logDensity,
    project: Gaussian.moved,
  }
}

/** The moments of the prior's mean and standard deviation that the cross entropy needs. */
const priorMoments = <T>(
  { name, prior }: FactorSite<"real">,
  constant: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T,
  parent: (site: string) => Moments<T>,
): { mean: { mean: T; square: T }; sd: { log: T; inverseSquare: T } } => {
  const known = (values: ReadonlyArray<number>) =>
    constant(values, values.length === 1 ? [] : [values.length])
  const ofMean = (values: ReadonlyArray<number>) => ({
    mean: known(values),
    square: known(values.map((m) => m * m)),
  })
  const ofSd = (values: ReadonlyArray<number>) => ({
    log: known(values.map(Math.log)),
    inverseSquare: known(values.map((s) => 1 / (s * s))),
  })
  if (prior._tag === "Each")
    return { mean: ofMean(prior.dists.map((d) => d.mean)), sd: ofSd(prior.dists.map((d) => d.sd)) }
  const { mean, sd } = prior.dist
  const need = <V>(value: V | undefined, what: string): V => {
    if (value === undefined) throw new Error(`the parents of the site "${name}" must give ${what}`)
    return value
  }
  const latentMean = () => {
    const moments = parent((mean as Exclude<typeof mean, number>).site)
    return { mean: moments.mean, square: need(moments.square, "E[x^2]") }
  }
  const latentSd = () => {
    const moments = parent((sd as Exclude<typeof sd, number>).site)
    return { log: need(moments.log, "E[log x]"), inverseSquare: need(moments.inverseSquare, "E[1 / x^2]") }
  }
  return {
    mean: typeof mean === "number" ? ofMean([mean]) : latentMean(),
    sd: typeof sd === "number" ? ofSd([sd]) : latentSd(),
  }
}
