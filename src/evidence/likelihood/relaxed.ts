import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import * as Cholesky from "../../numeric/cholesky.ts"
import { dot } from "../../numeric/orthogonal.ts"
import * as Real from "../../numeric/Real.ts"
import type { Relaxed } from "../../prob/Observation.ts"
import type { Bound } from "./bound.ts"
import { evidenceNode } from "./evidenceNode.ts"
import * as Laplace from "./Laplace.ts"

/**
 * Added to the prior precision of each coefficient, as a fraction of its column's square, so that the evidence is smooth
 * at collinear columns.
 */
const ridge = 1e-6

/** The least pivot of the prior precision: far below the ridge, which bounds the pivots of all but cancelling columns. */
const leastPivot = 1e-14

/** The step of central differences of second derivatives: in standard deviations of eta, and in free coordinates. */
const step = 1e-3

/**
 * The evidence node of a density: Laplace's approximation at g = n, and its derivative by every element of the design. With
 * x = (alpha, beta, tau) at the mode, L the log joint density, H = - L'' and P the prior precision of beta times g,
 *
 *     F = L + log |P| / 2 - log |H| / 2,   dF = (d_T L) + (d_T log |P|) / 2 - tr(H^-1 d_T H) / 2 + r' d_T L',
 *     r = H^-1 d_x (- log |H| / 2)
 *
 * where the last term is there because the mode moves with the design. All arithmetic is in float64.
 */
export const make = (
  bound: (data: Dataset) => Effect.Effect<Bound, CompileError>,
  trees: number,
): Relaxed => ({
  conjugate: undefined,
  bind: (data, samples) =>
    Effect.map(bound(data), (problem) =>
      evidenceNode({ trees, rows: data.rows, samples }, (columns, out) => {
        const found = evidenceOf(problem, columns)
        const gradients = found && out && gradientOf(problem, columns, found)
        out?.forEach((column, k) =>
          gradients === undefined ? column.fill(Number.NaN) : column.set(gradients[k]!),
        )
        return found?.mode.logIntegral ?? Number.NaN
      }),
    ),
})

interface Found {
  readonly mode: Laplace.Mode
  /** columns minus their weighted means */
  readonly centred: ReadonlyArray<Float64Array>
  /** P, K x K */
  readonly precision: Float64Array
  readonly beta: Float64Array
}

const evidenceOf = ({ rows, prior }: Bound, columns: ReadonlyArray<Float64Array>): Found | undefined => {
  const { weights, alpha, tau } = prior.nothing
  const K = columns.length
  if (!columns.every((column) => column.every(Number.isFinite))) return undefined
  const mass = weights.reduce((sum, weight) => sum + weight, 0)
  const centred = columns.map((column) => {
    const mean = dot(column, weights) / mass
    return column.map((value) => value - mean)
  })
  const precision = new Float64Array(K * K)
  centred.forEach((column, j) => {
    const weighted = column.map((value, i) => value * weights[i]!)
    for (let k = 0; k <= j; k++) precision[j * K + k] = precision[k * K + j] = dot(weighted, centred[k]!)
    // A column of zeros has no unit; its precision cancels between prior and posterior.
    precision[j * K + j]! +=
      ridge * columns[j]!.reduce((sum, value, i) => sum + weights[i]! * value * value, 0) + 1e-300
  })
  // u = Tc L^-T with P = L L', so that theta = L' beta has the prior N(0, g I).
  const cholesky = Cholesky.make(K)
  Cholesky.decompose(precision, cholesky, leastPivot)
  const l = Cholesky.lower(cholesky)
  const basis: Array<Float64Array> = []
  centred.forEach((column, k) => {
    const u = column.slice()
    for (let j = 0; j < k; j++) {
      const by = l[k * K + j]!
      for (let i = 0; i < u.length; i++) u[i]! -= by * basis[j]![i]!
    }
    basis.push(u.map((value) => value / l[k * K + k]!))
  })
  const start = Float64Array.of(alpha, ...centred.map(() => 0), ...tau)
  const mode = Laplace.atG(rows, prior, basis, rows.rows, start)
  if (mode === undefined) return undefined
  const beta = mode.x.slice(1, K + 1)
  for (let i = K - 1; i >= 0; i--) {
    for (let k = i + 1; k < K; k++) beta[i]! -= l[k * K + i]! * beta[k]!
    beta[i]! /= l[i * K + i]!
  }
  return { mode, centred, precision, beta }
}

