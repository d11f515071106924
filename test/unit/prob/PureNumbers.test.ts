import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as EnsemblePrior from "../../../src/evidence/ensemblePrior.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Law from "../../../src/models/law.ts"
import * as Dimensions from "../../../src/prob/Dimensions.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import { pureNumbers } from "../../../src/prob/PureNumbers.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as LawRestrictions from "../../../src/prob/tree/LawRestrictions.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"

const operators = [Operator.add, Operator.mul, Operator.div, Operator.log]
const grammar = Grammar.make({ features: ["m", "v", "e"], operators, constants: { "1": 1 } })
const units = { ...Units.of({ m: "kg", v: "m/s", e: "J", E: "J" }), target: "E" }
const [depth, split] = [2, Prior.splitTable([0.7, 0.4])]
const weights = { operators: [0.2, 0.4, 0.3, 0.1], terminals: [0.3, 0.3, 0.2, 0.2] }
const links = [Link.identity, Link.log]
const [m, v, e] = [Tree.leaf(0), Tree.leaf(1), Tree.leaf(2)] as const
const mul = (x: Tree.Tree, y: Tree.Tree): Tree.Tree => Tree.branch(1, [x, y])
const energy = mul(m, mul(v, v))

const restriction = (given: Dimensions.Units): Restriction.Restriction =>
  pureNumbers(given, {
    operators: () => weights.operators,
    terminals: () => weights.terminals,
    split,
    depth,
  })
/** log r of laws under links, of laws without links if there are none. */
const logOf = (one: Restriction.Restriction, under: ReadonlyArray<Link.Link> = links) => {
  const { folds, states } = Restriction.compile(grammar, [one])
  const log = LawRestrictions.ofTrees(LawRestrictions.make(grammar, folds, under))!
  return (link: number, ...trees: ReadonlyArray<Tree.Tree>): number => log(link, trees.map(states))
}
const of = logOf(restriction(units))
const pure = restriction({ ...units, numbers: "dimensionless" })

/** The prior probability of a tree at the mean weights. */
const probability = (tree: Tree.Tree, at = 0): number => {
  const grows = at === depth ? 0 : [0.7, 0.4][at]!
  return tree._tag === "Leaf"
    ? (1 - grows) * weights.terminals[tree.terminal]!
    : tree.children.reduce(
        (product, child) => product * probability(child, at + 1),
        grows * weights.operators[tree.operator]!,
      )
}

describe("numbers that are pure or have units", () => {
  it("have the odds of the priors of terms, as enumeration has them", () => {
    for (const [link] of links.entries()) {
      const share = (numbers: "free" | "dimensionless"): number => {
        const { suits, of } = Dimensions.make(grammar, { ...units, numbers }, links)
        let sum = 0
        for (const tree of Enumerate.trees(grammar, depth))
          if (suits(link, of(tree))) sum += probability(tree)
        return sum
      }
      const odds = share("free") / share("dimensionless")
      const suited = [e, Tree.branch(3, [e])][link]!
      expect(odds).toBeGreaterThan(5)
      expect(of(link)).toBeCloseTo(0, 12)
      expect(of(link, suited)).toBeCloseTo(Math.log((1 + odds) / 2), 9)
      expect(of(link, suited, suited)).toBeCloseTo(Math.log((1 + odds ** 2) / 2), 9)
      expect(of(link, m)).toBeCloseTo(-Math.LN2, 12)
      expect(of(link, suited, mul(m, v))).toBeCloseTo(-Math.LN2, 12)
      // Where numbers are pure for sure; a search takes the others as well.
      const ofPure = logOf(pure)
      expect(ofPure(link)).toBe(0)
      expect(ofPure(link, suited)).toBeCloseTo(Math.log(odds), 9)
      expect(ofPure(link, suited, suited)).toBeCloseTo(2 * Math.log(odds), 9)
      expect(ofPure(link, suited, mul(m, v))).toBe(-Infinity)
      for (const trees of [[], [suited], [m], [suited, mul(m, v)]])
        expect(logOf(pure.wider!)(link, ...trees)).toBe(of(link, ...trees))
    }
  })

  it("are no concern of a law whose likelihood has no links", () => {
    const none = logOf(restriction(units), [])
    expect(none(0, m)).toBe(0)
    expect(none(0, e, m)).toBe(0)
  })

  it("have laws whose unit few trees have, P = k a^2 q^2 / (c^3 e)", () => {
    const radiated = {
      ...Units.of({ q: "C", a: "m/s^2", e: "C^2/(N m^2)", c: "m/s", P: "W" }, { numbers: "dimensionless" }),
      target: "P",
    }
    const own = Grammar.make({ features: ["q", "a", "e", "c"], operators: [Operator.mul, Operator.div] })
    const { logPrior } = Effect.runSync(
      Effect.flatMap(Plan.declared(Law.model(own, { units: radiated })), ({ likelihood, sites }) =>
        EnsemblePrior.of(likelihood, sites),
      ),
    )
    const over = (x: Tree.Tree, y: Tree.Tree): Tree.Tree => Tree.branch(0, [x, y])
    const [q, a, e, c] = [Tree.leaf(0), Tree.leaf(1), Tree.leaf(2), Tree.leaf(3)] as const
    const law = Tree.branch(1, [over(over(a, a), over(q, q)), over(over(c, c), over(c, e))])
    expect(logPrior(0, [law])).toBeGreaterThan(-50)
    expect(logPrior(0, [over(a, q)])).toBe(-Infinity)
  })

  it("are the default of a law whose target has a unit", () => {
    const own = Grammar.make({ features: ["m", "v", "e"], operators })
    const prior = (given: Dimensions.Units) =>
      Effect.runSync(
        Effect.flatMap(Plan.declared(Law.model(own, { units: given })), ({ likelihood, sites }) =>
          EnsemblePrior.of(likelihood, sites),
        ),
      )
    const identity = 0
    const difference = (tree: Tree.Tree): number => {
      const free = prior({ ...units, numbers: "free" })
      return prior(units).logPrior(identity, [tree]) - free.logPrior(identity, [tree])
    }
    expect(difference(mul(m, v))).toBeCloseTo(-Math.LN2, 9)
    expect(difference(energy)).toBeGreaterThan(1)
    const ofPure = prior({ ...units, numbers: "dimensionless" })
    expect(ofPure.logPrior(identity, [mul(m, v)])).toBe(-Infinity)
    // Either has (1 + odds) / 2 of free numbers, and pure numbers have the odds.
    const odds = 2 * Math.exp(difference(energy)) - 1
    expect(ofPure.logPrior(identity, [energy]) - prior(units).logPrior(identity, [energy])).toBeCloseTo(
      Math.log(odds) - difference(energy),
      9,
    )
    // Without the unit of the target all laws are alike.
    const unknown = prior({ ...units, target: undefined })
    expect(unknown.logPrior(identity, [m])).toBe(
      prior({ ...units, target: undefined, numbers: "free" }).logPrior(identity, [m]),
    )
  })
})
