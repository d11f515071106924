import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import * as LeaveOneOut from "../../../src/evidence/leaveOneOut.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { runs } from "../../support/property.ts"

/** A design of columns with a response, and square roots of weights. */
const design = (seed: number, rows: number, width: number) => {
  const generator = Rng.generator(Rng.key(seed))
  const draw = (): Float64Array => Float64Array.from({ length: rows }, () => generator.normal())
  const columns = [new Float64Array(rows).fill(1), ...Array.from({ length: width }, draw)]
  return { columns, y: draw(), by: Float64Array.from({ length: rows }, () => 0.5 + generator.next()) }
}

const weigh = (column: Float64Array, by: Float64Array): Float64Array => column.map((v, i) => v * by[i]!)

describe("the leave-one-out error", () => {
  it("is that of a fit without each row, made anew, whatever the magnitudes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 8, max: 30 }),
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom(1e-30, 1, 1e30),
        (seed, rows, width, size) => {
          const { columns, y, by } = design(seed, rows, width)
          const scaled = columns.map((column, k) => (k === 0 ? column : column.map((value) => value * size)))
          const fit = (keep: (i: number) => boolean) => {
            const some = (column: Float64Array) => column.filter((_, i) => keep(i))
            return leastSquares(
              scaled.map((column) => some(weigh(column, by))),
              some(weigh(y, by)),
            ).coefficients
          }
          const predict = (coefficients: ArrayLike<number>, i: number) =>
            scaled.reduce((sum, column, k) => sum + coefficients[k]! * column[i]!, 0)
          const full = fit(() => true)
          const residuals = y.map((value, i) => value - predict(full, i))
          const squares = y.map(
            (value, i) =>
              (value -
                predict(
                  fit((j) => j !== i),
                  i,
                )) **
              2,
          )
          const refitted = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / rows)
          expect(LeaveOneOut.rmse(residuals, scaled, by) / refitted).toBeCloseTo(1, 8)
        },
      ),
      runs(40),
    )
  })

  it("has hat values that sum to the rank", () => {
    const { columns, by } = design(3, 20, 3)
    const twice = [...columns, columns[1]!.map((value, i) => 2 * value - columns[2]![i]!)]
    const hat = LeaveOneOut.hatValues(twice, 20, by)
    expect(hat.reduce((sum, value) => sum + value, 0)).toBeCloseTo(4, 10)
  })

  it("leaves out rows of weight 0, and is infinite where a row determines a parameter", () => {
    const residuals = Float64Array.of(1, -1, 1e9, 1, -1)
    const by = Float64Array.of(1, 1, 0, 1, 1)
    const ones = new Float64Array(5).fill(1)
    expect(LeaveOneOut.rmse(residuals, [ones], by)).toBeCloseTo(4 / 3, 12)
    expect(LeaveOneOut.rmse(residuals, [ones, Float64Array.of(1, 0, 0, 0, 0)])).toBe(Infinity)
    const alone = Float64Array.of(7, 0, 0, 0, 0)
    const zeros = new Float64Array(5)
    const own = LeaveOneOut.rmse(zeros, [ones, Float64Array.of(1, 0, 0, 0, 0)], undefined, alone)
    expect(own).toBeCloseTo(7 / Math.sqrt(5), 12)
  })
})
