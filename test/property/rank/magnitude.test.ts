import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Law from "../../../src/models/law.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import { runs } from "../../support/property.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.div] })
const program = Law.model(grammar)
const names = (Law.defaults.links ?? []).map(({ name }) => name)

const draws = Rng.generator(Rng.key(4))
const rows = 30
const columns = [0, 1].map(() => Float64Array.from({ length: rows }, () => 1 + draws.next()))
const y = Float64Array.from(columns[0]!, (a, i) => (a * a) / columns[1]![i]! + 0.1 * draws.next())

const scaled = (powers: ReadonlyArray<number>): Dataset => ({
  features: ["a", "b"],
  columns: columns.map((column, j) => column.map((value) => value * 10 ** powers[j]!)),
  target: "y",
  y: y.map((value) => value * 10 ** powers[2]!),
  rows,
})

const scorerOf = (data: Dataset) =>
  Effect.runSync(Effect.flatMap(Plan.declared(program), (plan) => Scorer.make(plan, { train: data })))

const plain = scorerOf(scaled([0, 0, 0]))

/** Products and quotients of up to four features. */
const monomial: fc.Arbitrary<Tree.Tree> = fc
  .tuple(fc.nat({ max: 1 }), fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 })), { maxLength: 3 }))
  .map(([first, rest]) =>
    rest.reduce<Tree.Tree>(
      (tree, [operator, feature]) => Tree.branch(operator, [tree, Tree.leaf(feature)]),
      Tree.leaf(first),
    ),
  )
const power = fc.integer({ min: -40, max: 40 })

/** The power of ten of a monomial, by those of its features. */
const exponentOf = (tree: Tree.Tree, powers: ReadonlyArray<number>): number => {
  if (tree._tag === "Leaf") return powers[tree.terminal]!
  const [left = 0, right = 0] = tree.children.map((child) => exponentOf(child, powers))
  return tree.operator === 0 ? left + right : left - right
}
/** The power of ten of the linear part, as a multiple of that of y. */
const exponents = { identity: 1, square: 2, sqrt: 0.5, inverse: -1, log: 0 } as const
/** Squares of columns and of coefficients stay within float64. */
const reach = 140

describe("the evidence of laws", () => {
  // Links for which a unit of y is a factor, or a term, of the linear part.
  it.each(["identity", "square", "sqrt", "inverse", "log"] as const)(
    "does not depend on the units of the columns, but for the Jacobian of y's: %s",
    (name) => {
      const link = names.indexOf(name)
      expect(link).toBeGreaterThanOrEqual(0)
      fc.assert(
        fc.property(
          fc.array(monomial, { minLength: 1, maxLength: 2 }),
          fc.tuple(power, power, power),
          (trees, powers) => {
            for (const tree of trees) {
              const exponent = exponentOf(tree, powers)
              fc.pre(Math.abs(exponent) < reach && Math.abs(exponents[name] * powers[2] - exponent) < reach)
            }
            const ensemble = Ensemble.make(grammar, trees, link)
            const before = plain.score(ensemble)!
            const after = scorerOf(scaled(powers)).score(ensemble)!
            expect(after.logPrior).toBe(before.logPrior)
            expect(after.logEvidence + rows * powers[2] * Math.LN10).toBeCloseTo(before.logEvidence, 4)
          },
        ),
        runs(60),
      )
    },
  )
})
