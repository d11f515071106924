import * as Cholesky from "../../scalar/cholesky.ts"
import { constant, type Hyper } from "../../scalar/evidence.ts"
import { gramIndex } from "./Blocks.ts"
import type { SoftForest } from "./SoftForest.ts"

/** An error of the log evidence, in nats, that a gradient step does not notice beside the rounding of its columns. */
const tolerable = 1e-4

/**
 * The collapsed evidence of the samples of a forest from its moments, allocating nothing: the same numbers as
 * `scalar/evidence`'s `soft`. b_n comes from the moments, and from the residuals in another pass over the rows
 * where the moments cancel (a near exact fit).
 *
 * @returns a function that writes log p(y | T_s) of each sample, [S], and what the forest's `adjoint` needs
 */
export const make = (
  hyper: Hyper,
  y: Float64Array,
  forest: SoftForest,
): ((evidence: Float64Array) => void) => {
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
  const u = new Float64Array(samples * size)
  const m = new Float64Array(size)
  const inverses = new Float64Array(samples * size * size)
  const inverse = new Float64Array(size * size)
  const column = new Float64Array(size)
  const loss = new Float64Array(samples)
  const logDeterminant = new Float64Array(samples)
  const cholesky = Cholesky.make(size)

  /** Solves a sample's normal equations. @returns whether its loss may have cancelled */
  const solve = (s: number): boolean => {
    const { sums, coefficients } = forest
    const at = s * kernel.momentCount
    const moment = (i: number): number => sums[2 * (at + i)]! + sums[2 * (at + i) + 1]!
    a[0] = n
    c[0] = sum
    for (let k = 0; k < K; k++) {
      a[(k + 1) * size] = a[k + 1] = moment(k)
      for (let j = 0; j <= k; j++)
        a[(k + 1) * size + j + 1] = a[(j + 1) * size + k + 1] = moment(gramIndex(K, j, k))
      c[k + 1] = moment(kernel.momentCount - K + k)
    }
    // In u = beta - mu0: e = y - T mu0, e'e and T'e from the moments.
    let total = square
    for (let j = 0; j < size; j++) total -= 2 * hyper.mu0[j]! * c[j]!
    for (let j = 0; j < size; j++)
      for (let k = 0; k < size; k++) total += hyper.mu0[j]! * hyper.mu0[k]! * a[j * size + k]!
    for (let j = 0; j < size; j++) for (let k = 0; k < size; k++) c[j]! -= a[j * size + k]! * hyper.mu0[k]!
    for (let k = 0; k < size; k++) a[k * size + k]! += precision[k]!
    logDeterminant[s] = Cholesky.decompose(a, cholesky)
    Cholesky.solve(cholesky, c, m)
    let explained = 0
    let weight = 0
    for (let k = 0; k < size; k++) {
      explained += c[k]! * m[k]!
      weight += Math.abs(m[k]! / cholesky.scale[k]!)
      u[s * size + k] = m[k]!
      coefficients[s * kernel.coefficientCount + k] = m[k]! + hyper.mu0[k]!
    }
    loss[s] = Math.max(0, total - explained)
    Cholesky.invert(cholesky, inverse, column)
    inverses.set(inverse, s * size * size)
    const scale = hyper.b0 + 0.5 * loss[s]
    const error = (Number.EPSILON * Math.sqrt(n) * shape * (square + weight ** 2)) / scale
    return error > tolerable
  }

  return (evidence) => {
    forest.moments()
    let cancelled = false
    for (let s = 0; s < samples; s++) if (solve(s)) cancelled = true
    if (cancelled) {
      forest.residuals()
      const { squares } = forest
      for (let s = 0; s < samples; s++) {
        loss[s] = squares[2 * s]! + squares[2 * s + 1]!
        for (let k = 0; k < size; k++) loss[s]! += precision[k]! * u[s * size + k]! ** 2
      }
    }
    const { coefficients } = forest
    for (let s = 0; s < samples; s++) {
      const scale = hyper.b0 + 0.5 * loss[s]!
      evidence[s] = base - 0.5 * logDeterminant[s]! - shape * Math.log(scale)
      const at = s * kernel.coefficientCount
      for (let k = 1; k < size; k++) {
        const to = at + size + (k - 1) * (size + 1)
        coefficients[to] = (shape / scale) * coefficients[at + k]!
        for (let j = 0; j < size; j++) coefficients[to + 1 + j] = inverses[s * size * size + j * size + k]!
      }
    }
  }
}
