import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Dimensions from "../../../src/prob/Dimensions.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import { runs } from "../../support/property.ts"

const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
const hypotenuse = Operator.binary("hypotenuse", (x, y) =>
  Term.sqrt(Term.add(Term.square(x), Term.square(y))),
)
const texts = { m: "kg", v: "m/s", w: "km/h", t: "s", a: "rad" }
const features = ["m", "v", "w", "t", "a"]
const operators = [
  ...Operator.named(["add", "sub", "mul", "div", "square", "sqrt", "exp", "log", "sin", "pow", "max", "abs"]),
  gauss,
  hypotenuse,
]
const grammar = Grammar.make({ features, operators, constants: { "1": 1, "2": 2, pi: Math.PI } })
const units = { ...Units.of(texts, { numbers: "dimensionless" }), target: "m" }
const bases = ["kg", "m", "s"]

/** Trees over the terminals and operators of the grammar. */
const trees: fc.Arbitrary<Tree.Tree> = fc.letrec<{ tree: Tree.Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium", maxDepth: 4 },
    fc.nat(grammar.terminals.length - 1).map((terminal) => Tree.leaf(terminal)),
    fc
      .tuple(fc.nat(operators.length - 1), tie("tree"), tie("tree"))
      .map(([operator, left, right]) =>
        Tree.branch(operator, operators[operator]!.arity === 1 ? [left] : [left, right]),
      ),
  ),
})).tree

/** The value of a tree where the base units are as many times smaller as `scales` says: columns have larger numbers. */
const valueAt = (tree: Tree.Tree, at: ReadonlyArray<number>, scales: ReadonlyArray<number>): number =>
  Term.interpret(Term.arithmetic)(Tree.toTerm(grammar, tree))((name) => {
    const { powers } = units.columns[name]!
    const factor = bases.reduce((product, base, i) => product * scales[i]! ** (powers[base] ?? 0), 1)
    return at[features.indexOf(name)]! * factor
  })

const positive = fc.double({ min: 0.5, max: 2, noNaN: true })

