import type { Algebra } from "../../numeric/Algebra.ts"
import * as Cholesky from "../../numeric/cholesky.ts"
import * as Nd from "../../numeric/Nd.ts"
import { exp } from "../../numeric/Elementary.ts"
import * as Real from "../../numeric/Real.ts"
import { positive, reject, vector } from "./DistError.ts"
import * as InverseGamma from "./InverseGamma.ts"
import type { Dist } from "./Distribution.ts"
import { keepPositive } from "./keepPositive.ts"

const NAME = "NormalInverseGamma"

interface Known {
  readonly mean: ReadonlyArray<number>
  /** The rows of Sigma_0, symmetric and positive definite: the covariance in units of sigma^2. */
  readonly covariance: Matrix
  readonly shape: number
  readonly scale: number
}

/** Parameters as values of an algebra, for d coefficients. */
export interface Parameters<T> extends InverseGamma.Parameters<T> {
  /** `[..., d]` */
  readonly mean: T
  /** The d rows, `[..., d]` each, of the inverse of the Cholesky factor of the covariance: L^-1 (beta - mean) is white. */
  readonly whiten: ReadonlyArray<T>
  /** log |covariance|, `[...]`. */
  readonly logDeterminant: T
}

const LOG_TWO_PI = Real.log(2 * Math.PI)

/**
 * log N_d(beta; mean, sigma^2 covariance) + log IG(sigma^2; shape, scale), paper Eqs. normal-pdf and ig-pdf:
 * `coefficients` `[..., d]` and `variance` `[...]` to `[...]`.
 */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (coefficients: T, variance: T, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const deviation = sub(coefficients, p.mean)
    const sigma = A.unary.sqrt(variance)
    // Divided before it is squared: a heavy-tailed sigma makes deviations whose squares overflow.
    const distance = p.whiten
      .map((row) => A.unary.square(div(A.sumLast(mul(row, deviation)), sigma)))
      .reduce((total, square) => add(total, square), A.literal(0))
    const d = A.literal(p.whiten.length)
    const logScale = add(mul(d, add(A.literal(LOG_TWO_PI), A.unary.log(variance))), p.logDeterminant)
    const normal = mul(A.literal(-0.5), add(logScale, distance))
    return add(normal, InverseGamma.logDensity(A)(variance, p))
  }

/** d / 2 (1 + log 2 pi + E[log sigma^2]) + log |covariance| / 2 + the entropy of IG(shape, scale). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T => {
    const { add, mul } = A.binary
    const perCoefficient = add(A.literal(1 + LOG_TWO_PI), InverseGamma.expectedLog(A)(p))
    const twice = add(mul(A.literal(p.whiten.length), perCoefficient), p.logDeterminant)
    return add(mul(A.literal(0.5), twice), InverseGamma.entropy(A)(p))
  }

type Matrix = ReadonlyArray<ReadonlyArray<number>>

/** The lower triangular L with L L' = `matrix`, or `undefined` when it is not positive definite (or not finite). */
const cholesky = (matrix: Matrix): Matrix | undefined => {
  const size = matrix.length
  const into = Cholesky.make(size)
  if (Cholesky.definite(Float64Array.from(matrix.flat()), into, 0) === undefined) return undefined
  const factor = Cholesky.lower(into)
  return matrix.map((_, i) => [...factor.subarray(i * size, i * size + i + 1)])
}

/** The solution z of L z = b by forward substitution. */
const solveLower = (factor: Matrix, b: ReadonlyArray<number>): ReadonlyArray<number> => {
  const z: Array<number> = []
  for (const [i, row] of factor.entries()) {
    let rest = b[i] ?? 0
    for (let k = 0; k < i; k++) rest -= (row[k] ?? 0) * (z[k] ?? 0)
    z.push(rest / (row[i] ?? Number.NaN))
  }
  return z
}

const factorOf = (dist: Known): Matrix =>
  cholesky(dist.covariance) ?? reject(NAME, "covariance", dist.covariance, "positive definite")

const column = (matrix: Matrix, j: number): ReadonlyArray<number> => matrix.map((row) => row[j] ?? 0)

const sumOfSquares = (values: ReadonlyArray<number>): number => values.reduce((total, v) => total + v * v, 0)

const logDeterminant = (factor: Matrix): number =>
  factor.reduce((total, row, i) => total + 2 * Real.log(row[i] ?? Number.NaN), 0)

const lift = (dist: Known): Parameters<Nd.Nd> => {
  const factor = factorOf(dist)
  const inverseColumns = factor.map((_, j) =>
    solveLower(
      factor,
      factor.map((__, i) => (i === j ? 1 : 0)),
    ),
  )
  return {
    mean: Nd.vector(dist.mean),
    whiten: factor.map((_, i) => Nd.vector(column(inverseColumns, i))),
    logDeterminant: Nd.scalar(logDeterminant(factor)),
    shape: Nd.scalar(dist.shape),
    scale: Nd.scalar(dist.scale),
  }
}

/**
 * E_q[KL of the coefficients given sigma^2] + KL of sigma^2: with S the covariances and m the means, ' of p,
 * (log |S'| / |S| - d + tr(S'^-1 S) + (shape / scale) (m - m')' S'^-1 (m - m')) / 2 + KL[IG || IG'].
 * The dimensions must agree.
 */
