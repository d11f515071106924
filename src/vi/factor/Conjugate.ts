import type { Dist } from "../../prob/dist/Distribution.ts"
import type { Factor, WeightedDraws } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import * as Special from "../../numeric/Special.ts"
import { fill } from "./Initial.ts"

/** The members of a factor that follow from the distribution of each element at given parameters. */
export const byElement = (
  of: (parameters: ReadonlyArray<ArrayLike<number>>) => ReadonlyArray<Dist>,
): Required<Pick<Factor, "sample" | "logDensity">> => ({
  sample: (key, parameters, count) => {
    const generator = Rng.generator(key)
    const dists = of(parameters)
    const { size } = dists[0]!
    const out = new Float64Array(count * dists.length * size)
    for (let i = 0; i < count * dists.length; i++) dists[i % dists.length]!.draw(generator, out, i * size)
    return out
  },
  logDensity: (parameters, values) => {
    const dists = of(parameters)
    const { size } = dists[0]!
    return fill(values.length / (dists.length * size), (draw) =>
      dists.reduce((sum, { logDensity }, i) => {
        const from = (draw * dists.length + i) * size
        const value = Array.from({ length: size }, (_, k) => values[from + k]!)
        return value.some(Number.isNaN) ? sum : sum + logDensity(value)
      }, 0),
    )
  },
})

/** E[log w_k] = digamma(c_k) - digamma(sum c) under Dir(c). */
const expectedLog = (concentration: ArrayLike<number>): Float64Array => {
  const each = Float64Array.from(concentration)
  const total = Special.digamma(each.reduce((sum, c) => sum + c, 0))
  return each.map((c) => Special.digamma(c) - total)
}

/**
 * The concentrations of the Dirichlet distribution with the given E[log w], which must be those of a distribution of
 * positive weights. It minimises KL(p || Dir(c)) for every p with this E[log w]. Newton's method on the concave f(c) =
 * log Gamma(sum c) + sum_k (c_k E[log w_k] - log Gamma(c_k)), whose Hessian is diagonal but for one rank (Minka 2000,
 * Estimating a Dirichlet distribution).
 *
 * @param start initial concentrations, > 0
 */
export const matched = (expected: Float64Array, start: Float64Array): Float64Array => {
  const value = (c: Float64Array): number =>
    c.reduce((sum, own, k) => sum + own * expected[k]! - Special.lgamma(own), Special.lgamma(total(c)))
  // One weight is always 1.
  if (start.length === 1) return start
  let c = start
  let reached = value(c)
  for (let iteration = 0; iteration < 200; iteration++) {
    const common = Special.digamma(total(c))
    const gradient = c.map((own, k) => common - Special.digamma(own) + expected[k]!)
    const diagonal = c.map((own) => -Special.trigamma(own))
    const inverse = total(diagonal.map((d) => 1 / d))
    const shift = total(gradient.map((g, k) => g / diagonal[k]!)) / (1 / Special.trigamma(total(c)) + inverse)
    const step = gradient.map((g, k) => -(g - shift) / diagonal[k]!)
    // The step is halved until the concentrations are positive and f does not fall by more than rounding.
    let share = 1
    let next = c.map((own, k) => own + step[k]!)
    let found = next.every((own) => own > 0) ? value(next) : -Infinity
    while (!(found >= reached - 1e-12 * (1 + Math.abs(reached))) && share > 1e-9) {
      share /= 2
      next = c.map((own, k) => own + share * step[k]!)
      found = next.every((own) => own > 0) ? value(next) : -Infinity
    }
    const change = Math.max(...next.map((own, k) => Math.abs(own / c[k]! - 1)))
    c = next
    reached = found
    if (change < 1e-11) break
  }
  return c
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/**
 * The Dirichlet distribution nearest to (1 - rate) Dir(before) + rate sum_i weight_i Dir(prior + counts_i): the one
 * with the same E[log w].
 *
 * @param draws counts, `[count, elements, m]`
 * @param at the index of the element, and the number of elements
 */
export const moved = (
  before: Float64Array,
  prior: ReadonlyArray<number>,
  { values, weights }: WeightedDraws,
  at: { readonly index: number; readonly elements: number },
  rate: number,
): Float64Array => {
  const m = prior.length
  const expected = expectedLog(before).map((log) => (1 - rate) * log)
  const mean = before.map((c) => (1 - rate) * c)
  for (let draw = 0; draw < weights.length; draw++) {
    const weight = rate * weights[draw]!
    if (weight === 0) continue
    const from = (draw * at.elements + at.index) * m
    const concentration = prior.map((own, k) => own + values[from + k]!)
    expectedLog(concentration).forEach((log, k) => (expected[k]! += weight * log))
    concentration.forEach((c, k) => (mean[k]! += weight * c))
  }
  return matched(expected, mean)
}
