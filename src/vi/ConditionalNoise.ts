import type { Algebra } from "../numeric/Algebra.ts"

// Perturbed logits given the hard draw that is their largest: "Gumbel-max" noise in reverse (Maddison, Tarlow and Minka 2014).

/**
 * l + L given its sign, for logistic L: with e = 1 where it is positive,
 *
 *     z = e log(1 + (1 + exp(l)) exp(g)) - (1 - e) log(1 + (1 + exp(-l)) exp(g))
 *
 * by inversion of the truncated logistic distribution function at logistic noise g.
 *
 * @param hard e, 0 or 1
 */
export const binary = <T>(A: Algebra<T>, logits: T, hard: T, logistic: T): T => {
  const { add, mul, sub } = A.binary
  const beyond = (l: T): T => A.softplus(add(A.softplus(l), logistic))
  const off = sub(A.literal(1), hard)
  return sub(mul(hard, beyond(logits)), mul(off, beyond(A.unary.neg(logits))))
}

/**
 * a + G given its largest element, for Gumbel G and log weights a with the sum of weights 1 (Paulus, Maddison and Krause
 * 2021, Eq. 8): the largest is t = g_k, a Gumbel number, and the others are truncated there,
 *
 *     x_j = -log(exp(-a_j - g_j) + exp(-t))
 *
 * @param logWeights a, from `logSoftmaxLast`
 * @param hard the vertex of the largest element
 */
export const categorical = <T>(A: Algebra<T>, logWeights: T, hard: T, gumbel: T): T => {
  const { add, mul, sub } = A.binary
  const top = A.expandLast(A.sumLast(mul(hard, gumbel)))
  const below = A.softplus(sub(top, add(logWeights, gumbel)))
  return sub(top, mul(sub(A.literal(1), hard), below))
}
