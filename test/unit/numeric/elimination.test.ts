import { describe, expect, it } from "vitest"
import { pivots } from "../../../src/numeric/elimination.ts"

const product = (values: Float64Array): number => values.reduce((a, b) => a * b, 1)

describe("pivots of elimination", () => {
  it("have the determinant as their product, the columns of Hilbert's matrix among them", () => {
    const hilbert = Float64Array.from({ length: 16 }, (_, i) => 1 / (Math.floor(i / 4) + (i % 4) + 1))
    // det H_4 = 1 / 6048000
    expect(product(pivots(hilbert)) * 6_048_000).toBeCloseTo(1, 9)
    expect([...pivots(Float64Array.of(4, 2, 2, 5))]).toEqual([4, 4])
  })

  it("are 0 for rows that depend on those before, and for what is not positive", () => {
    const J = [
      [1, 2, 3],
      [2, 4, 6],
      [1, -1, 0],
    ]
    const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
      a.reduce((sum, v, i) => sum + v * b[i]!, 0)
    const gram = Float64Array.from(J.flatMap((a) => J.map((b) => dot(a, b))))
    expect([...pivots(gram, 1e-10)].map((pivot) => pivot > 0)).toEqual([true, false, true])
    expect([...pivots(Float64Array.of(1, 2, 2, 1))]).toEqual([1, 0])
    expect([...pivots(Float64Array.of(Number.NaN))]).toEqual([0])
    expect([...pivots(new Float64Array(0))]).toEqual([])
  })
})
