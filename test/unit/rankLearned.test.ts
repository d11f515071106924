import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../src/compile/scalar/term.ts"
import * as Constant from "../../src/declare/Constant.ts"
import * as Dist from "../../src/declare/Dist.ts"
import * as Grammar from "../../src/declare/Grammar.ts"
import * as Link from "../../src/declare/Link.ts"
import * as Operator from "../../src/declare/Operator.ts"
import * as Tree from "../../src/declare/Tree.ts"
import * as Rank from "../../src/rank/Rank.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import * as Rng from "../../src/runtime/Rng.ts"
import { dataset, problem } from "../support/selected.ts"

const grammar = Grammar.make({
  features: ["a"],
  operators: [Operator.mul, Operator.exp],
  constants: { c: Constant.learned(Dist.normal(0, 10)) },
})
const links = [Link.identity, Link.log]
const target = problem(grammar, { trees: 2, depth: 3, links })
const a = Tree.leaf(0)
const rate = (value: number): Tree.Tree => Tree.branch(1, [Tree.branch(0, [Tree.leaf(1, value), a])])

const data = (law: (a: number) => number, [low, high]: readonly [number, number], noise: number) => {
  const generator = Rng.generator(Rng.key(8))
  const x = Array.from({ length: 120 }, () => low + (high - low) * generator.next())
  return dataset(
    { a: x },
    x.map((value) => law(value) + noise * generator.normal()),
  )
}

describe("ranking ensembles with learned numbers", () => {
  it.effect("learns them exactly, and takes those that come to the same for one", () =>
    Effect.gen(function* () {
      const train = data((x) => 1 + 3 * Math.exp(-0.62 * x), [0, 4], 0.01)
      const scorer = yield* Scorer.make(target, { train })
      const archive = [
        { link: 0, trees: [rate(-0.6)] },
        { link: 0, trees: [rate(-0.65)] },
        { link: 0, trees: [a] },
      ]
      const { models, draws } = yield* Rank.fromArchive(scorer, target.likelihood, archive)
      expect(models.length).toBe(2)
      expect(draws).toBe(3)
      const [best] = models
      expect(best!.draws).toBe(2)
      expect(best!.lmpse).toBeCloseTo(best!.logEvidence + best!.logPrior, 9)
      expect(best!.posterior).toBeGreaterThan(0.99)
      const [, value = "NaN"] = /t1=([-\d.]+)/.exec(best!.ensemble.key) ?? []
      expect(Number(value)).toBeCloseTo(-0.62, 1)
      // The law that is shown is the one whose error is reported.
      const law = scalarFunction(best!.expression, ["a"])
      const square = train.y.reduce((sum, y, i) => sum + (y - law([train.columns[0]![i]!])) ** 2, 0)
      expect(Math.sqrt(square / train.rows)).toBeCloseTo(best!.rmseTrain, 9)
      expect(best!.rmseTrain).toBeLessThan(0.012)
      // A number costs as much as the prior is wider than the posterior: some nats.
      const given = scorer.score(best!.ensemble)!
      expect(given.lmpse).toBeCloseTo(best!.lmpse, 4)
    }),
  )

  it.effect("shows a law whose factor e^b is no number", () =>
    Effect.gen(function* () {
      const train = data((x) => Math.exp(900 * (1 - x)), [1, 1.01], 0)
      const scorer = yield* Scorer.make(target, { train })
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, [{ link: 1, trees: [a] }])
      const [best] = ranking.pipe(Rank.rounded()).models
      const law = scalarFunction(best!.expression, ["a"])
      train.y.forEach((y, i) => expect(law([train.columns[0]![i]!]) / y).toBeCloseTo(1, 6))
    }),
  )
})
