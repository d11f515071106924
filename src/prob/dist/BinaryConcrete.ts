import type { Algebra } from "../../numeric/Algebra.ts"

/**
 * The Binary-Concrete relaxation of Ber(sigmoid(logits)): a continuous variable on (0, 1) that tends to the coin as
 * `temperature` goes to 0 (Maddison, Mnih, Teh: The Concrete distribution, ICLR 2017, appendix B).
 *
 * A draw is kept as its own logit y, sigmoid(y) being the relaxed 0 or 1: near 0 and 1 the latter rounds, y does not.
 */
export interface Parameters<T> {
  /** log(p / (1 - p)) of the coin; any shape. */
  readonly logits: T
  /** tau > 0; broadcasts with the logits. */
  readonly temperature: T
}

/** (logits + noise) / tau, from standard logistic noise (`Rng.logistic`). */
export const drawLogit =
  <T>(A: Algebra<T>) =>
  (noise: T, p: Parameters<T>): T =>
    A.binary.div(A.binary.add(p.logits, noise), p.temperature)

/** Logistic noise log u - log(1 - u) from uniforms strictly inside (0, 1). */
export const noiseFromUniform =
  <T>(A: Algebra<T>) =>
  (u: T): T =>
    A.binary.sub(A.unary.log(u), A.unary.log(A.binary.sub(A.literal(1), u)))

/** The relaxed draw sigmoid((logits + log u - log(1 - u)) / tau), from uniforms. */
export const draw =
  <T>(A: Algebra<T>) =>
  (u: T, p: Parameters<T>): T =>
    A.sigmoid(drawLogit(A)(noiseFromUniform(A)(u), p))

/** log tau + v - 2 log(1 + e^v), v = logits - tau y: the density of the logit y with respect to dy. */
export const logDensityLogit =
  <T>(A: Algebra<T>) =>
  (y: T, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const v = sub(p.logits, mul(p.temperature, y))
    return add(A.unary.log(p.temperature), sub(v, mul(A.literal(2), A.softplus(v))))
  }

/** The density of the relaxed draw x in (0, 1) with respect to dx: that of y = logit(x), less log x (1 - x). */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, sub } = A.binary
    const logX = A.unary.log(x)
    const logRest = A.unary.log(sub(A.literal(1), x))
    return sub(logDensityLogit(A)(sub(logX, logRest), p), add(logX, logRest))
  }
