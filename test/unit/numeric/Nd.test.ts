import { describe, expect, it } from "vitest"
import * as Nd from "../../../src/numeric/Nd.ts"

const A = Nd.algebra
const matrix = Nd.of([2, 3], [1, 2, 3, 4, 5, 6])

describe("construction", () => {
  it("knows its shape", () => {
    expect(Nd.scalar(3).shape).toEqual([])
    expect(Nd.vector([1, 2]).shape).toEqual([2])
    expect(Nd.of([0, 3], []).data.length).toBe(0)
    expect(() => Nd.of([2, 2], [1, 2, 3])).toThrow("shape [2, 2] needs 4 elements, got 3")
  })

  it("toNumber wants one element, of any shape", () => {
    expect(Nd.toNumber(Nd.of([1, 1], [7]))).toBe(7)
    expect(() => Nd.toNumber(matrix)).toThrow("expected one element, got shape [2, 3]")
    expect(() => Nd.toNumber(Nd.vector([]))).toThrow(RangeError)
  })
})

describe("broadcasting", () => {
  it.each([
    { a: [], b: [], shape: [] },
    { a: [], b: [2, 3], shape: [2, 3] },
    { a: [3], b: [2, 3], shape: [2, 3] },
    { a: [2, 1], b: [3], shape: [2, 3] },
    { a: [4, 1, 3], b: [2, 1], shape: [4, 2, 3] },
    { a: [0], b: [1], shape: [0] },
  ])("$a with $b is $shape", ({ a, b, shape }) => {
    expect(Nd.broadcastShapes(a, b)).toEqual(shape)
    expect(Nd.broadcastShapes(b, a)).toEqual(shape)
  })

  it("refuses lengths that differ", () => {
    expect(() => A.binary.add(matrix, Nd.vector([1, 2]))).toThrow("shapes [2, 3] and [2] do not broadcast")
  })

  it("repeats along rows, columns and new axes", () => {
    expect([...A.binary.add(matrix, Nd.vector([10, 20, 30])).data]).toEqual([11, 22, 33, 14, 25, 36])
    expect([...A.binary.mul(matrix, Nd.of([2, 1], [10, 100])).data]).toEqual([10, 20, 30, 400, 500, 600])
    const cube = A.binary.sub(Nd.of([2, 1, 1], [10, 20]), Nd.of([2, 1], [1, 2]))
    expect(cube.shape).toEqual([2, 2, 1])
    expect([...cube.data]).toEqual([9, 8, 19, 18])
  })
})

describe("elementwise operations", () => {
  it("unary primitives mean what Math means", () => {
    const names = [
      "sqrt",
      "abs",
      "sign",
      "exp",
      "log",
      "sin",
      "cos",
      "tan",
      "tanh",
      "asin",
      "acos",
      "atan",
    ] as const
    for (const name of names) {
      expect(Nd.toNumber(A.unary[name](Nd.scalar(0.3)))).toBe(Math[name](0.3))
    }
    expect([...A.unary.neg(matrix).data]).toEqual([-1, -2, -3, -4, -5, -6])
    expect([...A.unary.square(matrix).data]).toEqual([1, 4, 9, 16, 25, 36])
  })

  it("guard keeps away from zero and keeps the sign", () => {
    const guarded = A.unary.guard(Nd.vector([0, 1e-9, -1e-9, 2, -2]))
    expect([...guarded.data]).toEqual([1e-6, 1e-6, -1e-6, 2, -2])
  })

  it("binary primitives", () => {
    const [x, y] = [Nd.vector([2, -3]), Nd.vector([4, 2])]
    expect([...A.binary.div(x, y).data]).toEqual([0.5, -1.5])
    expect([...A.binary.pow(x, y).data]).toEqual([16, 9])
    expect([...A.binary.min(x, y).data]).toEqual([2, -3])
    expect([...A.binary.max(x, y).data]).toEqual([4, 2])
  })

  it("softplus and sigmoid neither overflow nor lose small values", () => {
    expect([...A.softplus(Nd.vector([-1000, -40, 0, 40, 1000])).data]).toEqual([
      0,
      Math.exp(-40),
      Math.log(2),
      40,
      1000,
    ])
    expect([...A.sigmoid(Nd.vector([-1000, 0, 1000])).data]).toEqual([0, 0.5, 1])
  })

  it("lgamma and digamma", () => {
    expect(Nd.toNumber(A.lgamma(Nd.scalar(5)))).toBeCloseTo(Math.log(24), 14)
    expect(Nd.toNumber(A.digamma(Nd.scalar(1)))).toBeCloseTo(-0.5772156649015329, 14)
  })
})

describe("the trailing axis", () => {
  it("sumLast drops it, expandLast brings it back", () => {
    const sums = A.sumLast(matrix)
    expect(sums.shape).toEqual([2])
    expect([...sums.data]).toEqual([6, 15])
    expect(A.expandLast(sums).shape).toEqual([2, 1])
    expect(Nd.toNumber(A.sumLast(Nd.vector([1, 2, 3])))).toBe(6)
    expect(Nd.toNumber(A.sumAll(matrix))).toBe(21)
    expect(() => A.sumLast(Nd.scalar(1))).toThrow("a scalar has no trailing axis")
  })

  it("softmax is normalised by row and does not overflow", () => {
    const logits = Nd.of([2, 2], [1000, 1000, 0, -1000])
    expect([...A.softmaxLast(logits).data]).toEqual([0.5, 0.5, 1, 0])
    expect([...A.logSoftmaxLast(logits).data]).toEqual([-Math.LN2, -Math.LN2, 0, -1000])
  })

  it("does not write to its arguments", () => {
    A.softmaxLast(matrix)
    A.binary.add(matrix, matrix)
    expect([...matrix.data]).toEqual([1, 2, 3, 4, 5, 6])
  })
})
