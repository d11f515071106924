import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Operator from "../../../../src/expr/Operator.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { javascript } from "../../../../src/expr/text/javascript.ts"
import { latex } from "../../../../src/expr/text/latex.ts"
import { numpy } from "../../../../src/expr/text/numpy.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import { sympy } from "../../../../src/expr/text/sympy.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"
import { boundedValue } from "../../../support/errorBounds.ts"

const softplus = Operator.unary("softplus", (x) => Term.log(Term.add(1, Term.exp(x))))
const gauss = Operator.unary("bell curve", (x) => Term.exp(Term.neg(Term.square(x))))
const ratio = Operator.binary("ratio", (x, y) => Term.div(Term.sub(x, y), Term.add(x, y)))
const operators = [softplus, gauss, ratio]

const x = Term.variable("x")
const y = Term.variable("y")

/** Terms with users' operators: every tanh, atan and min stands for one. */
const terms = arbitraryTerm({
  variables: ["x", "y"],
  constants: fc.constantFrom(-2, -1, 0.5, 1, 2, 3),
  operations: ["add", "sub", "mul", "div", "sqrt", "neg", "square", "tanh", "atan", "min"],
  depth: 5,
}).map((term) =>
  Term.fold<Term.Term>((layer) => {
    if (layer._tag === "Unary" && layer.operation === "tanh")
      return Operator.applyByName(softplus, [layer.argument])
    if (layer._tag === "Unary" && layer.operation === "atan")
      return Operator.applyByName(gauss, [layer.argument])
    return layer._tag === "Binary" && layer.operation === "min"
      ? Operator.applyByName(ratio, [layer.left, layer.right])
      : layer
  })(term),
)

describe("operators of users", () => {
  it("stand in texts by their names, and are read back", () => {
    fc.assert(
      fc.property(terms, (term) => {
        expect(parse(infix(term), { operators })).toEqual(Result.succeed(term))
      }),
      { numRuns: 1500 },
    )
  })

  it("keep their values when a law is arranged, whose text reads back as itself", () => {
    let meant = 0
    const value = fc.constantFrom(-2, -0.5, 0, 0.5, 1, 2.5)
    fc.assert(
      fc.property(terms, value, value, (term, a, b) => {
        const arranged = Term.arrange(term)
        const text = infix(arranged)
        expect(infix(Term.arrange(Result.getOrThrow(parse(text, { operators }))))).toBe(text)
        const at = (name: string) => (name === "x" ? a : b)
        const expected = boundedValue(Term.meaning(term), at)
        const found = boundedValue(Term.meaning(arranged), at)
        if (!(expected.error <= 1e-3) || found.error > 1e-3) return
        meant += 1
        expect(Math.abs(found.value - expected.value)).toBeLessThanOrEqual(8 * (found.error + expected.error))
      }),
      { numRuns: 3000 },
    )
    expect(meant).toBeGreaterThan(1000)
  })

  it("have the value and the derivative of their meaning, bit for bit", () => {
    fc.assert(
      fc.property(terms, (term) => {
        const run = (one: Term.Term) =>
          Term.interpret(Term.arithmetic)(one)((name) => (name === "x" ? 0.7 : 1.3))
        expect(run(term)).toBe(run(Term.meaning(term)))
        expect(run(Term.expand(term))).toBe(run(term))
        expect(run(Term.derivative(term, "x"))).toBe(run(Term.derivative(Term.meaning(term), "x")))
      }),
      { numRuns: 1000 },
    )
  })

  it("have a name in infix and LaTeX, and their meaning where a program has to run the text", () => {
    const term = Term.mul(3, Operator.applyByName(softplus, [Term.mul(x, y)]))
    expect(infix(term)).toBe("3*softplus(x*y)")
    expect(latex(term)).toBe("3 \\operatorname{softplus}\\left(x y\\right)")
    expect(sympy(term)).toBe("3*log(1 + exp(x*y))")
    expect(numpy(term)).toBe("3*np.log(1 + np.exp(x*y))")
    expect(javascript(term)).toBe("3*Math.log(1 + Math.exp(x*y))")
    expect(infix(Operator.applyByName(gauss, [x]))).toBe("`bell curve`(x)")
    expect(latex(Operator.applyByName(gauss, [x]))).toBe("\\operatorname{\\text{bell curve}}\\left(x\\right)")
  })

  it("are written by their terms where these have a notation", () => {
    expect(infix(Operator.applyByName(Operator.mul, [x, y]))).toBe("x*y")
    const own = Operator.unary("sin", (argument) => Term.sin(Term.mul(2, argument)))
    expect(infix(Operator.applyByName(own, [x]))).toBe("sin(2*x)")
  })

  it("are unknown to a text without them", () => {
    const failed = parse("softplus(x)")
    expect(Result.isFailure(failed) && failed.failure.message).toContain('"softplus" is not a function')
    expect(Result.isFailure(parse("ratio(x)", { operators }))).toBe(true)
  })
})
