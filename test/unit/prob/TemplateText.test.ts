import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Shape from "../../../src/expr/Shape.ts"
import * as Term from "../../../src/expr/Term.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Template from "../../../src/prob/Template.ts"
import * as TemplateText from "../../../src/prob/TemplateText.ts"

const read = (...texts: ReadonlyArray<string>) => Result.getOrThrow(TemplateText.parse(texts))
const complaint = (...texts: ReadonlyArray<string>): string => {
  const found = TemplateText.parse(texts)
  return Result.isFailure(found) ? found.failure.message : "none"
}
const [t, x, r] = [Term.variable("t"), Term.variable("x"), Term.variable("r")]

describe("the text of a template", () => {
  it("is the template that its holes and columns make", () => {
    const made = Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) =>
      Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))),
    )
    expect(read("f(t)*exp(-g(x))")).toEqual(made)
  })

  it("has outputs by their names, and derivatives of holes", () => {
    const template = read("height = f(t) - f(0)", "speed = D(f)(t)", "`pull` = D(D(f))(2*t)")
    expect(template.outputs.map(({ name }) => name)).toEqual(["height", "speed", "pull"])
    expect(template.columns).toEqual(["t"])
    expect(template.uses.map(({ by }) => by.length)).toEqual([0, 0, 1, 2])
    const argument = template.holes["f"]![0]!
    const cube = Term.mul(Term.square(Term.variable(argument)), Term.variable(argument))
    const laws = Template.laws(template, { f: cube })
    const at = (law: Term.Term): number =>
      Term.interpret(Term.arithmetic)(law)((name) => (name === "t" ? 1.5 : Number.NaN))
    expect(laws.map(at)).toEqual([1.5 ** 3, 3 * 1.5 ** 2, 6 * 3])
  })

  it("names arguments after their columns, where these are the same at all uses", () => {
    expect(read("f(t)*f(t) + g(x, t)").holes).toEqual({ f: ["t"], g: ["x", "t"] })
    expect(read("f(x1) - f(x2)").holes).toEqual({ f: ["r"] })
    expect(read("f(x1, r) - f(x2, r)").holes).toEqual({ f: ["s", "r"] })
    const [law = t] = Template.laws(read("D(f, 2)(x, t)"), { f: Term.mul(x, Term.square(t)) })
    expect(infix(Term.simplify(law))).toBe("2*t*x")
    const [difference = t] = Template.laws(read("f(x1) - f(x2)"), { f: Term.exp(r) })
    expect(infix(difference)).toBe("exp(x1) - exp(x2)")
  })

  it("says the place of a mistake, and what to do", () => {
    expect(complaint("f(t")).toBe('"f(t": expected ")" at column 4')
    expect(complaint("y = f(t) +")).toBe('"y = f(t) +": expected a number, a name or "(" at column 11')
    expect(complaint("2*t")).toBe(
      '"2*t": there is no hole; write a function of unknown form, such as f(x), where the form is not known',
    )
    expect(complaint("f(t) + f(t, x)")).toBe(
      '"f(t) + f(t, x)": expected f with 1 argument, as before, and not with 2 (give two functions two names) at column 8',
    )
    expect(complaint("sine(t)")).toContain("sine is not a function; did you mean sin?")
    expect(complaint("D(f, 2)(t)")).toContain(
      "a derivative of f by one of its 1 argument, and not by number 2",
    )
    expect(complaint("D(f)")).toContain("a derivative has arguments, as in D(f)(t)")
    expect(complaint("f(g(t))")).toContain("columns in the arguments of f, and not the hole g")
    expect(complaint("f(2)")).toBe('"f(2)": the hole f has no column in its 1 argument')
    expect(complaint("a = f(t)", "f(t)")).toContain("several templates have names")
    expect(complaint("a = f(t)", "a = g(t)")).toContain('there is a template of the column "a" already')
    expect(complaint("a = f(t)", "b = g(a)")).toContain('the column "a" is explained')
    expect(complaint("= f(t)")).toContain("expected the name of a column before the sign =")
  })
})

describe("the text of shapes", () => {
  const template = read("f(t) + g(x, t)")
  const shapes = (...texts: ReadonlyArray<string>): string => {
    const found = TemplateText.shapes(texts, template)
    return Result.isFailure(found) ? found.failure.message : JSON.stringify(found.success)
  }

  it("has the shapes of each hole", () => {
    expect(
      Result.getOrThrow(
        TemplateText.shapes(
          ["f: increasing, positive", "g: even in x, limit 0 at infinity in t", "f: periodic 2.5"],
          template,
        ),
      ),
    ).toEqual({
      f: [Shape.increasing("t"), Shape.positive, Shape.periodic("t", 2.5)],
      g: [Shape.even("x"), Shape.limit("t", Infinity, 0)],
    })
  })

  it("says what is wrong", () => {
    expect(shapes("h: positive")).toBe('"h: positive": there is no hole "h"; the holes are: f, g')
    expect(shapes("f: postive")).toContain('there is no shape "postive"; did you mean "positive"?')
    expect(shapes("g: even")).toContain("say of which argument: even in x; the arguments are: x, t")
    expect(shapes("f: even in x")).toContain('it has no argument "x"; the arguments are: t')
    expect(shapes("f: periodic")).toContain("write periodic with its period, a number above 0")
    expect(shapes("f: limit 0 at 1")).toContain("write limit with its value and place")
    expect(shapes("positive")).toContain(
      'expected a hole and its shapes, such as \\"f: positive\\"'.replaceAll("\\", ""),
    )
  })
})