/** dF / dT, K columns of length n. */
const gradientOf = (
  { rows, prior }: Bound,
  columns: ReadonlyArray<Float64Array>,
  { mode, centred, precision, beta }: Found,
): ReadonlyArray<Float64Array> => {
  const { nothing, rounding } = prior
  const { eta, tau, expansion } = mode
  const w0 = nothing.weights
  const [n, K, q] = [rows.rows, columns.length, tau.length]
  const g = n
  const mass = w0.reduce((sum, weight) => sum + weight, 0)
  const design = [new Float64Array(n).fill(1), ...centred]
  const d = K + 1
  const size = d + q
  const { score, curvature: w, cross } = expansion
  const rounded = rounding === undefined ? 0 : rounding.amount * Real.exp(-2 * tau[rounding.index]!)

  const h = new Float64Array(size * size)
  design.forEach((column, j) => {
    const weighted = column.map((value, i) => value * w[i]!)
    for (let k = 0; k <= j; k++) h[j * size + k] = h[k * size + j] = dot(weighted, design[k]!)
    cross.forEach((one, k) => (h[j * size + d + k] = h[(d + k) * size + j] = dot(column, one)))
  })
  h[0]! += mass / n
  for (let j = 0; j < K; j++)
    for (let k = 0; k < K; k++) h[(j + 1) * size + k + 1]! += precision[j * K + k]! / g
  for (let j = 0; j < q; j++)
    for (let k = 0; k < q; k++) h[(d + j) * size + d + k] = expansion.hessian[j * q + k]!
  if (rounding !== undefined) h[(d + rounding.index) * (size + 1)]! += 2 * rounded
  const A = Cholesky.inverse(h)
  const inverseP = Cholesky.inverse(precision)

  /** x_i' A over the coefficients' coordinates: a column of length n for each coordinate */
  const through = Array.from({ length: size }, (_, m) => {
    const out = new Float64Array(n)
    design.forEach((column, j) => {
      const by = A[j * size + m]!
      for (let i = 0; i < n; i++) out[i]! += by * column[i]!
    })
    return out
  })
  const leverage = new Float64Array(n)
  design.forEach((column, j) => {
    for (let i = 0; i < n; i++) leverage[i]! += column[i]! * through[j]![i]!
  })

  // Derivatives of -log |H| / 2 by eta and tau: those of second derivatives are central differences.
  const by = eta.map((_, i) => step / Math.sqrt(Math.max(w[i]!, w0[i]!)))
  const moved = (sign: number) =>
    rows.expand(
      eta.map((value, i) => value + sign * by[i]!),
      tau,
    )
  const [above, below] = [moved(1), moved(-1)]
  const v = eta.map((_, i) => {
    let sum = (above.curvature[i]! - below.curvature[i]!) * leverage[i]!
    for (let j = 0; j < q; j++) sum += 2 * (above.cross[j]![i]! - below.cross[j]![i]!) * through[d + j]![i]!
    return (-0.5 * sum) / (2 * by[i]!)
  })
  const u = tau.map((value, k) => {
    const [more, less] = [
      rows.expand(eta, tau.with(k, value + step)),
      rows.expand(eta, tau.with(k, value - step)),
    ]
    let sum = dot(more.curvature, leverage) - dot(less.curvature, leverage)
    for (let j = 0; j < q; j++) {
      sum += 2 * (dot(more.cross[j]!, through[d + j]!) - dot(less.cross[j]!, through[d + j]!))
      for (let m = 0; m < q; m++)
        sum += (more.hessian[j * q + m]! - less.hessian[j * q + m]!) * A[(d + j) * size + d + m]!
      // d (- l_jk) / d eta_i is the derivative of the cross part by the other coordinate.
      for (let i = 0; i < n; i++)
        v[i]! +=
          ((-0.5 * (more.cross[j]![i]! - less.cross[j]![i]!)) / (2 * step)) * A[(d + j) * size + d + k]!
    }
    const rounds = rounding?.index === k ? 2 * rounded * A[(d + k) * (size + 1)]! : 0
    return (-0.5 * sum) / (2 * step) + rounds
  })
  const right = Float64Array.of(...design.map((column) => dot(column, v)), ...u)
  const r = Float64Array.from({ length: size }, (_, j) => dot(A.subarray(j * size, (j + 1) * size), right))

  const combined = (x: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(n)
    centred.forEach((column, k) => {
      for (let i = 0; i < n; i++) out[i]! += x[k]! * column[i]!
    })
    return out
  }
  const fitted = combined(beta)
  const shift = combined(r.subarray(1, d))
  return columns.map((column, k) => {
    const own = combined(inverseP.subarray(k * K, (k + 1) * K))
    const spread = combined(A.subarray((k + 1) * size + 1, (k + 1) * size + d))
    const b = beta[k]!
    const rk = r[k + 1]!
    const out = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      let crossed = 0
      for (let j = 0; j < q; j++) crossed += cross[j]![i]! * (A[(d + j) * size + k + 1]! + r[d + j]! * b)
      out[i] =
        score[i]! * (b + rk) +
        v[i]! * b -
        w[i]! * (through[k + 1]![i]! + (r[0]! + shift[i]!) * b) -
        crossed +
        w0[i]! * (own[i]! - (fitted[i]! * (b + rk) + shift[i]! * b + spread[i]!) / g)
    }
    const mean = out.reduce((sum, value) => sum + value, 0) / mass
    const onDiagonal =
      0.5 * inverseP[k * (K + 1)]! - (0.5 * b * b + 0.5 * A[(k + 1) * (size + 1)]! + rk * b) / g
    for (let i = 0; i < n; i++) out[i]! += -w0[i]! * mean + onDiagonal * 2 * ridge * w0[i]! * column[i]!
    return out
  })
}
