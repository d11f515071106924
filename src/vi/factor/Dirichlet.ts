import type { Algebra } from "../../numeric/Algebra.ts"
import * as Dirichlet from "../../prob/dist/Dirichlet.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { CompileError } from "../../errors/Errors.ts"
import type { Dist } from "../../prob/dist/Distribution.ts"
import { divergence, isClosed, knownPriors, typicalPriors } from "./divergence.ts"
import { scattered } from "./Initial.ts"
import { byElement, moved } from "./Conjugate.ts"

/**
 * q(w) = Dir(exp(c)) with m log concentrations c (Eq. mean-field-variational-family). Starts at the prior. It has no
 * reparameterised draw: priors that take their weights from it need only E[log w].
 */
export const dirichlet = (site: FactorSite<"simplex">): Factor<"simplex"> => {
  const shape = [...site.shape, site.size]
  const elements = product(site.shape)
  const priors = typicalPriors(site)
  const own = priors.flatMap((one) => Dirichlet.of.parametersOf(one)?.concentration ?? [])
  // Priors of other families start at the Dirichlet distribution with their means and variances.
  const conjugate = own.length === priors.length * site.size && knownPriors(site).length > 0
  const concentrations = priors.map(
    (one) => Dirichlet.of.parametersOf(one)?.concentration ?? matchedConcentration(one),
  )
  if (!conjugate && !isClosed(site))
    throw new CompileError({
      message: `the prior of the site "${site.name}" has no crossEntropy, and a Dirichlet factor has no draws to estimate its divergence from; give the prior a crossEntropy from E[log w], or the site another factor`,
    })
  const concentration = <T>(A: Algebra<T>, log: T) => ({ concentration: A.unary.exp(log) })
  return {
    name: "Dirichlet(log concentration)",
    support: "simplex",
    parameters: [
      {
        name: "logConcentration",
        shape,
        initialise: scattered(concentrations.flat().map(Real.log), elements * site.size, 0),
      },
    ],
    noise: [],
    moments: (A, [log]) => {
      const q = concentration(A, log!)
      return { mean: meanOf(A, q.concentration), log: Dirichlet.expectedLog(A)(q) }
    },
    divergence: (A, constant, [log], parent, draws) => {
      const q = concentration(A, log!)
      if (!conjugate) {
        const moments = { mean: meanOf(A, q.concentration), log: Dirichlet.expectedLog(A)(q) }
        return divergence(site, { A, constant, parent, draws }, { moments, entropy: Dirichlet.entropy(A)(q) })
      }
      const prior = constant(
        concentrations.flat(),
        concentrations.length === 1 ? [site.size] : [concentrations.length, site.size],
      )
      return A.sumAll(Dirichlet.kl(A)(q, { concentration: prior }))
    },
    ...byElement(([log]) =>
      Array.from({ length: elements }, (_, i) =>
        Dirichlet.of({
          concentration: Array.from({ length: site.size }, (__, k) => Real.exp(log![i * site.size + k]!)),
        }),
      ),
    ),
    // Only under a conjugate prior: given a draw the weights are Dir(prior + counts). The nearest q has the E[log w] of
    // their mixture.
    ...(conjugate &&
      ({
        project: ([log], draws, rate) => {
          const out = new Float64Array(elements * site.size)
          for (let i = 0; i < elements; i++) {
            const from = i * site.size
            const before = Float64Array.from({ length: site.size }, (_, k) => Real.exp(log![from + k]!))
            const prior = concentrations[i % concentrations.length]!
            out.set(moved(before, prior, draws, { index: i, elements }, rate).map(Real.log), from)
          }
          return [out]
        },
      } satisfies Pick<Factor<"simplex">, "project">)),
  }
}

const meanOf = <T>(A: Algebra<T>, concentration: T): T =>
  A.binary.div(concentration, A.expandLast(A.sumLast(concentration)))

/** The concentrations with the means of a distribution, and on average its variances. */
const matchedConcentration = (dist: Dist<"simplex">): ReadonlyArray<number> => {
  const mean = dist.mean()
  const variance = dist.variance()
  const unscaled = mean.reduce((sum, m) => sum + m * (1 - m), 0)
  const total = unscaled / variance.reduce((sum, v) => sum + v, 0) - 1
  return mean.map((m) => m * (total > 0 && total < Infinity ? total : mean.length))
}
