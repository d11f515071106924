import type { Algebra } from "../../numeric/Algebra.ts"
import * as Beta from "../../prob/dist/Beta.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import { moved } from "./Conjugate.ts"
import { fill, scattered } from "./Initial.ts"

/**
 * q(x) = Beta(exp(logA), exp(logB)) for each element. Starts at the prior. It has no reparameterised draw: priors
 * that take their probability from it need only E[log x] and E[log(1 - x)].
 */
export const beta = (site: FactorSite<"unit">): Factor<"unit"> => {
  const length = product(site.shape)
  const priors = site.prior._tag === "Each" ? site.prior.dists : [site.prior.dist]
  const q = <T>(A: Algebra<T>, logA: T, logB: T) => ({ a: A.unary.exp(logA), b: A.unary.exp(logB) })
  const start = (values: ReadonlyArray<number>) => scattered(values.map(Math.log), length, 0)
  return {
    name: "Beta(log a, log b)",
    support: "unit",
    parameters: [
      { name: "logA", shape: site.shape, initialise: start(priors.map(({ a }) => a)) },
      { name: "logB", shape: site.shape, initialise: start(priors.map(({ b }) => b)) },
    ],
    noise: [],
    moments: (A, [logA, logB]) => {
      const own = q(A, logA!, logB!)
      const [log, log1m] = Beta.expectedLog(A)(own)
      return { mean: A.binary.div(own.a, A.binary.add(own.a, own.b)), log, log1m }
    },
    divergence: (A, constant, [logA, logB]) => {
      const known = (values: ReadonlyArray<number>) =>
        constant(values, values.length === 1 ? [] : [values.length])
      const prior = { a: known(priors.map(({ a }) => a)), b: known(priors.map(({ b }) => b)) }
      return A.sumAll(Beta.kl(A)(q(A, logA!, logB!), prior))
    },
    sample: (key, [logA, logB], count) => {
      const generator = Rng.generator(key)
      const draws = Array.from({ length }, (_, i) =>
        Beta.operations(Beta.make(Math.exp(logA![i]!), Math.exp(logB![i]!))),
      )
      const out = new Float64Array(count * length)
      for (let i = 0; i < out.length; i++) draws[i % length]!.draw(generator, out, i)
      return out
    },
    logDensity: ([logA, logB], values) => {
      const densities = Array.from({ length }, (_, i) =>
        Beta.operations(Beta.make(Math.exp(logA![i]!), Math.exp(logB![i]!))),
      )
      return fill(values.length / length, (draw) =>
        densities.reduce((sum, { logDensity }, i) => {
          const value = values[draw * length + i]!
          return Number.isNaN(value) ? sum : sum + logDensity([value])
        }, 0),
      )
    },
    // As a Dirichlet distribution of two weights.
    project: ([logA, logB], draws, rate) => {
      const logs = Array.from({ length }, (_, i) => {
        const before = Float64Array.of(Math.exp(logA![i]!), Math.exp(logB![i]!))
        const { a, b } = priors[i % priors.length]!
        return moved(before, [a, b], draws, { index: i, elements: length }, rate).map(Math.log)
      })
      return [Float64Array.from(logs, ([a]) => a!), Float64Array.from(logs, ([, b]) => b!)]
    },
  }
}
