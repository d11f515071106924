import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { infix } from "../../../../src/expr/text/infix.ts"
import { latex } from "../../../../src/expr/text/latex.ts"
import { sympy } from "../../../../src/expr/text/sympy.ts"
import { parse, TermParseError } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"

const read = (text: string): Term.Term => Result.getOrThrow(parse(text))
const x = Term.variable("x")
const y = Term.variable("y")
const z = Term.variable("z")

describe("infix", () => {
  it.each<readonly [Term.Term, string]>([
    [Term.neg(Term.square(x)), "-x^2"],
    [Term.square(Term.neg(x)), "(-x)^2"],
    [Term.pow(x, 2), "pow(x, 2)"],
    [Term.pow(x, Term.pow(y, z)), "x^y^z"],
    [Term.pow(Term.pow(x, y), z), "(x^y)^z"],
    [Term.pow(x, -0.5), "x^(-0.5)"],
    [Term.pow(-2, x), "(-2)^x"],
    [Term.sub(x, Term.sub(y, z)), "x - (y - z)"],
    [Term.sub(Term.sub(x, y), z), "x - y - z"],
    [Term.div(x, Term.mul(y, z)), "x/(y*z)"],
    [Term.mul(Term.div(x, y), z), "x/y*z"],
    [Term.neg(Term.mul(x, y)), "-x*y"],
    [Term.mul(Term.neg(x), y), "(-x)*y"],
    [Term.mul(-2, x), "-2*x"],
    [Term.add(Term.mul(8985000000, x), 2459001), "8.985e9*x + 2459001"],
    [Term.neg(Term.mul(2, x)), "-(2*x)"],
    [Term.neg(Term.constant(2)), "-(2)"],
    [Term.add(x, -2), "x + (-2)"],
    [Term.constant(1e-7), "1e-7"],
    [Term.constant(1e21), "1e21"],
    [Term.constant(0.1 + 0.2), "0.30000000000000004"],
    [Term.pdiv(Term.plog(x), Term.min(y, 1)), "pdiv(plog(x), min(y, 1))"],
    [Term.variable("mass (kg)"), "`mass (kg)`"],
    [Term.variable("sin"), "`sin`"],
    [Term.variable("a`b"), "`a``b`"],
    [Term.variable("größe_2"), "größe_2"],
  ])("%o prints as %s", (term, text) => expect(infix(term)).toBe(text))

  it("rounds to significant digits on request", () => {
    expect(infix(Term.mul(3.14159, Term.add(x, 123_456)), { precision: 3 })).toBe("3.14*(x + 123000)")
  })

  it("writes pi by its name, and a variable of that name in backticks", () => {
    const pi = Term.constant(Math.PI)
    const named = Term.variable("pi")
    for (const [term, text] of [
      [Term.mul(pi, Term.square(x)), "pi*x^2"],
      [Term.div(x, Term.mul(4, pi)), "x/(4*pi)"],
      [Term.sub(Term.neg(pi), Term.mul(Term.neg(pi), x)), "-pi - (-pi)*x"],
      [Term.constant(-Math.PI), "-3.141592653589793"],
      [Term.mul(named, pi), "`pi`*pi"],
    ] as const) {
      expect(infix(term)).toBe(text)
      expect(read(text)).toEqual(term)
    }
    expect(infix(Term.mul(pi, x), { precision: 3 })).toBe("pi*x")
    expect(latex(Term.mul(Term.mul(2, pi), x))).toBe(String.raw`2 \pi x`)
    expect(sympy(Term.mul(named, pi))).toBe("Symbol('pi')*pi")
  })
})

