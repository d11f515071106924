import { describe, expect, it } from "vitest"
import { compileColumn, scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Term from "../../../src/expr/Term.ts"

const x = Term.variable("x")
const y = Term.variable("y")
const xs = Float64Array.of(1, 2, 3)
const ys = Float64Array.of(4, 5, 6)

describe("compileColumn", () => {
  it("fills as many rows as the result has, and may write over a column", () => {
    const run = compileColumn(Term.sub(Term.mul(x, y), Term.mul(x, y)), ["x", "y"])
    const head = new Float64Array(2).fill(9)
    run([xs, ys], head)
    expect([...head]).toEqual([0, 0])
    const own = xs.slice()
    compileColumn(Term.add(x, Term.mul(x, 10)), ["x"])([own], own)
    expect([...own]).toEqual([11, 22, 33])
  })

  it("needs no column for a constant", () => {
    const out = new Float64Array(2)
    compileColumn(Term.constant(-3), [])([], out)
    expect([...out]).toEqual([-3, -3])
  })

  it("says which variable or column is missing or short", () => {
    expect(() => compileColumn(Term.add(x, y), ["x", "z"])).toThrow(
      'the term reads "y", but the variables are: x, z',
    )
    const run = compileColumn(Term.add(x, y), ["x", "y"])
    expect(() => run([xs], new Float64Array(3))).toThrow('column "y" has 0 values for 3 rows')
    expect(() => run([xs, ys.slice(1)], new Float64Array(3))).toThrow('column "y" has 2 values for 3 rows')
  })

  it("runs no text of the user's", () => {
    const name = "0]; throw new Error('injected'); //"
    expect(scalarFunction(Term.sin(Term.variable(name)), [name])([0])).toBe(0)
  })
})
