import type { Algebra } from "../../numeric/Algebra.ts"
import type { Dist } from "../../prob/Dist.ts"
import * as LogNormal from "../../prob/dist/LogNormal.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Special from "../../numeric/Special.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, scattered, type Start } from "./Initial.ts"

/**
 * -log p(x) of a prior on (0, infinity) as a linear form in the statistics 1, log x, (log x)^2, x, 1/x and x^2,
 * whose expectations under a log-normal q are closed. Every positive prior that ships is one.
 */
interface Form {
  readonly one: number
  readonly log: number
  readonly log2: number
  readonly x: number
  readonly inverse: number
  readonly square: number
}

const form = (dist: Dist<"positive">): Form => {
  const zero = { one: 0, log: 0, log2: 0, x: 0, inverse: 0, square: 0 }
  switch (dist._tag) {
    case "Gamma":
      return {
        ...zero,
        one: Special.lgamma(dist.shape) - dist.shape * Math.log(dist.rate),
        log: 1 - dist.shape,
        x: dist.rate,
      }
    case "InverseGamma":
      return {
        ...zero,
        one: Special.lgamma(dist.shape) - dist.shape * Math.log(dist.scale),
        log: dist.shape + 1,
        inverse: dist.scale,
      }
    case "HalfNormal":
      return {
        ...zero,
        one: Math.log(dist.sd) - 0.5 * Math.log(2 / Math.PI),
        square: 1 / (2 * dist.sd ** 2),
      }
    case "LogNormal": {
      const precision = 1 / dist.scale ** 2
      return {
        ...zero,
        one: 0.5 * Math.log(2 * Math.PI) + Math.log(dist.scale) + 0.5 * precision * dist.location ** 2,
        log: 1 - precision * dist.location,
        log2: 0.5 * precision,
      }
    }
  }
}

/** E[log x] and the standard deviation of log x. */
const logMoments = (dist: Dist<"positive">): { readonly centre: number; readonly sd: number } => {
  switch (dist._tag) {
    case "Gamma":
      return {
        centre: Special.digamma(dist.shape) - Math.log(dist.rate),
        sd: Math.sqrt(Special.trigamma(dist.shape)),
      }
    case "InverseGamma":
      return {
        centre: Math.log(dist.scale) - Special.digamma(dist.shape),
        sd: Math.sqrt(Special.trigamma(dist.shape)),
      }
    case "HalfNormal":
      // x^2 / sd^2 is Gamma(1/2, 1/2).
      return {
        centre: Math.log(dist.sd) + (Special.digamma(0.5) + Math.LN2) / 2,
        sd: Math.sqrt(Special.trigamma(0.5)) / 2,
      }
    case "LogNormal":
      return { centre: dist.location, sd: dist.scale }
  }
}

/** q(x) = LogNormal(loc, exp(logScale)) for each element. Starts at location 0 and scale 1, or where `start` says. */
export const logNormal = (site: FactorSite<"positive">, start?: Start): Factor<"positive"> => {
  const length = product(site.shape)
  const priors = site.prior._tag === "Each" ? site.prior.dists : [site.prior.dist]
  const initial =
    start === undefined
      ? { loc: scattered([0], length, 0), logScale: scattered([0], length, 0) }
      : normalStart(priors.map(logMoments), length, start, Math.log)
  const q = <T>(A: Algebra<T>, loc: T, logScale: T) => ({ location: loc, scale: A.unary.exp(logScale) })
  /** E[x^a] = exp(a loc + a^2 scale^2 / 2) */
  const power = <T>(A: Algebra<T>, loc: T, logScale: T, a: number): T =>
    A.unary.exp(
      A.binary.add(
        A.binary.mul(A.literal(a), loc),
        A.binary.mul(A.literal((a * a) / 2), A.unary.square(A.unary.exp(logScale))),
      ),
    )
  return {
    name: "LogNormal(loc, log scale)",
    support: "positive",
    parameters: [
      { name: "loc", shape: site.shape, initialise: initial.loc },
      { name: "logScale", shape: site.shape, initialise: initial.logScale },
    ],
    noise: [{ kind: "normal", shape: site.shape }],
    draw: (A, [loc, logScale], [noise]) => LogNormal.draw(A)(noise!, q(A, loc!, logScale!)),
    moments: (A, [loc, logScale]) => ({
      mean: power(A, loc!, logScale!, 1),
      log: loc!,
      square: power(A, loc!, logScale!, 2),
      inverse: power(A, loc!, logScale!, -1),
      inverseSquare: power(A, loc!, logScale!, -2),
    }),
    divergence: (A, constant, [loc, logScale]) => {
      const forms = priors.map(form)
      const { add, mul, sub } = A.binary
      const coefficient = (statistic: keyof Form) =>
        constant(
          forms.map((one) => one[statistic]),
          forms.length === 1 ? [] : [forms.length],
        )
      const log2 = add(A.unary.square(loc!), A.unary.square(A.unary.exp(logScale!)))
      const cross = [
        mul(coefficient("log"), loc!),
        mul(coefficient("log2"), log2),
        mul(coefficient("x"), power(A, loc!, logScale!, 1)),
        mul(coefficient("inverse"), power(A, loc!, logScale!, -1)),
        mul(coefficient("square"), power(A, loc!, logScale!, 2)),
      ].reduce(add, coefficient("one"))
      return A.sumAll(sub(cross, LogNormal.entropy(A)(q(A, loc!, logScale!))))
    },
    sample: (key, [loc, logScale], count) =>
      Rng.normal(key, new Float64Array(count * length)).map((z, i) =>
        Math.exp(loc![i % length]! + Math.exp(logScale![i % length]!) * z),
      ),
    // A log-normal number is a normal one on the log scale, where its density is x times as large.
    logDensity: (parameters, values) => {
      const logs = Float64Array.from(values, Math.log)
      return Gaussian.logDensity(parameters, logs).map((log, draw) => {
        for (let i = draw * length; i < (draw + 1) * length; i++) if (!Number.isNaN(logs[i])) log -= logs[i]!
        return log
      })
    },
    project: (parameters, { values, weights }, rate) =>
      Gaussian.moved(parameters, { values: Float64Array.from(values, Math.log), weights }, rate),
  }
}
