import type { Algebra } from "../../numeric/Algebra.ts"
import { evaluate, make } from "./Definition.ts"
import { unit } from "./DistError.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly probability: T
}

/** x log p + (1 - x) log(1 - p). For x strictly between 0 and 1 this is the expectation over Ber(x). */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const one = A.literal(1)
    return add(mul(x, A.unary.log(p.probability)), mul(sub(one, x), A.unary.log(sub(one, p.probability))))
  }

/** x l - log(1 + e^l), the log density with the logit l = log p - log(1 - p) as parameter. */
export const logDensityLogits =
  <T>(A: Algebra<T>) =>
  (x: T, logits: T): T =>
    A.binary.sub(A.binary.mul(x, logits), A.softplus(logits))

/** log p - log(1 - p). */
export const logit =
  <T>(A: Algebra<T>) =>
  (probability: T): T =>
    A.binary.sub(A.unary.log(probability), A.unary.log(A.binary.sub(A.literal(1), probability)))

/** -E_q[log p(X)], q given by probabilities: `crossEntropy(q, q)` is the entropy. */
export const crossEntropy =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    A.unary.neg(logDensity(A)(q.probability, p))

/** -E_q[log p(X)] from the logits of both. */
export const crossEntropyLogits =
  <T>(A: Algebra<T>) =>
  (qLogits: T, pLogits: T): T =>
    A.unary.neg(logDensityLogits(A)(A.sigmoid(qLogits), pLogits))

/** -p log p - (1 - p) log(1 - p). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    crossEntropy(A)(p, p)

/** The entropy from the logit. */
export const entropyLogits =
  <T>(A: Algebra<T>) =>
  (logits: T): T =>
    crossEntropyLogits(A)(logits, logits)

/**
 * KL[Ber(sigmoid l) || Ber(sigmoid m)] = sigmoid(l) (l - m) - softplus(l) + softplus(m), paper Eq. kl-bernoulli-step1.
 *
 * The divergence does not change when both logits change sign. They are reflected so that l <= 0, where the three
 * terms are as small as the result: no cancellation in float32 for confident factors (|l| of 10 and more), and
 * exactly 0 for l = m. The sign is never 0, because at l = 0 - where training starts - the gradient must pass.
 */
export const klLogits =
  <T>(A: Algebra<T>) =>
  (qLogits: T, pLogits: T): T => {
    const { add, mul, sub } = A.binary
    const flip = A.unary.neg(A.unary.sign(add(A.unary.sign(qLogits), A.literal(0.5))))
    const l = mul(flip, qLogits)
    const m = mul(flip, pLogits)
    return add(mul(A.sigmoid(l), sub(l, m)), sub(A.softplus(m), A.softplus(l)))
  }

/** p log(p / p') + (1 - p) log((1 - p) / (1 - p')), from probabilities. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    klLogits(A)(logit(A)(q.probability), logit(A)(p.probability))

type Known = { readonly probability: number }

/** Ber(p) on {0, 1}: P(X = 1) = `probability`, in (0, 1). Paper Eq. bernoulli-pmf. */
export const of = make<"binary", Known>({
  name: "Bernoulli",
  support: "binary",
  parameters: { probability: unit },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ probability }, source) => (source.next() < probability ? 1 : 0),
  mean: ({ probability }) => probability,
  variance: ({ probability }) => probability * (1 - probability),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const { add, mul, sub } = A.binary
    const { log, log1m } = p.moments("probability")
    if (log === undefined || log1m === undefined) return undefined
    return A.unary.neg(add(mul(q.mean, log), mul(sub(A.literal(1), q.mean), log1m)))
  },
  kl: (A, q, p) => kl(A)(q, p),
})
