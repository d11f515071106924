import * as Cholesky from "../../../numeric/cholesky.ts"
import * as Real from "../../../numeric/Real.ts"
import { constant, type Hyper } from "../../../evidence/conjugate.ts"
import { gramIndex } from "./Blocks.ts"
import type { SoftForest } from "./SoftForest.ts"

/** An error of the log evidence, in nats, that a gradient step does not notice. */
const tolerable = 1e-4

/**
 * The collapsed evidence of the samples of a forest from its moments, allocating nothing: the same numbers as those of
 * `conjugate.posterior`. b_n comes from the moments, and from the residuals in another pass over the rows
 * where the moments cancel (a near exact fit).
 *
 * @returns a function that writes log p(y | T_s) of each sample, [S], and, on request, its derivatives by the weights
 *   into the forest's `gradients`. The backward pass of a sample follows its forward pass, while its tape is in the
 *   cache.
 */
export const make = (
  hyper: Hyper,
  y: Float64Array,
  forest: SoftForest,
): ((evidence: Float64Array, gradients: boolean) => void) => {
  const { samples, kernel } = forest
  const K = forest.shape.trees
  const size = K + 1
  const n = y.length
  const shape = hyper.a0 + n / 2
  const base = constant(hyper, n)
  const precision = Float64Array.from(hyper.sigma0, (variance) => 1 / variance)
  const sum = y.reduce((total, value) => total + value, 0)
  const square = y.reduce((total, value) => total + value * value, 0)
  const a = new Float64Array(size * size)
  const c = new Float64Array(size)
  const m = new Float64Array(size)
  const inverse = new Float64Array(size * size)
  const column = new Float64Array(size)
  const cholesky = Cholesky.make(size)
  // The rounding error of sums over blocks of sums within blocks.
  const rounding = Number.EPSILON * (Math.sqrt(kernel.block) + Math.sqrt(n / kernel.block))

  /** The normal equations of a sample in u = beta - mu0 into `a` and `c`. @returns e'e, where e = y - T mu0 */
  const equations = (): number => {
    const { sums } = forest
    const moment = (i: number): number => sums[2 * i]! + sums[2 * i + 1]!
    a[0] = n
    c[0] = sum
    for (let k = 0; k < K; k++) {
      a[(k + 1) * size] = a[k + 1] = moment(k)
      for (let j = 0; j <= k; j++)
        a[(k + 1) * size + j + 1] = a[(j + 1) * size + k + 1] = moment(gramIndex(K, j, k))
      c[k + 1] = moment(kernel.momentCount - K + k)
    }
    let total = square
    for (let j = 0; j < size; j++) total -= 2 * hyper.mu0[j]! * c[j]!
    for (let j = 0; j < size; j++)
      for (let k = 0; k < size; k++) total += hyper.mu0[j]! * hyper.mu0[k]! * a[j * size + k]!
    for (let j = 0; j < size; j++) for (let k = 0; k < size; k++) c[j]! -= a[j * size + k]! * hyper.mu0[k]!
    for (let k = 0; k < size; k++) a[k * size + k]! += precision[k]!
    return total
  }

  /** |y - T mu|^2 + u' Sigma0^-1 u, after `residuals`. */
  const measured = (sample: number): number => {
    forest.residuals(sample)
    const { squares } = forest
    let loss = squares[0]! + squares[1]!
    for (let k = 0; k < size; k++) loss += precision[k]! * m[k]! ** 2
    return loss
  }

  /** The coefficients from which the kernel makes (a_n / b_n) mu_k (y - T mu) - T A^-1 e_k. */
  const combine = (ratio: number): void => {
    const { coefficients } = forest
    Cholesky.invert(cholesky, inverse, column)
    for (let k = 1; k < size; k++) {
      const to = size + (k - 1) * (size + 1)
      coefficients[to] = ratio * coefficients[k]!
      coefficients[to + 1] = -inverse[k]!
      for (let j = 1; j < size; j++) coefficients[to + 1 + j] = inverse[j * size + k]!
    }
  }

  return (evidence, gradients) => {
    for (let s = 0; s < samples; s++) {
      forest.moments(s, gradients)
      const total = equations()
      const logDeterminant = Cholesky.decompose(a, cholesky)
      Cholesky.solve(cholesky, c, m)
      const { coefficients } = forest
      let explained = 0
      let weight = 0
      for (let k = 0; k < size; k++) {
        explained += c[k]! * m[k]!
        weight += Math.abs(m[k]! / cholesky.scale[k]!)
        coefficients[k] = m[k]! + hyper.mu0[k]!
      }
      let loss = Math.max(0, total - explained)
      const slope = shape / (hyper.b0 + 0.5 * loss)
      const error = rounding * slope * (square + weight ** 2)
      // The error from rounding the columns: half a unit in each of n independent elements.
      const columns = 2 ** -24 * Math.sqrt(slope) * weight
      if (error > tolerable + columns / 4) loss = measured(s)
      const scale = hyper.b0 + 0.5 * loss
      evidence[s] = base - 0.5 * logDeterminant - shape * Real.log(scale)
      if (!gradients) continue
      combine(shape / scale)
      forest.adjoint(s, true)
    }
  }
}
