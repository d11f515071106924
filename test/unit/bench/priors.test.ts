// The corpus of named laws on which the default prior over forms is fitted, its independence of the benchmarks, and the
// algebra that brings a law to the form of the model.
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { formOf, laws, leftOut, termOf } from "../../../bench/priors/corpus.ts"
import { constantsOf } from "../../../bench/priors/constants.ts"
import { both, forms } from "../../../bench/priors/fit.ts"
import * as NormalForm from "../../../bench/priors/normalForm.ts"
import { classOf, frequencies } from "../../../bench/priors/page.ts"
import { all } from "../../../bench/priors/representation.ts"
import { lawOf, sample, sets } from "../../../bench/priors/sets.ts"
import * as Sums from "../../../bench/priors/sum.ts"
import * as Trees from "../../../bench/priors/tree.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import { distinct, known } from "../../../bench/priors/known.ts"
import * as FormPrior from "../../../src/models/FormPrior.ts"
import { named } from "../../../src/models/NamedForms.ts"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import { curves } from "../../../src/models/CurveForms.ts"
import { laws as lawForms } from "../../../src/models/LawForms.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Link from "../../../src/prob/Link.ts"

describe("the corpus of named laws", () => {
  it("has more than 250 laws, each once, with a field and a source", () => {
    expect(laws.length).toBeGreaterThan(250)
    expect(new Set(laws.map(({ name }) => name)).size).toBe(laws.length)
    for (const { field, source } of laws) {
      expect(field).not.toBe("")
      expect(source).toMatch(/\w{3}/)
    }
  })

  it("has formulas over at least one column, with fitted numbers c0, c1, ... without a gap", () => {
    for (const { formula } of laws) {
      const names = [...new Set(formula.match(/\b[A-Za-z_]\w*/g))]
      const numbers = names.filter((name) => /^c\d+$/.test(name)).sort()
      expect(numbers).toEqual(numbers.map((_, k) => `c${k}`))
      expect(formOf({ formula }).columns.length).toBeGreaterThan(0)
    }
  })

  it("has none of the laws that are left out because a benchmark has them", () => {
    expect(leftOut.length).toBeGreaterThan(40)
    expect(laws.filter(({ name }) => leftOut.includes(name))).toEqual([])
  })
})

describe("representations of laws", () => {
  /** The terms of a law under a link. */
  const terms = (formula: string, link: string): ReadonlyArray<ReadonlyArray<string>> =>
    all({ name: "", field: "", formula, source: "" })
      .filter((one) => one.link === link)
      .map(({ trees }) => trees.map(Trees.text))

  it("are linear in free coefficients under the right link", () => {
    expect(terms("c0*S/(c1*(1 + I/c2) + S)", "inverse")).toContainEqual(["div(I, S)", "div(1, S)"])
    expect(terms("c0*T**c1*exp(-c2/T)", "log")).toContainEqual(["log(T)", "div(1, T)"])
    expect(terms("sqrt(a**2 + 2*b)", "square")).toContainEqual(["square(a)", "b"])
    expect(terms("v*log(m0/m1)", "identity")).toContainEqual(["mul(v, log(div(m0, m1)))"])
  })

  it("keep fitted numbers apart that are not the same", () => {
    expect(terms("c0*exp(-c1*t) + c2*exp(-c3*t)", "identity")).toContainEqual([
      "exp(mul(c, t))",
      "exp(mul(c, t))",
    ])
  })

  it("name the place of a fitted number", () => {
    const [one] = all({ name: "", field: "", formula: "c0*sin(c1*x + c2)/(c3 + x**c4)", source: "" })
    const places = one!.trees
      .flatMap((tree) => Trees.nodes(tree))
      .flatMap(({ tree }) =>
        tree._tag === "Leaf" && typeof tree.terminal !== "string" && tree.terminal._tag === "Fitted"
          ? [tree.terminal.place]
          : [],
      )
    expect(places.toSorted()).toEqual(["exponent", "rate or scale", "shift", "shift"])
  })

  it("are of equal value: a sum multiplied out is the sum", () => {
    const sum = NormalForm.of(termOf("(x + 2)*(y - 3)"))
    expect(Sums.key(NormalForm.distributed(sum))).toBe(Sums.key(NormalForm.of(termOf("x*y - 3*x + 2*y - 6"))))
  })
})

