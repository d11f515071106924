import { describe, expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import { latex } from "../../../src/expr/text/latex.ts"
import { sympy } from "../../../src/expr/text/sympy.ts"
import * as Term from "../../../src/expr/Term.ts"

const x = Term.variable("x")
const y = Term.variable("y")
const value = (operator: Operator.Operator, a: number, b = Number.NaN): number =>
  Term.interpret(Term.arithmetic)(operator.term)((name) => (name === "x" ? a : b))

describe("an operator", () => {
  it("is its name, its arity and one term", () => {
    const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
    expect(gauss).toEqual({
      name: "gauss",
      arity: 1,
      term: Term.exp(Term.neg(Term.square(x))),
      commutative: false,
      complexity: 3,
    })
    const scaled = Operator.binary("scaled", (x, y) => Term.mul(2, Term.add(x, y)), { complexity: 1.5 })
    expect(scaled).toMatchObject({ arity: 2, commutative: true, complexity: 1.5 })
  })

  it("counts operations", () => {
    expect(Operator.div.complexity).toBe(1)
    expect(Operator.cube.complexity).toBe(2)
    expect(Operator.unary("one", () => Term.constant(1)).complexity).toBe(0)
  })

  it.each([
    ["x + y", Term.add(x, y), true],
    ["x - y", Term.sub(x, y), false],
    ["|x - y|, which commutes by no rule of terms", Term.abs(Term.sub(x, y)), false],
    ["(x + y)^2 / (y + x)", Term.div(Term.square(Term.add(x, y)), Term.add(y, x)), true],
    ["x y + x", Term.add(Term.mul(x, y), x), false],
    ["x sin y + y sin x", Term.add(Term.mul(x, Term.sin(y)), Term.mul(y, Term.sin(x))), true],
    ["max(x, min(x, y))", Term.max(x, Term.min(x, y)), false],
    ["pow(x, y)", Term.pow(x, y), false],
    ["a constant", Term.constant(3), true],
  ])("commutes by its term: %s", (_, term, commutes) => {
    expect(Operator.binary("f", () => term).commutative).toBe(commutes)
  })

  it("is applied by substitution, all arguments at once", () => {
    expect(Operator.apply(Operator.sub, [y, x])).toEqual(Term.sub(y, x))
    expect(Operator.apply(Operator.square, [Term.add(x, y)])).toEqual(Term.square(Term.add(x, y)))
    expect(() => Operator.apply(Operator.sub, [x])).toThrow("the operator sub takes 2 operands, not 1")
    expect(() => Operator.apply(Operator.sin, [x, y])).toThrow("the operator sin takes 1 operands, not 2")
  })

  it("has a domain", () => {
    expect(Operator.domain(Operator.div)).toEqual([{ argument: y, relation: "nonzero" }])
    expect(Operator.domain(Operator.inv)).toEqual([{ argument: x, relation: "nonzero" }])
    expect(Operator.domain(Operator.log)).toEqual([{ argument: x, relation: "positive" }])
    expect(Operator.domain(Operator.sqrt)).toEqual([{ argument: x, relation: "nonnegative" }])
    expect(Operator.domain(Operator.mul)).toEqual([])
    const nested = Operator.unary("f", (x) => Term.asin(Term.log(Term.sqrt(x))))
    expect(Operator.domain(nested)).toEqual([
      { argument: Term.log(Term.sqrt(x)), relation: "within [-1, 1]" },
      { argument: Term.sqrt(x), relation: "positive" },
      { argument: x, relation: "nonnegative" },
    ])
  })
})

describe("the operators that ship", () => {
  it("are listed under their own names", () => {
    for (const [name, operator] of Object.entries(Operator.shipped)) expect(operator.name).toBe(name)
    const commuting = Object.values(Operator.shipped).filter(({ commutative }) => commutative)
    expect(commuting.map(({ name }) => name)).toEqual(["add", "mul", "min", "max"])
  })

  it("mean what they are called", () => {
    const [a, b] = [1.25, 2.5]
    const meaning: Readonly<Record<Operator.ShippedName, number>> = {
      add: a + b,
      sub: a - b,
      mul: a * b,
      div: a / b,
      pow: a ** b,
      min: a,
      max: b,
      neg: -a,
      square: a * a,
      cube: a ** 3,
      sqrt: Math.sqrt(a),
      inv: 1 / a,
      abs: a,
      sin: Math.sin(a),
      cos: Math.cos(a),
      tan: Math.tan(a),
      tanh: Math.tanh(a),
      atan: Math.atan(a),
      exp: Math.exp(a),
      log: Math.log(a),
    }
    for (const operator of Object.values(Operator.shipped))
      expect(value(operator, a, b)).toBeCloseTo(meaning[operator.name], 11)
  })

  it("are the true operations, at any magnitude and beyond their domains", () => {
    expect(value(Operator.div, 3, 0)).toBe(Infinity)
    expect(value(Operator.div, 3e-20, -1e-10)).toBe(3e-20 / -1e-10)
    expect(value(Operator.inv, 0)).toBe(Infinity)
    expect(value(Operator.inv, 1e-200)).toBe(1e200)
    expect(value(Operator.log, 1e-30)).toBe(Math.log(1e-30))
    expect(value(Operator.log, -1)).toBeNaN()
    expect(value(Operator.exp, 100)).toBe(Math.exp(100))
    expect(value(Operator.sqrt, 1e-12)).toBe(1e-6)
    expect(value(Operator.sqrt, -1)).toBeNaN()
  })

  it("have no guard, clip or epsilon in any notation", () => {
    for (const { name, term } of Object.values(Operator.shipped)) {
      expect({ name, term: Term.expand(term) }).toEqual({ name, term })
      for (const text of [infix(term), latex(term), sympy(term)])
        expect(text).not.toMatch(/guard|Piecewise|1e-|10\^\{-|psqrt|plog|pexp|pinv|pdiv/)
    }
  })
})
