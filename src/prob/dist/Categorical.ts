import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { isSym } from "../Sym.ts"
import { evaluate, make } from "./Definition.ts"
import { simplex } from "./DistError.ts"

/** Parameters as values of an algebra: `[..., m]`. Draws are one-hot or probability vectors along the same axis. */
export interface Parameters<T> {
  readonly weights: T
}

// The smallest normal float32 is 1.2e-38. An impossible category costs 85 nats instead of infinity, so that 0 log 0 is
// 0 and not NaN. `Dist.logDensity` of an impossible index is -Infinity.
const SMALLEST_WEIGHT = 1e-37

/** log max(w, 1e-37). */
export const logWeights =
  <T>(A: Algebra<T>) =>
  (weights: T): T =>
    A.unary.log(A.binary.max(weights, A.literal(SMALLEST_WEIGHT)))

/** sum_k x_k log w_k: `[..., m]` to `[...]`. For a probability vector x this is the expectation over Cat(x). */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T =>
    A.sumLast(A.binary.mul(x, logWeights(A)(p.weights)))

/** -E_q[log w_X] for probabilities q; `logP` are the logarithms of p's weights, or their expectations. */
export const crossEntropy =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, logP: T): T =>
    A.unary.neg(A.sumLast(A.binary.mul(q.weights, logP)))

/** -sum_k w_k log w_k. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    crossEntropy(A)(p, logWeights(A)(p.weights))

/** The entropy of Cat(softmax(l)). */
export const entropyLogits =
  <T>(A: Algebra<T>) =>
  (logits: T): T =>
    crossEntropy(A)({ weights: A.softmaxLast(logits) }, A.logSoftmaxLast(logits))

/** sum_k w_k (log w_k - log w'_k), paper Eq. ekl-cat-step1. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    A.sumLast(A.binary.mul(q.weights, A.binary.sub(logWeights(A)(q.weights), logWeights(A)(p.weights))))

/**
 * KL[Cat(softmax(l)) || Cat(p)], with `logP` the logarithms of p's weights, or their expectations where the weights
 * are themselves uncertain (they need not be normalised then).
 */
export const klLogits =
  <T>(A: Algebra<T>) =>
  (qLogits: T, logP: T): T =>
    A.sumLast(A.binary.mul(A.softmaxLast(qLogits), A.binary.sub(A.logSoftmaxLast(qLogits), logP)))

type Known = { readonly weights: ReadonlyArray<number> }

/** Cat(w) on {0, ..., m - 1}: P(X = k) = `weights[k]`, which sum to 1. Paper Eq. categorical-pmf. */
export const of = make<"categorical", Known>({
  name: "Categorical",
  support: "categorical",
  parameters: { weights: simplex },
  axis: ({ weights }) => (isSym(weights) ? weights.size : weights.length),
  logDensity: (A, x, p) => logDensity(A)(x, p),
  exactly: ([x = Number.NaN], { weights }) => ((weights[x] ?? 0) > 0 ? Real.log(weights[x] ?? 0) : -Infinity),
  draw: ({ weights }, source) => {
    const u = source.next()
    let total = 0
    const index = weights.findIndex((w) => u < (total += w))
    // The last possible category takes the difference of the rounded total and 1.
    return index < 0 ? weights.findLastIndex((w) => w > 0) : index
  },
  mean: ({ weights }) => weights,
  variance: ({ weights }) => weights.map((w) => w * (1 - w)),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const { log } = p.moments("weights")
    return log === undefined ? undefined : crossEntropy(A)({ weights: q.mean }, log)
  },
  kl: (A, q, p) => kl(A)(q, p),
  // Infinite where q gives weight to a category that p excludes.
  exactKl: (q, p) =>
    q.weights.some((w, k) => w > 0 && p.weights[k] === 0)
      ? Infinity
      : Nd.toNumber(kl(Nd.algebra)({ weights: Nd.vector(q.weights) }, { weights: Nd.vector(p.weights) })),
})
