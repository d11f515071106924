import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { compileColumn, scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Term from "../../../src/expr/Term.ts"
import { arbitraryTerm } from "../../../src/testing/arbitraryTerm.ts"

const variables = ["x", "y"] as const
type Name = (typeof variables)[number]

/** Any float64, with the awkward ones often. */
const value = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 1e-6, -1e-6, 20, 21, 1e-200, NaN, Infinity, -Infinity),
  fc.noShrink(fc.double({ min: -5, max: 5, noNaN: true })),
  fc.noShrink(fc.double()),
)
const finite = value.filter(Number.isFinite)

const term = arbitraryTerm({ variables, depth: 6 })

const evaluate = (t: Term.Term<Name>, x: number, y: number): number =>
  Term.interpret(Term.arithmetic)(t)((name) => (name === "x" ? x : y))

/** The value, and whether all values below the root are finite. */
const evaluateChecked = (t: Term.Term<Name>, x: number, y: number) => {
  const A = Term.protect(Term.arithmetic)
  return Term.fold<{ readonly value: number; readonly finite: boolean }, Name>((layer) => {
    const finiteBelow = Term.children(layer).every((child) => child.finite && Number.isFinite(child.value))
    const here =
      layer._tag === "Constant"
        ? layer.value
        : layer._tag === "Variable"
          ? { x, y }[layer.name]
          : layer._tag === "Unary"
            ? A.unary[layer.operation](layer.argument.value)
            : layer._tag === "Binary"
              ? A.binary[layer.operation](layer.left.value, layer.right.value)
              : NaN
    return { value: here, finite: finiteBelow }
  })(t)
}

describe("the scalar engines", () => {
  const agree = () =>
    fc.assert(
      fc.property(term, fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 }), (t, rows) => {
        const expected = rows.map(([x, y]) => evaluate(t, x, y))
        const columns = [rows.map(([, y]) => y), rows.map(() => 7), rows.map(([x]) => x)].map((column) =>
          Float64Array.from(column),
        )
        const order = ["y", "unused", "x"]
        const out = new Float64Array(rows.length)
        compileColumn(t, order)(columns, out)
        const f = scalarFunction(t, order)
        for (const [i, [x, y]] of rows.entries()) {
          expect(out[i]).toBe(expected[i])
          expect(f([y, 7, x])).toBe(expected[i])
        }
      }),
      { numRuns: 2000 },
    )

  it("interpreter, row function and column function agree bit for bit, on NaN and infinities too", agree)

  it("agree as well where the host forbids code generation", () => {
    const forbidden = vi.fn<() => never>(function Forbidden() {
      throw new EvalError("code generation from strings disallowed")
    })
    vi.stubGlobal("Function", forbidden)
    try {
      agree()
    } finally {
      vi.unstubAllGlobals()
    }
    expect(forbidden).toHaveBeenCalled()
  })

  it("expansion keeps every bit", () => {
    fc.assert(
      fc.property(term, value, value, (t, x, y) => {
        expect(evaluate(Term.expand(t), x, y)).toBe(evaluate(t, x, y))
      }),
      { numRuns: 2000 },
    )
  })

  it("protected operations are finite at every finite argument", () => {
    fc.assert(
      fc.property(finite, (x) => {
        for (const operation of ["psqrt", "plog", "pexp", "pinv"] as const) {
          expect(evaluate(Term.unary(operation, Term.variable("x")), x, 0)).toSatisfy(Number.isFinite)
        }
      }),
    )
  })
})

describe("simplify", () => {
  it("keeps the value bit for bit where all sub-terms are finite (the sign of zero aside), and no pole is lost", () => {
    let compared = 0
    let changed = 0
    fc.assert(
      fc.property(term, finite, finite, (t, x, y) => {
        const before = evaluateChecked(t, x, y)
        if (!before.finite) return
        const simple = Term.simplify(t)
        const after = evaluate(simple, x, y)
        compared++
        changed += Term.equals(t, simple) ? 0 : 1
        if (Number.isFinite(before.value)) expect(after + 0).toBe(before.value + 0)
        else expect(after).not.toSatisfy(Number.isFinite)
      }),
      { numRuns: 10_000 },
    )
    expect(compared).toBeGreaterThan(4000)
    expect(changed).toBeGreaterThan(2000)
  })

  it("is idempotent, never grows a term (a sign counts as a node), and brings in no variable", () => {
    const signs = Term.fold<number>(
      (layer) =>
        Term.children(layer).reduce((total, n) => total + n, 0) +
        (layer._tag === "Constant" && layer.value < 0 ? 1 : 0),
    )
    const length = (t: Term.Term) => Term.size(t) + signs(t)
    fc.assert(
      fc.property(term, (t) => {
        const simple = Term.simplify(t)
        expect(Term.simplify(simple)).toEqual(simple)
        expect(length(simple)).toBeLessThanOrEqual(length(t))
        expect(Term.variables(t)).toEqual(expect.arrayContaining([...Term.variables(simple)]))
      }),
      { numRuns: 10_000 },
    )
  })
})
