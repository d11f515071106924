import type { Algebra } from "../../numeric/Algebra.ts"
import * as LogNormal from "../../prob/dist/LogNormal.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import { divergence, typicalPriors } from "./divergence.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, scattered, type Start } from "./Initial.ts"
import { centredLog, refuseBounds } from "./typical.ts"

/**
 * q(x) = LogNormal(loc, exp(logScale)) for each element. Starts at location 0 and scale 1, or at `start`.
 *
 * @throws CompileError for a prior that is 0 on a part of (0, infinity)
 */
export const logNormal = (site: FactorSite<"positive">, start?: Start): Factor<"positive"> => {
  const length = product(site.shape)
  refuseBounds(site, "LogNormal(loc, log scale)")
  const initial =
    start === undefined
      ? { loc: scattered([0], length, 0), logScale: scattered([0], length, 0) }
      : normalStart(typicalPriors(site).map(centredLog), length, start, Math.log)
  const q = <T>(A: Algebra<T>, loc: T, logScale: T) => ({ location: loc, scale: A.unary.exp(logScale) })
  /** E[x^a] = exp(a loc + a^2 scale^2 / 2) */
  const power = <T>(A: Algebra<T>, loc: T, logScale: T, a: number): T =>
    A.unary.exp(
      A.binary.add(
        A.binary.mul(A.literal(a), loc),
        A.binary.mul(A.literal((a * a) / 2), A.unary.square(A.unary.exp(logScale))),
      ),
    )
  const moments: Factor<"positive">["moments"] = (A, [loc, logScale]) => ({
    get mean() {
      return power(A, loc!, logScale!, 1)
    },
    log: loc!,
    get logSquare() {
      return A.binary.add(A.unary.square(loc!), A.unary.square(A.unary.exp(logScale!)))
    },
    get square() {
      return power(A, loc!, logScale!, 2)
    },
    get inverse() {
      return power(A, loc!, logScale!, -1)
    },
    get inverseSquare() {
      return power(A, loc!, logScale!, -2)
    },
  })
  return {
    name: "LogNormal(loc, log scale)",
    support: "positive",
    parameters: [
      { name: "loc", shape: site.shape, initialise: initial.loc },
      { name: "logScale", shape: site.shape, initialise: initial.logScale },
    ],
    noise: [{ kind: "normal", shape: site.shape }],
    draw: (A, [loc, logScale], [noise]) => LogNormal.draw(A)(noise!, q(A, loc!, logScale!)),
    moments,
    divergence: (A, constant, [loc, logScale], parent, draws) =>
      divergence(
        site,
        { A, constant, parent, draws },
        {
          moments: moments(A, [loc!, logScale!]),
          entropy: LogNormal.entropy(A)(q(A, loc!, logScale!)),
        },
      ),
    sample: (key, [loc, logScale], count) =>
      Rng.normal(key, new Float64Array(count * length)).map((z, i) =>
        Math.exp(loc![i % length]! + Math.exp(logScale![i % length]!) * z),
      ),
    // The logarithm of a log-normal number is normal, with a density x times as large.
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
