import { describe, expect, it } from "vitest"
import * as Cholesky from "../../../src/numeric/cholesky.ts"

// B B' with a triangle B of small integers: its determinant is the squared product of B's diagonal.
const triangle = [
  [2, 0, 0],
  [1, 3, 0],
  [-1, 2, 0.5],
]
const matrix = Float64Array.from(
  triangle.flatMap((row) =>
    triangle.map((other) => row.reduce((sum, value, k) => sum + value * other[k]!, 0)),
  ),
)
/** The matrix in other units of its coordinates. */
const rescaled = (units: ReadonlyArray<number>): Float64Array =>
  matrix.map((value, place) => value * units[Math.floor(place / 3)]! * units[place % 3]!)

/** [[1, 1 - gap], [1 - gap, 1]], with the pivots 1 and about 2 gap. */
const nearlySingular = (gap: number): Float64Array => Float64Array.of(1, 1 - gap, 1 - gap, 1)

describe("the factor of a positive definite matrix", () => {
  it("is the triangle that the matrix was made of, with its determinant, in any units", () => {
    for (const units of [
      [1, 1, 1],
      [1e-20, 3, 1e30],
    ]) {
      const into = Cholesky.make(3)
      const expected = 2 * units.reduce((sum, unit) => sum + Math.log(unit), Math.log(2 * 3 * 0.5))
      expect(Cholesky.definite(rescaled(units), into, 1e-14)).toBeCloseTo(expected, 11)
      expect(Cholesky.decompose(rescaled(units), into)).toBeCloseTo(expected, 11)
      Cholesky.lower(into).forEach((value, place) => {
        const [i, j] = [Math.floor(place / 3), place % 3]
        expect(value / units[i]!).toBeCloseTo(triangle[i]![j]!, 12)
      })
    }
  })

  it("is refused at a pivot that is not above the threshold, and raised to it by decompose", () => {
    const into = Cholesky.make(2)
    const near = nearlySingular(1e-6)
    expect(Cholesky.definite(near, into, 1.9e-6)).toBeCloseTo(Math.log(2e-6), 5)
    expect(Cholesky.definite(near, into, 2.1e-6)).toBeUndefined()
    expect(Cholesky.decompose(near, into, 1e-3)).toBeCloseTo(Math.log(1e-3), 12)
    expect(Cholesky.decompose(nearlySingular(0), into)).toBeCloseTo(Math.log(Cholesky.leastPivot), 12)
  })

  it("is refused for indefinite, singular and infinite matrices", () => {
    const refused = [
      [1, 2, 2, 1],
      [1, 1, 1, 1],
      [-1, 0, 0, 1],
      [0, 0, 0, 1],
      [Infinity, 0, 0, 1],
      [1, Number.NaN, Number.NaN, 1],
    ]
    for (const values of refused)
      expect(Cholesky.definite(Float64Array.from(values), Cholesky.make(2), 0)).toBeUndefined()
  })
})
