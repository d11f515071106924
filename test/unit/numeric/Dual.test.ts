import { describe, expect, it } from "vitest"
import * as Dual from "../../../src/numeric/Dual.ts"
import type { Algebra } from "../../../src/numeric/Algebra.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Special from "../../../src/numeric/Special.ts"

const once = Dual.elementwise(Nd.algebra, (x) => Nd.map(x, Special.trigamma))

/** The derivative at x by duals, and by central differences. */
const both = (f: <T>(A: Algebra<T>) => (x: T, weights: T) => T, x: number) => {
  const weights = Nd.vector([0.2, 0.5, 0.3])
  const { slope } = f(once)(
    { value: Nd.scalar(x), slope: Nd.scalar(1) },
    { value: weights, slope: undefined },
  )
  const at = (h: number): number => Nd.toNumber(f(Nd.algebra)(Nd.scalar(x + h), weights))
  return [Nd.toNumber(slope!), (at(1e-5) - at(-1e-5)) / 2e-5] as const
}

describe("Dual.elementwise", () => {
  it.each<[string, <T>(A: Algebra<T>) => (x: T, weights: T) => T]>([
    ["softplus", (A) => (x) => A.softplus(x)],
    ["sigmoid", (A) => (x) => A.sigmoid(x)],
    ["lgamma", (A) => (x) => A.lgamma(x)],
    ["digamma", (A) => (x) => A.digamma(x)],
    ["clamp", (A) => (x) => A.clamp(A.unary.square(x), 0, 10)],
    ["a sum in which the number has no axis", (A) => (x, w) => A.sumLast(A.binary.add(w, x))],
    ["a sum over all", (A) => (x, w) => A.sumAll(A.binary.mul(w, A.unary.exp(x)))],
    ["softmax", (A) => (x, w) => A.sumLast(A.binary.mul(w, A.softmaxLast(A.binary.mul(w, A.expandLast(x)))))],
    [
      "log softmax",
      (A) => (x, w) => A.sumLast(A.binary.mul(w, A.logSoftmaxLast(A.binary.mul(w, A.expandLast(x))))),
    ],
  ])("differentiates %s", (_, f) => {
    for (const x of [0.3, 1.7]) {
      const [slope, expected] = both(f, x)
      expect(slope).toBeCloseTo(expected, 6)
    }
  })

  it("gives no slope to what does not depend on the number", () => {
    const constant = once.literal(2)
    expect(once.softplus(once.sumAll(once.unary.log(constant))).slope).toBeUndefined()
  })
})