describe("dimensions of trees", () => {
  it("follow other base units: a consistent tree is a quantity of its unit whatever these are", () => {
    const { of, unit } = Dimensions.make(grammar, units)
    fc.assert(
      fc.property(
        trees,
        fc.array(positive, { minLength: 5, maxLength: 5 }),
        fc.array(positive, { minLength: 3, maxLength: 3 }),
        (tree, at, scales) => {
          const own = unit(of(tree))
          if (own === undefined) return
          const before = valueAt(tree, at, [1, 1, 1])
          const after = valueAt(tree, at, scales)
          const factor = bases.reduce(
            (product, base, i) => product * scales[i]! ** (own.powers[base] ?? 0),
            1,
          )
          if (!Number.isFinite(before) || Math.abs(before) > 1e6 || !Number.isFinite(factor)) return
          // Differences of equal values are rounding in either unit.
          expect(Math.abs(after - factor * before)).toBeLessThanOrEqual(
            1e-6 * (factor * Math.abs(before) + factor + 1),
          )
        },
      ),
      runs(3000),
    )
  })

  it("refuse sums of unlike quantities, and functions of numbers over others", () => {
    const { of } = Dimensions.make(grammar, units)
    const apply = (name: string, ...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
      Tree.branch(
        operators.findIndex((one) => one.name === name),
        children,
      )
    const leaf = (name: string): Tree.Tree =>
      Tree.leaf(grammar.terminals.findIndex((one) => one.name === name))
    const [m, v, w, t, a, two] = [leaf("m"), leaf("v"), leaf("w"), leaf("t"), leaf("a"), leaf("2")]
    for (const wrong of [
      apply("add", m, v),
      apply("sub", m, two),
      // km/h and m/s are speeds, but not equal units.
      apply("add", v, w),
      apply("hypotenuse", v, t),
      apply("max", m, t),
      apply("sin", v),
      apply("exp", apply("mul", v, t)),
      apply("gauss", m),
      apply("sqrt", apply("log", m)),
      apply("mul", apply("add", m, v), two),
      apply("pow", m, leaf("pi")),
      apply("pow", two, m),
    ])
      expect(of(wrong)).toBe(0)
    for (const right of [
      apply("add", m, m),
      apply("hypotenuse", v, v),
      apply("sin", a),
      apply("exp", apply("div", v, v)),
      apply("sub", apply("log", m), apply("log", m)),
      apply("exp", apply("mul", two, apply("log", m))),
      apply("pow", m, two),
      apply("sqrt", apply("sqrt", m)),
      apply("mul", a, apply("div", m, v)),
    ])
      expect(of(right)).toBeGreaterThan(0)
    expect(of(apply("pow", m, two))).toBe(of(apply("mul", m, m)))
    expect(of(apply("exp", apply("mul", two, apply("log", m))))).toBe(of(apply("mul", m, m)))
  })

  it("of fitted numbers are any where numbers have units", () => {
    const own = Grammar.make({ features, operators, constants: { c: Constant.fitted(Dist.normal(0, 1)) } })
    const leaf = (name: string): Tree.Tree => Tree.leaf(own.terminals.findIndex((one) => one.name === name))
    const apply = (name: string, ...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
      Tree.branch(
        operators.findIndex((one) => one.name === name),
        children,
      )
    const free = Dimensions.make(own, Units.of(texts))
    const pure = Dimensions.make(own, units)
    const shifted = apply("add", leaf("m"), leaf("c"))
    const scaled = apply("exp", apply("mul", leaf("c"), leaf("t")))
    const power = apply("pow", leaf("m"), leaf("c"))
    // A pure number takes up the factor of km/h.
    const converted = apply("add", leaf("v"), apply("mul", leaf("c"), leaf("w")))
    expect([shifted, scaled, power, converted].map((tree) => free.of(tree) > 0)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([shifted, scaled, power, converted].map((tree) => pure.of(tree) > 0)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it("of terms are those that the link of the target takes", () => {
    const pure = Dimensions.make(grammar, { ...units, target: "v" }, Link.shipped)
    const leaf = (name: string): Tree.Tree =>
      Tree.leaf(grammar.terminals.findIndex((one) => one.name === name))
    const apply = (name: string, ...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
      Tree.branch(
        operators.findIndex((one) => one.name === name),
        children,
      )
    const takers = (tree: Tree.Tree): ReadonlyArray<string> =>
      Link.shipped.flatMap(({ name }, link) => (pure.suits(link, pure.of(tree)) ? [name] : []))
    expect(takers(leaf("v"))).toEqual(["identity"])
    // A coefficient converts km/h.
    expect(takers(leaf("w"))).toEqual(["identity"])
    expect(takers(apply("square", leaf("v")))).toEqual(["square"])
    expect(takers(apply("sqrt", leaf("v")))).toEqual(["sqrt"])
    expect(takers(apply("div", leaf("1"), leaf("v")))).toEqual(["inverse"])
    expect(takers(apply("log", leaf("v")))).toEqual(["log"])
    expect(takers(leaf("a"))).toEqual(["log"])
    expect(takers(leaf("m"))).toEqual([])
    const free = Dimensions.make(grammar, { ...Units.of(texts), target: "v" }, Link.shipped)
    // exp y, sin y and cos y need a number.
    expect(
      Link.shipped.flatMap(({ name }, link) => (free.suits(link, free.of(leaf("m"))) ? [name] : [])),
    ).toEqual(["identity", "square", "sqrt", "inverse", "inverseSquare", "log"])
  })

  it("reach the target, or say what is missing", () => {
    const check = (target: string, columns: Readonly<Record<string, string>>) => () =>
      Dimensions.requireReach(
        Object.keys(columns).filter((name) => name !== target),
        { ...Units.of(columns, { numbers: "dimensionless" }), target },
      )
    expect(check("F", { F: "N", m: "kg", a: "m/s^2" })).not.toThrow()
    expect(check("F", { F: "N", m: "kg", v: "m/s", r: "mm" })).not.toThrow()
    expect(check("F", { F: "N", m: "kg", v: "m/s" })).toThrow("no product of powers of the features has it")
    expect(check("F", { F: "N", v: "m/s" })).toThrow(
      'the target "F" has the unit kg m s^-2, but no feature has kg in its unit',
    )
  })
})
