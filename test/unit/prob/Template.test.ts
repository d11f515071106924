import { describe, expect, it } from "vitest"
import { SettingError } from "../../../src/errors/Setting.ts"
import * as Term from "../../../src/expr/Term.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Template from "../../../src/prob/Template.ts"

const [t, x, r] = [Term.variable("t"), Term.variable("x"), Term.variable("r")]

describe("a template", () => {
  it("has a term in each hole, at the arguments of each use", () => {
    const template = Template.make({ f: { r: ["x1", "x2"] }, g: ["t"] }, ({ f, g }, { x1, x2, t }) =>
      Term.mul(Term.sub(f({ r: x1 }), f({ r: Term.square(x2) })), g({ t })),
    )
    expect(template.columns).toEqual(["x1", "x2", "t"])
    expect(template.holes).toEqual({ f: ["r"], g: ["t"] })
    const [law = Term.constant(0)] = Template.laws(template, { f: Term.add(r, 1), g: Term.exp(t) })
    expect(infix(law)).toBe("(x1 + 1 - (x2^2 + 1))*exp(t)")
  })

  it("has derivatives of holes at their arguments", () => {
    const template = Template.make({ f: ["t"], k: ["x"] }, ({ f, k }, { t, x }, D) =>
      Term.add(D("f", "t")({ t: Term.mul(2, t) }), Term.mul(k({ x }), f({ t }))),
    )
    const [law = Term.constant(0)] = Template.laws(template, { f: Term.mul(t, Term.mul(t, t)), k: x })
    const value = Term.interpret(Term.arithmetic)(law)((name) => (name === "t" ? 1.5 : 0.7))
    expect(value).toBeCloseTo(3 * (2 * 1.5) ** 2 + 0.7 * 1.5 ** 3, 12)
  })

  it("has outputs that share holes", () => {
    const template = Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }, D) => ({
      height: Term.add(f({ t }), g({ x })),
      speed: D("f", "t")({ t }),
    }))
    expect(template.outputs.map(({ name }) => name)).toEqual(["height", "speed"])
    const laws = Template.laws(template, { f: Term.mul(3, Term.square(t)), g: x })
    expect(laws.map((law) => infix(Term.simplify(law)))).toEqual(["3*t^2 + x", "3*(2*t)"])
    expect(() => Template.make({ f: ["t"] }, ({ f }, { t }) => ({ height: f({ t }), speed: t }))).toThrow(
      'the output "speed" of the template has no hole',
    )
  })

  it("has its holes in its form, each of some column", () => {
    expect(() => Template.make({ f: ["t"], g: ["x"] }, ({ f }, { t }) => f({ t }))).toThrow(
      'the form of the template does not have its hole "g"',
    )
    expect(() => Template.make({}, () => Term.constant(1))).toThrow(SettingError)
    expect(() => Template.make({ f: [] }, () => Term.constant(1))).toThrow(
      'the hole "f" is a function of no column',
    )
  })
})
