import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as LeaveOneOut from "../../../src/rank/LeaveOneOut.ts"

const generator = Rng.generator(Rng.key(2))
const rows = 25
const x = Float64Array.from({ length: rows }, () => 3 * generator.next())
const grammar = Grammar.make({
  features: ["x"],
  operators: [Operator.mul, Operator.exp],
  constants: { c: Constant.fitted(Dist.normal(0, 3)) },
})

/** The columns of a table of x. */
const columnsOf = (y: Float64Array) =>
  Effect.runSync(Columns.make(grammar, { features: ["x"], columns: [x], target: "y", y, rows }))
/** exp(c x) */
const growth = (c: number): Tree.Tree => Tree.branch(1, [Tree.branch(0, [Tree.leaf(0), Tree.leaf(1, c)])])

/** Least squares of y on a curve with parameters, by Gauss and Newton with the Jacobian given. */
const fit = (
  y: Float64Array,
  keep: (i: number) => boolean,
  curve: (p: ReadonlyArray<number>, x: number) => number,
  slopes: (p: ReadonlyArray<number>, x: number) => readonly [number, number],
  begin: readonly [number, number],
): readonly [number, number] => {
  let p = begin
  for (let round = 0; round < 60; round++) {
    let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0]
    for (let i = 0; i < rows; i++) {
      if (!keep(i)) continue
      const [a, b] = slopes(p, x[i]!)
      const r = y[i]! - curve(p, x[i]!)
      aa += a * a
      ab += a * b
      bb += b * b
      ra += a * r
      rb += b * r
    }
    const det = aa * bb - ab * ab
    p = [p[0] + (bb * ra - ab * rb) / det, p[1] + (aa * rb - ab * ra) / det]
  }
  return p
}

const refitted = (
  y: Float64Array,
  ...rest: [
    (p: ReadonlyArray<number>, x: number) => number,
    (p: ReadonlyArray<number>, x: number) => readonly [number, number],
    readonly [number, number],
  ]
) => {
  const squares = y.map(
    (value, i) =>
      (value -
        rest[0](
          fit(y, (j) => j !== i, ...rest),
          x[i]!,
        )) **
      2,
  )
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / rows)
}

describe("the leave-one-out error of a law is near to that of refits without each row", () => {
  it("with a fitted constant inside of a term, which counts as a parameter", () => {
    const y = x.map((value) => 2 * Math.exp(-0.8 * value) + 0.02 * generator.normal())
    const curve = (p: ReadonlyArray<number>, x: number): number => p[0]! * Math.exp(p[1]! * x)
    const slopes = (p: ReadonlyArray<number>, x: number) =>
      [Math.exp(p[1]! * x), p[0]! * x * Math.exp(p[1]! * x)] as const
    const [a, c] = fit(y, () => true, curve, slopes, [2, -0.8])
    const law = { trees: [growth(c)], coefficients: Float64Array.of(0, a), solved: (z: Float64Array) => z }
    const exactly = refitted(y, curve, slopes, [2, -0.8])
    // The intercept is exactly 0, and not a parameter.
    const columns = columnsOf(y)
    const found = LeaveOneOut.rmse({ ...law, slopes: () => [columns.column(growth(c)).values] }, columns, y)
    expect(Math.abs(found / exactly - 1)).toBeLessThan(0.005)
    expect(LeaveOneOut.rmse({ ...law, slopes: () => [] }, columns, y)).toBeLessThan(found)
  })

  it("with terms on one free scale, which counts as one parameter", () => {
    const second = 2
    const column = (x: number): number => x + second * Math.exp(x)
    const y = x.map((value) => 1.7 * column(value) + 0.1 * generator.normal())
    const scaleWithout = (left: number): number => {
      let [xy, xx] = [0, 0]
      for (let i = 0; i < rows; i++)
        if (i !== left) [xy, xx] = [xy + column(x[i]!) * y[i]!, xx + column(x[i]!) ** 2]
      return xy / xx
    }
    const squares = y.map((value, i) => (value - scaleWithout(i) * column(x[i]!)) ** 2)
    const exactly = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / rows)
    const scale = scaleWithout(-1)
    const trees = [Tree.leaf(0), Tree.branch(1, [Tree.leaf(0)])]
    const law = {
      trees,
      coefficients: Float64Array.of(0, scale, scale * second),
      solved: (z: Float64Array) => z,
    }
    const columns = columnsOf(y)
    expect(LeaveOneOut.rmse({ ...law, slopes: () => [x.map(column)] }, columns, y)).toBeCloseTo(exactly, 9)
    expect(LeaveOneOut.rmse({ ...law, slopes: () => [] }, columns, y)).toBeLessThan(exactly)
    expect(LeaveOneOut.rmse(law, columns, y)).toBeGreaterThan(exactly)
  })

  it("under a link", () => {
    const y = x.map((value) => Math.sqrt(1 + 2 * value) + 0.05 * generator.normal())
    const curve = (p: ReadonlyArray<number>, x: number): number => Math.sqrt(p[0]! + p[1]! * x)
    const slopes = (p: ReadonlyArray<number>, x: number) => {
      const half = 0.5 / curve(p, x)
      return [half, half * x] as const
    }
    const coefficients = Float64Array.from(fit(y, () => true, curve, slopes, [1, 2]))
    const law = { trees: [Tree.leaf(0)], coefficients, solved: (z: Float64Array) => z.map(Math.sqrt) }
    const exactly = refitted(y, curve, slopes, [1, 2])
    expect(Math.abs(LeaveOneOut.rmse(law, columnsOf(y), y) / exactly - 1)).toBeLessThan(0.005)
  })

  it("predicts a row that determines a number by itself by the mean of the others", () => {
    // exp(-900 x) is 0 but on the least x, and the other rows are noise around 1.
    const least = x.indexOf(Math.min(...x))
    const y = x.map((_, i) => (i === least ? 5 : 1 + (i % 2 === 0 ? 0.1 : -0.1)))
    const coefficients = Float64Array.of(1, 4 * Math.exp(900 * x[least]!))
    const trees = [growth(-900)]
    const error = LeaveOneOut.rmse({ trees, coefficients, solved: (z) => z }, columnsOf(y), y)
    const mean = (y.reduce((sum, value) => sum + value, 0) - 5) / (rows - 1)
    const others = y.reduce((sum, value, i) => sum + (i === least ? 0 : (value - mean) ** 2), 0)
    // Of the 24 other rows one parameter, their mean, is fitted: each is left out of it.
    const left = others * ((rows - 1) / (rows - 2)) ** 2
    expect(error).toBeCloseTo(Math.sqrt((left + (5 - mean) ** 2) / rows), 3)
  })
})
