import type { Algebra } from "../../numeric/Algebra.ts"
import * as Dirichlet from "../../prob/dist/Dirichlet.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import { fill, scattered } from "./Initial.ts"
import { moved } from "./Conjugate.ts"

/**
 * q(w) = Dir(exp(c)) with m log concentrations c (Eq. mean-field-variational-family). Starts at the prior. It has no
 * reparameterised draw: priors that take their weights from it need only E[log w].
 */
export const dirichlet = (site: FactorSite<"simplex">): Factor<"simplex"> => {
  const shape = [...site.shape, site.size]
  const elements = product(site.shape)
  const concentrations = priorConcentrations(site)
  const concentration = <T>(A: Algebra<T>, log: T) => ({ concentration: A.unary.exp(log) })
  return {
    name: "Dirichlet(log concentration)",
    support: "simplex",
    parameters: [
      {
        name: "logConcentration",
        shape,
        initialise: scattered(concentrations.flat().map(Math.log), elements * site.size, 0),
      },
    ],
    noise: [],
    moments: (A, [log]) => {
      const q = concentration(A, log!)
      const total = A.expandLast(A.sumLast(q.concentration))
      return { mean: A.binary.div(q.concentration, total), log: Dirichlet.expectedLog(A)(q) }
    },
    divergence: (A, constant, [log]) => {
      const prior = constant(
        concentrations.flat(),
        concentrations.length === 1 ? [site.size] : [concentrations.length, site.size],
      )
      return A.sumAll(Dirichlet.kl(A)(concentration(A, log!), { concentration: prior }))
    },
    sample: (key, [log], count) => {
      const generator = Rng.generator(key)
      const draws = Array.from({ length: elements }, (_, i) =>
        Dirichlet.operations(
          Dirichlet.make(Array.from({ length: site.size }, (__, k) => Math.exp(log![i * site.size + k]!))),
        ),
      )
      const out = new Float64Array(count * elements * site.size)
      for (let i = 0; i < count * elements; i++) draws[i % elements]!.draw(generator, out, i * site.size)
      return out
    },
    logDensity: ([log], values) => {
      const { size } = site
      const densities = Array.from({ length: elements }, (_, i) =>
        Dirichlet.operations(
          Dirichlet.make(Array.from({ length: size }, (__, k) => Math.exp(log![i * size + k]!))),
        ),
      )
      return fill(values.length / (elements * size), (draw) =>
        densities.reduce((sum, { logDensity }, i) => {
          const from = (draw * elements + i) * size
          const value = Array.from({ length: size }, (_, k) => values[from + k]!)
          return value.some(Number.isNaN) ? sum : sum + logDensity(value)
        }, 0),
      )
    },
    // Given a draw the weights are Dir(prior + counts). Their mixture has its E[log w] in common with the nearest q.
    project: ([log], draws, rate) => {
      const out = new Float64Array(elements * site.size)
      for (let i = 0; i < elements; i++) {
        const from = i * site.size
        const before = Float64Array.from({ length: site.size }, (_, k) => Math.exp(log![from + k]!))
        const prior = concentrations[i % concentrations.length]!
        out.set(moved(before, prior, draws, { index: i, elements }, rate).map(Math.log), from)
      }
      return [out]
    },
  }
}

const priorConcentrations = ({ prior }: FactorSite<"simplex">): ReadonlyArray<ReadonlyArray<number>> =>
  prior._tag === "Each" ? prior.dists.map(({ concentration }) => concentration) : [prior.dist.concentration]
