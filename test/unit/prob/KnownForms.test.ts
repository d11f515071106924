// The prior of known forms: a Pitman-Yor process whose masses and new mass sum to 1.
import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"

const laws = [
  { name: "Langmuir isotherm", formula: "c0*p/(c1 + p)" },
  { name: "Monod growth", formula: "c0*S/(c1 + S)" },
  { name: "Ohm's law", formula: "I*R" },
  { name: "Hooke's law", formula: "c0*x" },
  { name: "Work", formula: "F*d" },
  { name: "Drag", formula: "rho*v**2*A" },
]
const forms = KnownForms.of(laws, { discount: 0.4, concentration: 2 })
const x = (name: string) => Term.variable(name)

describe("known forms", () => {
  it("are those of laws that differ in names and numbers", () => {
    expect(forms.forms.map(({ formulas }) => formulas.flatMap(({ laws }) => laws))).toEqual([
      ["Langmuir isotherm", "Monod growth"],
      ["Ohm's law", "Work"],
      ["Hooke's law"],
      ["Drag"],
    ])
    expect(forms.forms.map(({ columns, symmetries }) => [columns, symmetries])).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
      [3, 2],
    ])
  })

  it.each([1, 2, 3, 5])("have masses that sum to 1 with that of new forms, over %i columns", (features) => {
    const among = KnownForms.among(forms, features)
    const names = Array.from({ length: features }, (_, j) => `x${j}`)
    const orders = (left: ReadonlyArray<string>, count: number): ReadonlyArray<ReadonlyArray<string>> =>
      count === 0
        ? [[]]
        : left.flatMap((name, k) => orders(left.toSpliced(k, 1), count - 1).map((rest) => [name, ...rest]))
    // Each function of the columns once: as often as its orders are symmetries of it.
    const known = forms.forms
      .filter(({ columns }) => columns <= features)
      .map((form) => {
        // With the units of the law, or with others and one number more.
        const mass = [0, 1].reduce((sum, more) => {
          const own = { key: form.key, columns: names.slice(0, form.columns) }
          return sum + Math.exp(among.find(own, form.formulas[0].numbers.length + more)!.logMass)
        }, 0)
        return (mass * orders(names, form.columns).length) / form.symmetries
      })
    expect(known.reduce((sum, mass) => sum + mass, Math.exp(among.logNew))).toBeCloseTo(1, 12)
  })

  it("have the masses of the process by hand", () => {
    const among = KnownForms.among(forms, 2)
    // Laws of up to two columns: five, of three forms.
    expect(Math.exp(among.logNew)).toBeCloseTo((2 + 0.4 * 3) / (5 + 2), 12)
    const product = Term.family(Term.mul(x("a"), x("b")))
    expect(Math.exp(among.find(product, 1)!.logMass)).toBeCloseTo(((2 - 0.4) / (5 + 2)) * 0.25, 12)
    const line = Term.family(Term.mul(3, x("a")))
    expect(Math.exp(among.find(line, 1)!.logMass)).toBeCloseTo(((1 - 0.4) / (5 + 2) / 2) * 0.75, 12)
  })

  it("are less probable with a number that is exact by chance, and are not those of laws with more numbers", () => {
    const among = KnownForms.among(forms, 1)
    const saturating = Term.family(Term.div(x("a"), Term.add(x("a"), 1)))
    const [free, exact] = [among.find(saturating, 2)!, among.find(saturating, 1)!]
    expect(free.logMass - exact.logMass).toBeCloseTo(Math.log(20), 12)
    expect(free.logMass - among.find(saturating, 3)!.logMass).toBeCloseTo(Math.log(3), 12)
    expect(among.find(saturating, 4)).toBeUndefined()
    expect(among.find(saturating, 2, undefined, -1.5)!.logMass).toBeCloseTo(free.logMass - 1.5, 12)
  })

  it("have as many ways to write them as laws fit other numbers, those of most numbers first", () => {
    const { forms: both } = KnownForms.of([
      { name: "charging", formula: "c0*(1 - exp(-t/c1))" },
      { name: "cooling", formula: "c0 + c1*exp(-c2*t)" },
      { name: "growth", formula: "c0*(1 - exp(-c1*x))" },
      { name: "warming", formula: "c0 - c1*exp(c2*x)" },
    ])
    expect(both.map(({ formulas }) => formulas)).toEqual([
      [
        { formula: "c0 + c1*exp(-c2*t)", numbers: ["c0", "c1", "c2"], laws: ["cooling", "warming"] },
        { formula: "c0*(1 - exp(-t/c1))", numbers: ["c0", "c1"], laws: ["charging", "growth"] },
      ],
    ])
    const among = KnownForms.among({ forms: both, discount: 0.4, concentration: 2 }, 1)
    const curve = Term.family(Term.add(1, Term.exp(x("a"))))
    const isCooling: KnownForms.IsWritten = (one) => one === both[0]!.formulas[0]
    // Two of the four laws are written so, whose third number is exact by chance.
    const [all, cooling] = [among.find(curve, 2)!, among.find(curve, 2, isCooling)!]
    const each = (4 - 0.4) / 4 / (4 + 2)
    expect(Math.exp(all.logMass)).toBeCloseTo((2 + 2 / 20) * 0.75 * each, 12)
    expect(Math.exp(cooling.logMass)).toBeCloseTo((2 / 20) * 0.75 * each, 12)
    expect(cooling.formulas).toEqual([both[0]!.formulas[0]])
    expect(among.find(curve, 2, () => false)).toBeUndefined()
  })

  it("do not hold a form of other columns", () => {
    expect(KnownForms.among(forms, 3).find(Term.family(Term.sin(x("a"))), 1)).toBeUndefined()
    expect(KnownForms.among(forms, 1).find(Term.family(Term.mul(x("a"), x("b"))), 1)).toBeUndefined()
    expect(KnownForms.among(KnownForms.none, 3).logNew).toBe(0)
  })

  it("name the law that cannot be read", () => {
    expect(() => KnownForms.of([{ name: "Mine", formula: "2*(x" }])).toThrow(/"Mine" cannot be read/)
  })
})
