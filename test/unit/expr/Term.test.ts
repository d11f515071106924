import { describe, expect, expectTypeOf, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"

const x = Term.variable("x")
const y = Term.variable("y")

describe("building", () => {
  it("lifts numbers and knows its variables in its type", () => {
    expect(Term.add(x, 1)).toEqual({ _tag: "Binary", operation: "add", left: x, right: Term.constant(1) })
    expectTypeOf(Term.add(x, y)).toEqualTypeOf<Term.Term<"x" | "y">>()
    expectTypeOf(Term.mul(2, Term.sin(x))).toEqualTypeOf<Term.Term<"x">>()
    expectTypeOf(Term.pow(2, 3)).toEqualTypeOf<Term.Term<never>>()
    expectTypeOf(Term.inv(y)).toEqualTypeOf<Term.Term<"y">>()
    expectTypeOf<Term.Term<"x">>().toExtend<Term.Term<"x" | "y">>()
    expectTypeOf<Term.Term<"z">>().not.toExtend<Term.Term<"x" | "y">>()
    expectTypeOf<Term.VariablesOf<Term.Term<"x" | "y"> | number>>().toEqualTypeOf<"x" | "y">()
    expectTypeOf<Term.VariablesOf<Term.Constant>>().toEqualTypeOf<never>()
  })

  it("holds finite constants only, and one zero", () => {
    for (const value of [NaN, Infinity, -Infinity]) expect(() => Term.add(x, value)).toThrow(RangeError)
    expect(Term.key(Term.constant(-0))).toBe("0")
    expect(Object.is(Term.constant(-0).value, 0)).toBe(true)
  })

  it("names every operation as its constructor", () => {
    const { unary, binary } = Term.algebra<string>()
    for (const [operation, build] of Object.entries(unary)) {
      expect(Term.key(build(x))).toBe(`(${operation} "x")`)
    }
    for (const [operation, build] of Object.entries(binary)) {
      expect(Term.key(build(x, y))).toBe(`(${operation} "x" "y")`)
    }
    const built = [Term.psqrt(x), Term.plog(x), Term.pexp(x), Term.pinv(x), Term.pdiv(x, y), Term.inv(x)]
    expect(built.map(Term.key)).toEqual([
      '(psqrt "x")',
      '(plog "x")',
      '(pexp "x")',
      '(pinv "x")',
      '(pdiv "x" "y")',
      '(div 1 "x")',
    ])
  })
})

describe("substituting", () => {
  const term = Term.sub(Term.mul(x, y), x)

  it("takes a record of terms and numbers, all at once", () => {
    const swapped = Term.substitute(term, { x: y, y: x })
    expect(Term.key(swapped)).toBe('(sub (mul "y" "x") "y")')
    expectTypeOf(swapped).toEqualTypeOf<Term.Term<"x" | "y">>()
    const partial = Term.substitute(term, { x: 2 })
    expect(Term.key(partial)).toBe('(sub (mul 2 "y") 2)')
    expectTypeOf(partial).toEqualTypeOf<Term.Term<"y">>()
    const inner = Term.substitute(term, { x: Term.sin(Term.variable("z")) })
    expect(Term.key(inner)).toBe('(sub (mul (sin "z") "y") (sin "z"))')
    expectTypeOf(inner).toEqualTypeOf<Term.Term<"y" | "z">>()
  })

  it("takes a function of the name", () => {
    const renamed = Term.substitute(term, (name) => Term.variable(`${name}1`))
    expect(Term.key(renamed)).toBe('(sub (mul "x1" "y1") "x1")')
    expectTypeOf(renamed).toEqualTypeOf<Term.Term<"x1" | "y1">>()
    expect(Term.key(Term.substitute(term, () => 3))).toBe("(sub (mul 3 3) 3)")
  })

  it("does not take inherited properties for bindings", () => {
    expect(Term.substitute<string, {}>(Term.variable("constructor"), {})).toEqual(
      Term.variable("constructor"),
    )
  })
})

describe("measuring", () => {
  it("counts nodes, levels and names", () => {
    const term = Term.add(Term.sin(Term.mul(y, x)), Term.square(y))
    expect([Term.size(term), Term.depth(term), Term.variables(term)]).toEqual([7, 3, ["y", "x"]])
    expect([Term.size(x), Term.depth(x), Term.variables(Term.constant(1))]).toEqual([1, 0, []])
  })

  it("orders constants, variables, unary and binary nodes, in this order", () => {
    const sorted = [
      Term.constant(-2),
      Term.constant(10),
      x,
      y,
      Term.cos(y),
      Term.sin(x),
      Term.add(x, y),
      Term.add(y, x),
      Term.sub(1, 1),
    ]
    expect(sorted.toReversed().toSorted(Term.Ord.compare)).toEqual(sorted)
  })

  it("keys tell names from numbers and operations", () => {
    expect(Term.key(Term.variable("1"))).not.toBe(Term.key(Term.constant(1)))
    expect(Term.key(Term.variable('x" "y'))).toBe('"x\\" \\"y"')
  })
})

describe("protected operations", () => {
  const at = (term: Term.Term<"x">, value: number) => Term.interpret(Term.arithmetic)(term)(() => value)

  it("have the constants of the paper", () => {
    expect(at(Term.psqrt(x), 0)).toBe(1e-6)
    expect(at(Term.psqrt(x), -4)).toBe(Math.sqrt(4 + 1e-12))
    expect(at(Term.plog(x), 0)).toBe(Math.log(1e-6))
    expect(at(Term.plog(x), -Math.E)).toBe(1)
    expect([at(Term.pexp(x), 900), at(Term.pexp(x), -900)]).toEqual([Math.exp(20), Math.exp(-20)])
    expect([at(Term.pinv(x), 0), at(Term.pinv(x), -1e-9), at(Term.pinv(x), 4)]).toEqual([1e6, -1e6, 0.25])
    expect([at(Term.pdiv(3, x), 0), at(Term.pdiv(3, x), -2)]).toEqual([3 / 1e-6, -1.5])
  })

  it("expand to primitives", () => {
    expect(Term.key(Term.expand(Term.pdiv(Term.psqrt(x), Term.plog(y))))).toBe(
      '(div (sqrt (add (abs "x") 1e-12)) (guard (log (max (abs "y") 0.000001))))',
    )
    expect(Term.key(Term.expand(Term.pinv(Term.pexp(x))))).toBe(
      '(div 1 (guard (exp (min (max "x" -20) 20))))',
    )
  })
})
