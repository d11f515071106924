import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../../src/expr/evaluate.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { affine, toTerm } from "../../../../src/evidence/exact/AffineForm.ts"
import * as BasisFunctions from "../../../../src/evidence/exact/BasisFunctions.ts"
import { arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"
import { runs } from "../../../support/property.ts"

const names = ["x", "y"]
const rows = [
  [0.7, 1.3],
  [2.1, 0.4],
  [1.9, 3.3],
]
const term = arbitraryTerm({
  variables: ["x", "y"],
  operations: ["neg", "square", "sqrt", "abs", "sin", "log", "add", "sub", "mul", "div"],
  constants: fc.constantFrom(1, 2, Math.PI, -3),
  depth: 4,
})
const values = (of: Term.Term): ReadonlyArray<number> => rows.map(scalarFunction(of, names))
const [x, y] = [Term.variable("x"), Term.variable("y")]
const say = (of: Term.Term) => {
  const { constant, summands } = affine(of)
  return [constant, ...summands.map(({ coefficient, basis }) => `${coefficient} ${infix(basis)}`)]
}

describe("summands of a term", () => {
  it("have its values, wherever it is well conditioned", () => {
    fc.assert(
      fc.property(term, (of) => {
        const before = values(of)
        // Differences of nearly equal numbers say nothing; neither do values that are not finite.
        fc.pre(before.every((value) => Math.abs(value) > 1e-3 && Math.abs(value) < 1e6))
        const after = values(toTerm(affine(of)))
        before.forEach((value, i) => expect(Math.abs(after[i]! - value)).toBeLessThan(1e-8 * Math.abs(value)))
      }),
      runs(300),
    )
  })

  it("leave no constant behind in sums and products", () => {
    expect(say(Term.mul(2, Term.add(x, 3)))).toEqual([6, "2 x"])
    expect(say(Term.sqrt(Term.mul(Term.mul(4, x), y)))).toEqual([0, "2 sqrt(x*y)"])
    expect(say(Term.square(Term.mul(Math.PI, x)))).toEqual([0, `${Math.PI ** 2} x^2`])
    expect(say(Term.div(Term.add(x, y), x))).toEqual([1, "1 y/x"])
    expect(say(Term.div(1, Term.mul(2, x)))).toEqual([0, "0.5 1/x"])
    expect(say(Term.sub(Term.add(x, 5), Term.add(y, 5)))).toEqual([0, "1 x", "-1 y"])
    expect(say(Term.sub(Term.add(x, y), x))).toEqual([0, "1 y"])
    expect(say(Term.mul(x, Term.sub(Term.mul(2, y), 2)))).toEqual([0, "2 x*(y - 1)"])
    expect(say(Term.sin(Term.constant(Math.PI / 2)))).toEqual([1])
  })
})

describe("a basis of terms", () => {
  it("has coefficients that go there and back", () => {
    fc.assert(
      fc.property(
        fc.array(term, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.integer()),
        (terms, b) => {
          const distinct = [...new Map(terms.map((one) => [Term.key(one), one])).values()]
          const matrix = distinct.map(values)
          fc.pre(matrix.every((row) => row.every((value) => Math.abs(value) > 1e-2 && Math.abs(value) < 1e3)))
          const basis = BasisFunctions.of(distinct)
          const coefficients = Float64Array.from(
            { length: distinct.length + 1 },
            () => Number(b.next().value) % 7,
          )
          const at = (
            constant: number,
            slopes: ArrayLike<number>,
            columns: ReadonlyArray<ReadonlyArray<number>>,
          ) => rows.map((_, i) => columns.reduce((sum, column, k) => sum + slopes[k]! * column[i]!, constant))
          const direct = at(coefficients[0]!, coefficients.subarray(1), matrix)
          const functions = BasisFunctions.toBasis(basis, coefficients)
          const again = BasisFunctions.toTerms(basis, functions)
          const columns = basis.functions.map(values)
          at(functions[0]!, functions.subarray(1), columns).forEach((value, i) =>
            expect(value).toBeCloseTo(direct[i]!, 5),
          )
          at(again[0]!, again.subarray(1), matrix).forEach((value, i) =>
            expect(value).toBeCloseTo(direct[i]!, 5),
          )
        },
      ),
      runs(200),
    )
  })

  it("takes terms apart where that makes no more of them", () => {
    const functions = (...terms: ReadonlyArray<Term.Term>) =>
      BasisFunctions.of(terms).functions.map((basis) => infix(basis))
    expect(functions(Term.add(x, y), x)).toEqual(["x", "y"])
    expect(functions(Term.sub(Term.mul(3, x), Term.mul(3, y)))).toEqual(["x - y"])
    expect(functions(Term.mul(2, x), Term.add(x, 1))).toEqual(["x"])
    expect(functions(Term.constant(2), y)).toEqual(["y"])
  })
})
