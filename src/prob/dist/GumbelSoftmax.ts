import type { Algebra } from "../../numeric/Algebra.ts"
import { lgamma } from "../../numeric/Special.ts"

/**
 * The Gumbel-Softmax (Concrete) relaxation of Cat(softmax(logits)): a continuous variable on the simplex that tends
 * to the one-hot draw as `temperature` goes to 0 (Maddison, Mnih, Teh: The Concrete distribution, ICLR 2017; Jang,
 * Gu, Poole, ICLR 2017).
 */
export interface Parameters<T> {
  /** Unnormalised log weights, `[..., m]`. */
  readonly logits: T
  /** tau > 0; must broadcast with `[..., m]`: a scalar, or with a trailing axis of length 1. */
  readonly temperature: T
}

/** softmax((logits + noise) / tau), from standard Gumbel noise (`Rng.gumbel`): `[..., m]`. */
export const drawFromNoise =
  <T>(A: Algebra<T>) =>
  (noise: T, p: Parameters<T>): T =>
    A.softmaxLast(A.binary.div(A.binary.add(p.logits, noise), p.temperature))

/** The logarithm of the same draw, without underflow. */
export const logDrawFromNoise =
  <T>(A: Algebra<T>) =>
  (noise: T, p: Parameters<T>): T =>
    A.logSoftmaxLast(A.binary.div(A.binary.add(p.logits, noise), p.temperature))

/** Gumbel noise -log(-log u) from uniforms strictly inside (0, 1). */
export const noiseFromUniform =
  <T>(A: Algebra<T>) =>
  (u: T): T =>
    A.unary.neg(A.unary.log(A.unary.neg(A.unary.log(u))))

/** The relaxed draw from uniforms: `[..., m]`. */
export const draw =
  <T>(A: Algebra<T>) =>
  (u: T, p: Parameters<T>): T =>
    drawFromNoise(A)(noiseFromUniform(A)(u), p)

/**
 * The density of the logarithm of a draw (ExpConcrete), `logX` `[..., m]` with sum_k exp(logX_k) = 1, to `[...]`:
 *
 * log (m - 1)! + (m - 1) log tau + sum_k log softmax(logits - tau logX)_k.
 *
 * The log softmax is the paper's sum_k (log alpha_k - tau y_k) - m log sum_k alpha_k exp(-tau y_k). `size` is m.
 */
export const logDensityLog =
  <T>(A: Algebra<T>, size: number) =>
  (logX: T, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const inner = A.sumLast(
      add(
        A.logSoftmaxLast(sub(p.logits, mul(p.temperature, logX))),
        // Inside of the sum, because the temperature may have an event axis of length 1, and the sum drops it.
        mul(A.literal((size - 1) / size), A.unary.log(p.temperature)),
      ),
    )
    return add(inner, A.literal(lgamma(size)))
  }

/** The density on the simplex with respect to dx_1 ... dx_(m-1): that of log x, less sum_k log x_k. */
export const logDensity =
  <T>(A: Algebra<T>, size: number) =>
  (x: T, p: Parameters<T>): T => {
    const logX = A.unary.log(x)
    return A.binary.sub(logDensityLog(A, size)(logX, p), A.sumLast(logX))
  }
