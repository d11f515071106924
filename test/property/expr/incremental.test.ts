import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { columnOf } from "../../../src/expr/columnOf.ts"
import { compileColumn } from "../../../src/expr/evaluate.ts"
import { incremental } from "../../../src/expr/incremental.ts"
import * as Term from "../../../src/expr/Term.ts"
import { arbitraryConstant, arbitraryTerm } from "../../../src/testing/arbitraryTerm.ts"

const features = ["x", "y"]
const columns = [Float64Array.of(0.5, -2, 3, 1e200, -0, 7), Float64Array.of(1, 1, -1, 2.5, 0, Number.NaN)]
const rows = 6
const table = { features, columns, rows }
const names = ["a", "b", "c"] as const

const compiled = (term: Term.Term, numbers: ReadonlyArray<number>): Float64Array => {
  const out = new Float64Array(rows)
  const full = numbers.map((value) => new Float64Array(rows).fill(value))
  compileColumn(term, [...features, ...names])([...columns, ...full], out)
  return out
}

describe("incremental evaluation", () => {
  it("gives the values of the whole term bit for bit, whichever numbers changed", () => {
    const numbers = fc.tuple(arbitraryConstant, arbitraryConstant, arbitraryConstant)
    // A call changes all numbers, one, or none.
    const calls = fc.array(fc.tuple(numbers, fc.subarray([0, 1, 2])), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(arbitraryTerm({ variables: ["x", "y", ...names] }), calls, (term, list) => {
        const run = incremental(term, table, names)
        let now = [Number.NaN, Number.NaN, Number.NaN]
        for (const [values, changed] of list) {
          now = now.map((value, j) => (changed.includes(j) ? values[j]! : value))
          expect([...run(now)]).toEqual([...compiled(term, now)])
        }
      }),
      { numRuns: 300 },
    )
  })

  it("of a term without numbers is its column, and leaves the table as it is", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: ["x", "y"] }), (term) => {
        const before = columns.map((column) => [...column])
        const out = columnOf(term, features, columns, rows)
        expect([...out]).toEqual([...compiled(term, [0, 0, 0])])
        out.fill(1)
        expect(columns.map((column) => [...column])).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  it("has operators of users by their meanings, and knows -0 from 0", () => {
    const [a, x] = [Term.variable("a"), Term.variable("x")]
    const softplus = Term.application("softplus", Term.log(Term.add(1, Term.exp(Term.variable("x")))), [
      Term.mul(a, x),
    ])
    expect([...incremental(softplus, table, names)([2, 0, 0])]).toEqual([...compiled(softplus, [2, 0, 0])])
    const run = incremental(Term.div(1, a), table, names)
    expect([run([0])[0], run([-0])[0], run([0])[0]]).toEqual([Infinity, -Infinity, Infinity])
  })

  it("says which variable is missing; a column stands before a number of its name", () => {
    expect(() => incremental(Term.variable("z"), table, names)).toThrow(
      'the term reads "z", but the variables are: x, y, a, b, c',
    )
    expect(incremental(Term.variable("x"), table, ["x"])([9])[0]).toBe(0.5)
  })
})
