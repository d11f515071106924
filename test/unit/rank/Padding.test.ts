import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Padding from "../../../src/rank/Padding.ts"
import * as Ensembles from "../../../src/rank/Ensemble.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] })
const generator = Rng.generator(Rng.key(4))
const X = Array.from({ length: 50 }, () => [generator.next(), 1 + generator.next()] as const)
const y = X.map(([a, b]) => 2 * a * b + 6 * a - 9 * b + 0.01 * generator.normal())
const product = Tree.branch(0, [Tree.leaf(0), Tree.leaf(1)])
const sine = Tree.branch(1, [Tree.leaf(1)])

const setup = (trees: number) =>
  Effect.gen(function* () {
    const model = Vasst.model(grammar, trees, 2)
    const plan = yield* Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))
    const scorer = yield* Scorer.make(plan, { train: yield* Data.fromRows({ X, y, features: ["a", "b"] }) })
    const complete = (archive: ReadonlyArray<Ensembles.Archived>) =>
      Padding.complete(scorer, plan.likelihood, archive)
    return { scorer, complete }
  })

describe("archived ensembles of a model of K trees", () => {
  it.effect("are filled with the terminals and copies that score best", () =>
    Effect.gen(function* () {
      const { scorer, complete } = yield* setup(3)
      const options = [product, sine, Tree.leaf(0), Tree.leaf(1)]
      const all = options.map((tree) => Ensembles.make(grammar, [product, sine, tree]))
      const scores = all.map((ensemble) => scorer.score(ensemble)!.lmpse)
      const [one] = complete([{ link: 0, trees: [product, sine] }])
      expect(one!.ensemble.key).toBe(all[scores.indexOf(Math.max(...scores))]!.key)
      expect(new Set(scores).size).toBe(4)
    }),
  )

  it.effect("are filled place by place where two places want two trees", () =>
    Effect.gen(function* () {
      const { complete } = yield* setup(3)
      const [one] = complete([{ link: 0, trees: [product] }])
      expect(one!.ensemble.key.split(" ")).toEqual(expect.arrayContaining(["o0(t0,t1)", "t0", "t1"]))
    }),
  )

  it.effect("have their K trees whatever they began with, and count once", () =>
    Effect.gen(function* () {
      const { scorer, complete } = yield* setup(4)
      const archive = [
        { link: 0, trees: [product] },
        { link: 0, trees: [Tree.leaf(0), product], count: 2 },
        { link: 0, trees: [product, sine, Tree.leaf(0), Tree.leaf(1)] },
        { link: 0, trees: [] },
      ]
      const found = complete(archive)
      for (const { ensemble } of found) expect(ensemble.trees).toHaveLength(4)
      expect(found.reduce((sum, { draws }) => sum + draws, 0)).toBe(5)
      expect(new Set(found.map(({ ensemble }) => ensemble.key)).size).toBe(found.length)
      // A full ensemble stays as it is.
      const full = Ensembles.make(grammar, archive[2]!.trees)
      expect(found.some(({ ensemble }) => ensemble.key === full.key)).toBe(true)
      // Filling one place at a time does not end below filling all with one tree.
      const same = [product, Tree.leaf(0), Tree.leaf(1)].map(
        (tree) => scorer.score(Ensembles.make(grammar, [product, tree, tree, tree]))!.lmpse,
      )
      expect(scorer.score(found[0]!.ensemble)!.lmpse).toBeGreaterThanOrEqual(Math.max(...same))
    }),
  )
})
