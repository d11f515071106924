import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Nd from "../../../src/numeric/Nd.ts"
import { algebra as A } from "../../../src/numeric/Shapes.ts"

const ones = (shape: ReadonlyArray<number>): Nd.Nd =>
  Nd.of(shape, new Float64Array(Nd.product(shape)).fill(1))
const shape = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
/** The shape that a computation has, or that it throws. */
const outcome = <T>(compute: () => T): T | "RangeError" => {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return "RangeError"
    throw error
  }
}

describe("shapes are those of the arrays", () => {
  const unary = ["neg", "square", "sqrt", "abs", "sign", "exp", "log", "sin", "cos", "tan", "tanh"] as const
  const whole = ["softplus", "sigmoid", "lgamma", "digamma", "stopGradient"] as const
  const last = ["sumLast", "sumAll", "expandLast", "softmaxLast", "logSoftmaxLast"] as const
  it.each([
    ...(["asin", "acos", "atan", "guard", ...unary] as const).map(
      (name) => [name, A.unary[name], Nd.algebra.unary[name]] as const,
    ),
    ...[...whole, ...last].map((name) => [name, A[name], Nd.algebra[name]] as const),
    [
      "clamp",
      (x: ReadonlyArray<number>) => A.clamp(x, 0, 1),
      (x: Nd.Nd) => Nd.algebra.clamp(x, 0, 1),
    ] as const,
  ])("%s", (_, ofShape, ofArray) => {
    fc.assert(
      fc.property(shape, (lengths) => {
        expect(outcome(() => ofShape(lengths))).toEqual(outcome(() => ofArray(ones(lengths)).shape))
      }),
    )
  })

  it.each(["add", "sub", "mul", "div", "pow", "min", "max"] as const)("%s", (name) => {
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const expected = outcome(() => Nd.algebra.binary[name](ones(a), ones(b)).shape)
        expect(outcome(() => A.binary[name](a, b))).toEqual(expected)
      }),
    )
  })

  it("constants", () => {
    expect(A.literal(2)).toEqual([])
    expect(A.array([1, 2], [2, 1])).toEqual([2, 1])
    expect(() => A.array([1, 2], [3])).toThrow("shape [3] needs 3 elements, got 2")
  })
})
