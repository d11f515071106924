import type { Algebra } from "../../numeric/Algebra.ts"
import * as Beta from "../../prob/dist/Beta.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { byElement, moved } from "./Conjugate.ts"
import { CompileError } from "../../errors/Errors.ts"
import type { Dist } from "../../prob/dist/Distribution.ts"
import { divergence, isClosed, knownPriors, typicalPriors } from "./divergence.ts"
import { scattered } from "./Initial.ts"
import { refuseBounds } from "./typical.ts"

/**
 * q(x) = Beta(exp(logA), exp(logB)) for each element. Starts at the prior. It has no reparameterised draw: priors
 * that take their probability from it need only E[log x] and E[log(1 - x)].
 */
export const beta = (site: FactorSite<"unit">): Factor<"unit"> => {
  const length = product(site.shape)
  refuseBounds(site, "Beta(log a, log b)")
  const typical = typicalPriors(site)
  const conjugate =
    knownPriors(site).length > 0 && typical.every((one) => Beta.of.parametersOf(one) !== undefined)
  const priors = typical.map((one) => Beta.of.parametersOf(one) ?? matched(one))
  if (!conjugate && !isClosed(site))
    throw new CompileError({
      message: `the prior of the site "${site.name}" has no crossEntropy, and a Beta factor has no draws to estimate its divergence from; use Family.factors.bounded()`,
    })
  const q = <T>(A: Algebra<T>, logA: T, logB: T) => ({ a: A.unary.exp(logA), b: A.unary.exp(logB) })
  const start = (values: ReadonlyArray<number>) => scattered(values.map(Real.log), length, 0)
  return {
    name: "Beta(log a, log b)",
    support: "unit",
    parameters: [
      { name: "logA", shape: site.shape, initialise: start(priors.map(({ a }) => a)) },
      { name: "logB", shape: site.shape, initialise: start(priors.map(({ b }) => b)) },
    ],
    noise: [],
    moments: (A, [logA, logB]) => momentsOf(A, q(A, logA!, logB!)),
    divergence: (A, constant, [logA, logB], parent, draws) => {
      const own = q(A, logA!, logB!)
      if (!conjugate)
        return divergence(
          site,
          { A, constant, parent, draws },
          { moments: momentsOf(A, own), entropy: Beta.entropy(A)(own) },
        )
      const known = (values: ReadonlyArray<number>) =>
        constant(values, values.length === 1 ? [] : [values.length])
      const prior = { a: known(priors.map(({ a }) => a)), b: known(priors.map(({ b }) => b)) }
      return A.sumAll(Beta.kl(A)(own, prior))
    },
    ...byElement(([logA, logB]) =>
      Array.from({ length }, (_, i) => Beta.of({ a: Real.exp(logA![i]!), b: Real.exp(logB![i]!) })),
    ),
    // As a Dirichlet distribution of two weights; only under a conjugate prior.
    ...(conjugate &&
      ({
        project: ([logA, logB], draws, rate) => {
          const logs = Array.from({ length }, (_, i) => {
            const before = Float64Array.of(Real.exp(logA![i]!), Real.exp(logB![i]!))
            const { a, b } = priors[i % priors.length]!
            return moved(before, [a, b], draws, { index: i, elements: length }, rate).map(Real.log)
          })
          return [Float64Array.from(logs, ([a]) => a!), Float64Array.from(logs, ([, b]) => b!)]
        },
      } satisfies Pick<Factor<"unit">, "project">)),
  }
}

const momentsOf = <T>(A: Algebra<T>, own: Beta.Parameters<T>) => {
  const [log, log1m] = Beta.expectedLog(A)(own)
  return { mean: A.binary.div(own.a, A.binary.add(own.a, own.b)), log, log1m }
}

/** The Beta distribution with the mean and the variance of another; the uniform distribution where there is none. */
const matched = (dist: Dist<"unit">): { readonly a: number; readonly b: number } => {
  const [mean = Number.NaN] = dist.mean()
  const [variance = Number.NaN] = dist.variance()
  const total = (mean * (1 - mean)) / variance - 1
  return total > 0 && total < Infinity ? { a: mean * total, b: (1 - mean) * total } : { a: 1, b: 1 }
}