const divergence = (q: Known, p: Known): number => {
  const own = factorOf(q)
  const other = factorOf(p)
  // tr(S'^-1 S) is the squared Frobenius norm of L'^-1 L.
  const trace = own.reduce((total, _, j) => total + sumOfSquares(solveLower(other, column(own, j))), 0)
  const shift = q.mean.map((m, i) => m - (p.mean[i] ?? Number.NaN))
  const distance = (q.shape / q.scale) * sumOfSquares(solveLower(other, shift))
  const coefficients = logDeterminant(other) - logDeterminant(own) - q.mean.length + trace + distance
  const variances = Nd.toNumber(
    InverseGamma.kl(Nd.algebra)(
      { shape: Nd.scalar(q.shape), scale: Nd.scalar(q.scale) },
      { shape: Nd.scalar(p.shape), scale: Nd.scalar(p.scale) },
    ),
  )
  return 0.5 * coefficients + variances
}

/** The parameters, if they are allowed. */
const checked = (
  mean: ReadonlyArray<number>,
  covariance: ReadonlyArray<number> | ReadonlyArray<ReadonlyArray<number>>,
  shape: number,
  scale: number,
): Known => {
  const d = mean.length
  const matrix = covariance.map((row, i) =>
    typeof row === "number"
      ? Array.from({ length: covariance.length }, (_, j) => (i === j ? row : 0))
      : [...row],
  )
  const symmetric = matrix.every((row, i) => row.every((value, j) => value === matrix[j]?.[i]))
  if (
    matrix.length !== d ||
    matrix.some((row) => row.length !== d) ||
    !symmetric ||
    cholesky(matrix) === undefined
  ) {
    return reject(
      NAME,
      "covariance",
      covariance,
      `a symmetric positive definite ${d} x ${d} matrix, or its diagonal`,
    )
  }
  return {
    mean: vector(NAME, "mean", mean, "finite numbers", Number.isFinite),
    covariance: matrix,
    shape: positive(NAME, "shape", shape),
    scale: positive(NAME, "scale", scale),
  }
}

/** The parameters of the distributions made here, which have no form over an algebra. */
const parametersOf = new WeakMap<Dist, Known>()

/**
 * NIG(mean, covariance, shape, scale) on R^d x (0, infinity), the conjugate prior of a linear regression, paper
 * Eq. nig-def: beta | sigma^2 ~ N_d(mean, sigma^2 covariance), sigma^2 ~ IG(shape, scale). A draw is the d
 * coefficients followed by sigma^2. In the paper's symbols: mu_0, Sigma_0, a_0, b_0.
 *
 * @param covariance a d x d matrix by rows, or the d elements of a diagonal one
 * @throws DistError naming the parameter
 */
export const of = (
  mean: ReadonlyArray<number>,
  covariance: ReadonlyArray<number> | ReadonlyArray<ReadonlyArray<number>>,
  shape: number,
  scale: number,
): Dist<"coefficients"> => {
  const p = checked(mean, covariance, shape, scale)
  const d = mean.length
  const factor = factorOf(p)
  const lifted = lift(p)
  const variance = InverseGamma.of({ shape, scale })
  const [meanVariance = Number.NaN] = variance.mean()
  const dist: Dist<"coefficients"> = {
    _tag: "Dist",
    name: NAME,
    support: "coefficients",
    parameters: { mean: p.mean, covariance: p.covariance.flat(), shape, scale },
    size: d + 1,
    axis: d + 1,
    logDensity: (x) => {
      const sigma2 = x[d] ?? Number.NaN
      if (!(sigma2 > 0) || !x.every(Number.isFinite)) return -Infinity
      return Nd.toNumber(logDensity(Nd.algebra)(Nd.vector(x.slice(0, d)), Nd.scalar(sigma2), lifted))
    },
    entropy: () => Nd.toNumber(entropy(Nd.algebra)(lifted)),
    kl: (other) => {
      const q = parametersOf.get(other)
      if (q === undefined) return undefined
      return q.mean.length === d
        ? divergence(p, q)
        : reject(NAME, "the dimension of p", q.mean.length + 1, `that of q, ${d + 1}`)
    },
    // The coefficients are Student-t with 2 shape degrees of freedom, with a mean above 1 degree of freedom.
    mean: () => [...p.mean.map((m) => (shape > 0.5 ? m : Number.NaN)), meanVariance],
    variance: () => [...p.covariance.map((row, i) => (row[i] ?? 0) * meanVariance), ...variance.variance()],
    draw: (source, out, offset) => {
      const sigma2 = keepPositive(scale * exp(-source.logGamma(shape)))
      const sigma = Math.sqrt(sigma2)
      const noise = p.mean.map(() => source.normal())
      factor.forEach((row, i) => {
        const white = row.reduce((total, value, k) => total + value * (noise[k] ?? 0), 0)
        out[offset + i] = (p.mean[i] ?? 0) + sigma * white
      })
      out[offset + d] = sigma2
    },
  }
  parametersOf.set(dist, p)
  return dist
}