describe("the default prior over forms", () => {
  const fitted = both(distinct(laws))
  const { prior, represented } = fitted.laws

  it("is what the corpus says, of laws and of those of one column", () => {
    expect(forms(fitted)).toEqual({ laws: lawForms, curves })
  })

  it("has the frequencies of exact numbers, by the number of columns", () => {
    expect(constantsOf(represented)).toEqual(Constants.frequencies)
  })

  it("has the known forms of the corpus", () => {
    expect(named).toEqual(known(laws))
  })

  it("has concentrations whose means are near the shares of the uses", () => {
    const counts = new Map(
      frequencies(
        represented.flatMap(({ trees }) =>
          trees.flatMap((tree) =>
            Trees.nodes(tree).flatMap(({ tree }) => (tree._tag === "Node" ? [tree.operator] : [])),
          ),
        ),
      ),
    )
    const uses = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const total = [...prior.operators.values()].reduce((sum, value) => sum + value, 0)
    for (const name of ["mul", "div", "add", "square"])
      expect(
        Math.abs((counts.get(name) ?? 0) / uses - (prior.operators.get(name) ?? 0) / total),
      ).toBeLessThan(0.06)
  })

  it("gives an operator of a user's own a concentration, and links of any list probabilities", () => {
    const own = Operator.unary("gauss", (x) => x)
    const grammar = Grammar.make({
      features: ["x", "y"],
      operators: [Operator.mul, own],
      constants: { pi: Math.PI, g: 9.81 },
    })
    const { operators, terminals, links } = FormPrior.of(grammar)
    expect(operators).toEqual([lawForms.operators["mul"], FormPrior.others.operator])
    expect(terminals).toEqual([2, 2, lawForms.terminals["pi"], FormPrior.others.constant])
    expect(links([Link.identity])).toEqual([1])
    const [log, identity] = links([Link.log, Link.identity])
    expect(log! + identity!).toBeCloseTo(1, 12)
    expect(identity! / log!).toBeCloseTo(lawForms.links["identity"]! / lawForms.links["log"]!, 12)
  })

  it("has that of curves for a grammar of one feature", () => {
    const grammar = Grammar.make({
      features: ["x"],
      operators: [Operator.mul, Operator.exp],
      constants: { 1: 1, k: Constant.scaleFree },
    })
    const { operators, terminals } = FormPrior.of(grammar)
    expect(operators).toEqual([curves.operators["mul"], curves.operators["exp"]])
    expect(terminals).toEqual([2, curves.terminals["1"], curves.terminals["fitted"]])
    // A curve has fitted numbers and exponentials.
    expect(curves.terminals["fitted"]).toBeGreaterThan(lawForms.terminals["fitted"]!)
    expect(curves.operators["exp"]! / curves.operators["mul"]!).toBeGreaterThan(
      lawForms.operators["exp"]! / lawForms.operators["mul"]!,
    )
  })

  it("classifies coefficients", () => {
    const values = [1, -1, 2, 0.5, 3, 4 / 3, Math.PI / 8, 4 * Math.PI, 0.0137, "fitted"] as const
    expect(values.map(classOf)).toEqual([
      "1",
      "1",
      "2, 1/2",
      "2, 1/2",
      "p/q with p q at most 20",
      "p/q with p q at most 20",
      "with pi",
      "with pi",
      "other",
      "fitted",
    ])
  })

  it("is described on a page that names the corpus' size", () => {
    const text = readFileSync("docs/reference/form-prior.md", "utf8")
    expect(text).toContain(`What ${laws.length} named laws`)
  })
})

describe("small data sets of the corpus", () => {
  it("are forty of laws in it, with a number for each fitted one, the same on every call", () => {
    expect(sets).toHaveLength(40)
    for (const [place, set] of sets.entries()) {
      const { formula } = lawOf(set)
      expect(Object.keys(set.ranges).toSorted()).toEqual([...formOf({ formula }).columns].toSorted())
      expect(new Set(formula.match(/\bc\d+\b/g)).size).toBe(set.numbers.length)
      const { y } = sample(set, place)
      expect(y.every(Number.isFinite)).toBe(true)
      expect(sample(set, place).y).toEqual(y)
    }
  })
})
