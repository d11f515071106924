import * as Real from "./Real.ts"
import { line, type Substitution } from "./substitution.ts"

/**
 * Integrals over the whole line by the trapezoidal rule, which converges faster than any power of its step where the
 * integrand is analytic. If it is analytic in the strip |Im t| < d, the error is below 2 M / (exp(2 pi d / step) - 1),
 * where M bounds its integrals along the lines of the strip (Trefethen and Weideman 2014, theorem 5.1).
 */
export interface Rule {
  readonly step: number
  /** The sum ends on either side where the integrand has fallen by this many nats below its largest value. */
  readonly negligible: number
}

/** The integral of e^height, and means under it. */
export interface Integral {
  /** natural logarithm of the integral */
  readonly log: number
  /** integral of e^height f / integral of e^height for each f, in order */
  readonly means: ReadonlyArray<number>
}

/**
 * Integrates e^height over the line, outward from `start`, which must lie on the integrand's hill. Hills beyond a
 * valley `negligible` nats deep are not found.
 *
 * @param height natural logarithm of the integrand
 * @param functions f of the means, in order
 */
export const integrate = (
  height: (t: number) => number,
  start: number,
  { step, negligible }: Rule,
  functions: ReadonlyArray<(t: number) => number>,
): Integral => {
  let most = height(start)
  let sum = 1
  const sums = Float64Array.from(functions, (f) => f(start))
  for (const direction of [-1, 1])
    for (let k = 1; ; k++) {
      const t = start + direction * k * step
      const log = height(t)
      if (!(log > most - negligible)) break
      if (log > most) {
        const shrink = Real.exp(most - log)
        sum *= shrink
        for (let j = 0; j < sums.length; j++) sums[j]! *= shrink
        most = log
      }
      const weight = Real.exp(log - most)
      sum += weight
      for (let j = 0; j < sums.length; j++) sums[j]! += weight * functions[j]!(t)
    }
  return { log: most + Real.log(sum * step), means: Array.from(sums, (one) => one / sum) }
}

/** Points and weights of integrals over the range of a substitution. */
export interface Nodes {
  readonly points: Float64Array
  /** natural logarithms of the weights, as long as the points */
  readonly logWeights: Float64Array
}

/**
 * The trapezoidal rule in the variable t of a substitution: the integral of f is sum_i exp(logWeights_i) f(points_i), with
 * t_i = (i - count) step. The double exponential rule is this rule under `Substitution.doubleExponential`.
 *
 * *When to use*: where the place of the integrand's hill is not known, or several integrals share their points. `integrate`
 * follows one hill.
 *
 * @param count points on either side of t = 0; the integrand beyond them must be negligible
 */
export const nodes = ({ x, logSlope }: Substitution, step: number, count: number): Nodes => {
  const t = Float64Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * step)
  const logStep = Real.log(step)
  return { points: t.map(x), logWeights: t.map((one) => logStep + logSlope(one)) }
}

/**
 * Nodes and weights of expectations over a standard normal number: E[f(z)] = sum_i weight_i f(z_i), by the trapezoidal rule.
 *
 * @param step 0.4 is exact to 1e-8 for functions that vary over scales above 1/2
 * @param count nodes on either side of 0
 */
export const standardNormal = (
  step: number,
  count: number,
): ReadonlyArray<{ readonly node: number; readonly weight: number }> =>
  Array.from(nodes(line(0, 1), step, count).points, (node) => ({
    node,
    weight: (step * Real.exp(-0.5 * node * node)) / Math.sqrt(2 * Math.PI),
  }))