describe("parse", () => {
  it.each([
    ["2**3**x", "2^3^x"],
    ["x ^ 2.0", "x^2"],
    ["--x", "-(-x)"],
    ["+x - -y", "x - (-y)"],
    ["x^-2*y", "x^(-2)*y"],
    ["-2^2", "-2^2"],
    ["((x))", "x"],
    [".5*1.e2", "0.5*100"],
    ["ln(x) + arctan(y)/arcsin(z) - arccos(1)", "log(x) + atan(y)/asin(z) - acos(1)"],
    ["inv(square(x))", "1/x^2"],
    ["\t x\n+ y", "x + y"],
  ])("%s is %s", (text, printed) => expect(infix(read(text))).toBe(printed))

  it("takes -2 for a constant, -x and -2^x for negations", () => {
    expect(read("-2")).toEqual(Term.constant(-2))
    expect(read("-x")).toEqual(Term.neg(x))
    expect(read("-2^x")).toEqual(Term.neg(Term.pow(2, x)))
    expect(read("x*-2")).toEqual(Term.mul(x, -2))
  })

  it.each([
    ["", 1, 'a number, a name or "("'],
    ["sin()", 5, 'a number, a name or "("'],
    ["2x", 2, "an operator or the end"],
    ["x $ y", 3, "an operator or the end"],
    ["(x + y", 7, '")"'],
    ["x + y)", 6, "an operator or the end"],
    ["x +", 4, 'a number, a name or "("'],
    ["f(x)", 2, 'an operator ("f" is not a function)'],
    ["sin x", 5, '"(" (sin is a function; a variable of that name is written `sin`)'],
    ["sin(x, y)", 6, '")" (sin takes one argument)'],
    ["max(x)", 6, '"," (max takes two arguments)'],
    ["max(x, y, z)", 9, '")" (max takes two arguments)'],
    ["1e999", 1, "a number below 1.8e308"],
    ["`x", 1, 'a number, a name or "("'],
  ])("%s: error at column %i", (text, column, expected) => {
    expect(parse(text)).toEqual(
      Result.fail(
        new TermParseError({
          message: `expected ${expected} at column ${column}: "${text}"`,
          text,
          position: column - 1,
          expected,
        }),
      ),
    )
  })

  it("shows the surroundings of an error in a long text", () => {
    const text = `${"x + ".repeat(100)}$${" + x".repeat(100)}`
    const { message } = Result.getOrThrow(Result.flip(parse(text)))
    expect(message).toMatch(/at column 401: "\.\.\.x \+ .*\$ \+ x.*\.\.\."$/)
    expect(message.length).toBeLessThan(160)
  })

  it.each([
    ["brackets", "(".repeat(5000)],
    ["signs", `${"-".repeat(5000)}x`],
    ["powers", `${"x^".repeat(5000)}x`],
    ["sums", `${"x + ".repeat(5000)}x`],
    ["calls", "sin(".repeat(5000)],
  ])("refuses %s that nest too deep, and does not overflow the stack", (_, text) => {
    expect(Result.getOrThrow(Result.flip(parse(text))).expected).toMatch(/at most 1000 \w+ deep/)
  })

  it("reads what is 1000 deep, and folds do too", () => {
    const term = read(`${"x + ".repeat(900)}x`)
    expect(infix(Term.simplify(Term.derivative(term, "x")))).toBe("901")
  })
})

describe("latex", () => {
  it.each([
    ["q1^2/(4*pi*epsilon_0*r^2)", String.raw`\frac{q_{1}^{2}}{4 \pi \epsilon_{0} r^{2}}`],
    ["-x*y + 2*x0", String.raw`-x y + 2 x_{0}`],
    ["x - (y - z)", String.raw`x - \left(y - z\right)`],
    ["x*(-y)*2", String.raw`x \left(-y\right) \cdot 2`],
    ["2*(1/x)", String.raw`2 \cdot \frac{1}{x}`],
    ["sin(theta)^2", String.raw`\sin^{2}\left(\theta\right)`],
    ["exp(-x^2/2)/sqrt(2*pi)", String.raw`\frac{e^{-\frac{x^{2}}{2}}}{\sqrt{2 \pi}}`],
    ["(-2)^x", String.raw`\left(-2\right)^{x}`],
    ["(x/y)^2", String.raw`\left(\frac{x}{y}\right)^{2}`],
    ["exp(x)^2", String.raw`\left(e^{x}\right)^{2}`],
    ["(x^y)^z", String.raw`\left(x^{y}\right)^{z}`],
    ["1e-7*x - 1.5e21", String.raw`10^{-7} x - 1.5 \cdot 10^{21}`],
    ["abs(x)*sign(y)", String.raw`\left|x\right| \operatorname{sign}\left(y\right)`],
    ["arcsin(x) + min(x, y)", String.raw`\arcsin\left(x\right) + \min\left(x, y\right)`],
    [
      "pdiv(plog(x), psqrt(y))*pinv(guard(z))",
      String.raw`\operatorname{pdiv}\left(\operatorname{plog}\left(x\right), \operatorname{psqrt}\left(y\right)\right) \operatorname{pinv}\left(\operatorname{guard}\left(z\right)\right)`,
    ],
    ["semi_major_axis^2", String.raw`\text{semi\_major\_axis}^{2}`],
    ["mass*v_max/Omega_b_2", String.raw`\frac{\mathrm{mass} \, v_{\mathrm{max}}}{\Omega_{b,2}}`],
    ["c*hbar/E_n", String.raw`\frac{c \hbar}{E_{n}}`],
    ["-2*x/mass*T", String.raw`-\frac{2 x}{\mathrm{mass}} T`],
    ["x^(-1/b)", String.raw`x^{-\frac{1}{b}}`],
    ["`50% {m}`", String.raw`\text{50\% \{m\}}`],
    ["`a\\b^c`", String.raw`\text{a\textbackslash{}b\textasciicircum{}c}`],
  ])("%s is set as %s", (text, expected) => expect(latex(read(text))).toBe(expected))

  it("rounds and renames on request", () => {
    expect(latex(read("3.14159*beta"), { precision: 3, variable: () => "\\hat\\beta" })).toBe(
      String.raw`3.14 \hat\beta`,
    )
  })
})
