import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/evidence/columns.ts"
import * as ParametricTrees from "../../../../src/evidence/fitted/ParametricTrees.ts"
import * as Prior from "../../../../src/evidence/fitted/jointPrior.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import { dataset } from "../../../support/selected.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.div, Operator.exp, Operator.sqrt, Operator.sin],
  constants: { "2": 2, c: Constant.fitted(Dist.normal(0, 10)) },
})
const c = (value?: number) => Tree.leaf(3, value)
const [mul, div, exp, sqrt, sin] = [0, 1, 2, 3, 4]
const columns = Effect.runSync(
  Columns.make(grammar, dataset({ a: [0.5, 1, 1.7, 2.2], b: [1.2, 0.3, 2, 0.9] }, [0, 0, 0, 0])),
)
/** exp(p a) sin(q b) / (p b), and a tree without numbers */
const trees = (p?: number, q?: number) => [
  Tree.branch(div, [
    Tree.branch(mul, [
      Tree.branch(exp, [Tree.branch(mul, [c(p), Tree.leaf(0)])]),
      Tree.branch(sin, [Tree.branch(mul, [c(q), Tree.leaf(1)])]),
    ]),
    Tree.branch(mul, [c(p), Tree.leaf(1)]),
  ]),
  Tree.branch(sqrt, [Tree.leaf(1)]),
]

describe("a leaf with a fitted value", () => {
  it("is that number to terms, keys and columns", () => {
    const tree = Tree.branch(mul, [c(0.25), Tree.leaf(0)])
    expect(Tree.key(tree)).toBe("o0(t3=0.25,t0)")
    expect(Tree.canonical(grammar, tree)).toEqual(Tree.branch(mul, [Tree.leaf(0), c(0.25)]))
    expect(Term.equals(Tree.toTerm(grammar, tree), Term.mul(0.25, Term.variable("a")))).toBe(true)
    expect([...columns.column(tree).values]).toEqual([0.125, 0.25, 0.425, 0.55])
    expect(Tree.complexity(grammar, tree)).toBe(3)
  })

  it("stands at 1 as long as it has not been fitted", () => {
    expect([...columns.column(c()).values]).toEqual([1, 1, 1, 1])
    expect([...ParametricTrees.make(columns)([c()]).start]).toEqual([1])
  })
})

describe("trees as functions of their numbers", () => {
  const fitted = ParametricTrees.make(columns)(trees(0.4, 1.3))

  it("have each number once", () => {
    expect([...fitted.start]).toEqual([0.4, 1.3])
    expect(fitted.occurrences).toEqual([2, 1])
    expect(ParametricTrees.make(columns)(trees()).start.length).toBe(3)
    expect(ParametricTrees.any(grammar, [trees(1, 2)[1]!])).toBe(false)
  })

  it("have the values of the trees with those numbers", () => {
    const other = [0.7, -2]
    const values = fitted.trees(other).map((tree) => columns.column(tree).values)
    expect(fitted.values(other)).toEqual(values)
    expect(fitted.trees(other)).toEqual(trees(...other).map((tree) => Tree.canonical(grammar, tree)))
  })

  it("have the derivatives that differences have", () => {
    const at = [0.4, 1.3]
    const [dual, plain] = fitted.duals(at)
    expect(plain!.slopes.every((slope) => slope === undefined)).toBe(true)
    // The next call writes into the same columns.
    const slopes = dual!.slopes.map((slope) => slope!.slice())
    const valuesAt = (numbers: ReadonlyArray<number>) => fitted.values(numbers)[0]!.slice()
    at.forEach((value, j) => {
      const h = 1e-5
      const above = valuesAt(at.with(j, value + h))
      const below = valuesAt(at.with(j, value - h))
      slopes[j]!.forEach((slope, i) => expect(slope).toBeCloseTo((above[i]! - below[i]!) / (2 * h), 6))
    })
  })
})

describe("a power of zero", () => {
  const powers = Grammar.make({
    features: ["a"],
    operators: [Operator.pow, Operator.mul],
    constants: { c: Constant.fitted(Dist.normal(0, 10)) },
  })
  const rows = [0, 0.5, 2]
  const on = Effect.runSync(Columns.make(powers, dataset({ a: rows }, [0, 0, 0])))

  it("has the limit of the derivative by its exponent, 0", () => {
    const power = Tree.branch(0, [Tree.leaf(0), Tree.leaf(1, 1.5)])
    const [dual] = ParametricTrees.make(on)([power]).duals([1.5])
    const slopes = dual!.slopes[0]!
    expect(slopes[0]).toBe(0)
    rows.slice(1).forEach((a, i) => expect(slopes[i + 1]).toBeCloseTo(a ** 1.5 * Math.log(a), 12))
  })

  it("has the same slopes in any unit, where a root of 0 has none that is finite, too", () => {
    const roots = Grammar.make({
      features: ["a"],
      operators: [Operator.sqrt, Operator.add],
      constants: { c: Constant.fitted(Dist.normal(0, 10)) },
    })
    const root = Tree.branch(0, [Tree.branch(1, [Tree.leaf(0), Tree.leaf(1, 0)])])
    const slopesIn = (unit: number): ReadonlyArray<number> => {
      const scaled = dataset({ a: rows.map((a) => a * unit) }, [0, 0, 0])
      const [dual] = ParametricTrees.make(Effect.runSync(Columns.make(roots, scaled)))([root]).duals([0])
      return [...dual!.slopes[0]!]
    }
    const plain = slopesIn(1)
    expect(plain.every(Number.isFinite)).toBe(true)
    for (const unit of [1e-20, 1e20])
      slopesIn(unit).forEach((slope, i) => expect((slope * Math.sqrt(unit)) / plain[i]!).toBeCloseTo(1, 9))
  })

  it("has no derivative where it has no value", () => {
    const power = Tree.branch(0, [Tree.leaf(0), Tree.leaf(1, -1)])
    const [dual] = ParametricTrees.make(on)([power]).duals([-1])
    expect(dual!.values[0]).toBe(Infinity)
    expect(Number.isFinite(dual!.slopes[0]![0])).toBe(false)
  })
})

describe("the prior of fitted numbers", () => {
  it("has the derivatives that differences have, whatever its family", () => {
    const priors = [
      Dist.normal(1, 3),
      Dist.halfNormal(2),
      Dist.logNormal(0.3, 0.8),
      Dist.gamma(2.5, 1.5),
      Dist.inverseGamma(3, 2),
    ]
    for (const prior of priors) {
      const one = Prior.joint([0], () => Constant.fitted(prior))
      const h = 1e-3
      const [below, at, above] = [1.4 - h, 1.4, 1.4 + h].map((x) => one([x]))
      expect(at!.slope[0]).toBeCloseTo((above!.log - below!.log) / (2 * h), 5)
      const bend = (below!.slope[0]! - above!.slope[0]!) / (2 * h)
      expect(at!.precision[0]).toBeCloseTo(Math.max(bend, 2 * Math.PI * Math.exp(2 * at!.log)), 5)
    }
    expect(Prior.joint([0], () => Constant.fitted(Dist.halfNormal(2)))([-1]).log).toBe(-Infinity)
  })

  it("shares numbers as an urn does: all ways to share sum to 1", () => {
    // Three occurrences: all apart, one pair (three ways), all one.
    const ways = [[1, 1, 1], [2, 1], [2, 1], [2, 1], [3]]
    expect(ways.reduce((sum, way) => sum + Math.exp(Prior.logSharing(way)), 0)).toBeCloseTo(1, 12)
    expect(Prior.logSharing([1])).toBeCloseTo(0, 15)
  })
})
