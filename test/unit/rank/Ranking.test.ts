import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset, problem } from "../../support/selected.ts"
import { Seed } from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Data from "../../../src/data/Data.ts"

const grammar = Grammar.make({
  features: ["a"],
  operators: [Operator.mul, Operator.exp],
  constants: { c: Constant.fitted(Dist.normal(0, 10)) },
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

describe("ranking ensembles with fitted numbers", () => {
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

  it.effect("charges numbers alike whether or not a row is zero: a power that explains nothing loses", () =>
    Effect.gen(function* () {
      const powers = Grammar.make({
        features: ["a"],
        operators: [Operator.mul, Operator.exp, Operator.pow],
        constants: { c: Constant.scaleFree },
      })
      const of = problem(powers, { trees: 1, depth: 4 })
      const generator = Rng.generator(Rng.key(9))
      const noise = Array.from({ length: 40 }, () => 0.02 * generator.normal())
      const evidences = (least: number) =>
        Effect.gen(function* () {
          const x = noise.map((_, i) => (i === 0 ? least : i / 10))
          const train = dataset(
            { a: x },
            x.map((value, i) => 1 + 3 * Math.exp(-0.62 * value) + noise[i]!),
          )
          const scorer = yield* Scorer.make(of, { train })
          const [c, power] = [(value: number) => Tree.leaf(1, value), Tree.branch(2, [a, Tree.leaf(1, 1)])]
          const rateOf = (inside: Tree.Tree) => [Tree.branch(1, [Tree.branch(0, [c(-0.62), inside])])]
          return [a, power].map(
            (inside) => scorer.score(Ensemble.ofSet(powers, rateOf(inside), 0))!.logEvidence,
          )
        })
      const [plain, bent] = yield* evidences(0)
      const [nearPlain, nearBent] = yield* evidences(1e-9)
      expect(plain).toBeCloseTo(nearPlain!, 4)
      expect(bent).toBeCloseTo(nearBent!, 4)
      expect(plain! - bent!).toBeGreaterThan(1)
    }),
  )

  it.effect("shows a law whose factor e^b is no number", () =>
    Effect.gen(function* () {
      const train = data((x) => Math.exp(900 * (1 - x)), [1, 1.01], 0)
      const scorer = yield* Scorer.make(target, { train })
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, [{ link: 1, trees: [a] }])
      const [best] = ranking.pipe(Rank.exactConstants()).models
      const law = scalarFunction(best!.expression, ["a"])
      train.y.forEach((y, i) => expect(law([train.columns[0]![i]!]) / y).toBeCloseTo(1, 6))
    }),
  )
})

describe("ranking draws of relaxed trees with values", () => {
  const model = Vasst.model(grammar, 1, 2)
  const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))
  const { forest } = plan.likelihood
  const train = data((x) => 1 + 3 * Math.exp(-0.62 * x), [0, 4], 0.01)
  /** exp(c a) and exp(a c), with a value at every node. */
  const draws = (values: (draw: number, node: number) => number) => {
    const [split, operator] = [
      [1, 1, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 0, 0, 0],
    ]
    const terminals = [
      [0, 0, 0, 1, 0, 0, 0],
      [0, 0, 0, 0, 1, 0, 0],
    ]
    const at = Float64Array.from({ length: 14 }, (_, i) => values(Math.floor(i / 7), i % 7))
    return {
      split: [...split, ...split],
      operator: [...operator, ...operator],
      terminal: terminals.flat(),
      values: [{ terminal: 1, at }],
    }
  }

  it.effect(
    "integrates the numbers out from where they stand, and takes those that come to the same for one",
    () =>
      Effect.gen(function* () {
        const scorer = yield* Scorer.make(plan, { train })
        const { models } = yield* Rank.fromDraws(
          scorer,
          plan.likelihood,
          draws((draw, node) => (node === 3 + draw ? -0.4 - 0.5 * draw : 77)),
        )
        expect(models.length).toBe(1)
        const [best] = models
        expect(best!.draws).toBe(2)
        const [, value = "NaN"] = /t1=([-\d.]+)/.exec(best!.ensemble.key) ?? []
        expect(Number(value)).toBeCloseTo(-0.62, 1)
        // Coefficients shrink by a prior that expects noise.
        expect(best!.rmseTrain).toBeLessThan(0.02)
        expect(best!.lmpse).toBeCloseTo(best!.logEvidence + best!.logPrior, 9)
        // The number is paid for: a prior of width 10 and a posterior of some thousandths.
        expect(best!.logEvidence).toBeLessThan(best!.collapsed!.logEvidence - 4)
        expect(scorer.score(best!.ensemble)!.lmpse).toBeCloseTo(best!.lmpse, 4)
        const given = scorer.model({ ensemble: best!.ensemble, draws: 1 })
        expect(given!.bic).toBeCloseTo(best!.bic, 6)
      }),
  )

  it.effect("starts from the means of the family, of one fit or of many", () =>
    Effect.gen(function* () {
      const parameters = Float64Array.from({ length: plan.parameterCount }, (_, i) => Math.cos(i))
      const base = { plan, skipped: 0 }
      const one: Posterior.Posterior = { ...base, parameters }
      const other: Posterior.Posterior = { ...base, parameters: parameters.map((value) => -value) }
      const [loc] = Plan.parametersOf(plan, "trees.value.c", parameters)
      const drawn = Posterior.draws(one, forest, Rng.key(3), 4)
      expect(drawn.values).toEqual([
        { terminal: 1, at: Float64Array.from({ length: 28 }, (_, i) => loc![i % 7]!) },
      ])
      const both = Posterior.drawsTogether([one, other], forest, Rng.key(3), 4)
      const expected = Float64Array.from({ length: 28 }, (_, i) => (i < 14 ? 1 : -1) * loc![i % 7]!)
      expect(both.values).toEqual([{ terminal: 1, at: expected }])
      const scorer = yield* Scorer.make(plan, { train })
      const ranking = yield* Rank.fromDraws(scorer, plan.likelihood, both)
      expect(ranking.draws).toBe(4)
    }),
  )
})

describe("Rank.fromPosterior", () => {
  const generator = Rng.generator(Rng.key(5))
  const X = Array.from({ length: 40 }, () => [generator.next(), 1 + generator.next()] as const)
  const y = X.map(([a, b]) => 2 * a * b + 0.01 * generator.normal())
  const model = Vasst.model(
    Grammar.make({ features: ["x0", "x1"], operators: [Operator.add, Operator.mul] }),
    1,
    1,
  )

  const run = <A, E>(program: Effect.Effect<A, E, Backend.Backend>): Promise<A> =>
    Effect.runPromise(Effect.provide(program, Backend.layer("cpu")))

  const untrained = Effect.gen(function* () {
    const data = yield* Data.fromRows({ X, y })
    const posterior = yield* Infer.fit(model, data).pipe(
      Effect.provide(Vasst.inference(model, { steps: 0 })),
      Effect.provideService(Seed, 3),
    )
    return { data, posterior }
  })

  it("is drawing, scoring and ranking, and finds the law", async () => {
    const { ranking, parts } = await run(
      Effect.gen(function* () {
        const { data, posterior } = yield* untrained
        const key = Rng.key(9)
        const { likelihood } = posterior.plan
        const scorer = yield* Scorer.make(posterior.plan, { train: data })
        const draws = Posterior.draws(posterior, likelihood.forest, key, 100)
        return {
          parts: yield* Rank.fromDraws(scorer, likelihood, draws),
          ranking: yield* Rank.fromPosterior({ train: data, draws: 100, key })(posterior),
        }
      }),
    )
    expect(ranking.draws).toBe(100)
    expect(ranking.models.map(({ lmpse, ensemble }) => [ensemble.key, lmpse])).toEqual(
      parts.models.map(({ lmpse, ensemble }) => [ensemble.key, lmpse]),
    )
    // Operator 1 is mul; its operands are the terminals 0 and 1.
    expect(ranking.models[0]?.ensemble.key).toBe("o1(t0,t1)")
  })

  it("draws by the seed of the fit where no key is given", async () => {
    const [one, two, other] = await run(
      Effect.gen(function* () {
        const { data, posterior } = yield* untrained
        const rank = Rank.fromPosterior({ train: data, draws: 50 })
        return [
          yield* rank(posterior),
          yield* rank(posterior),
          yield* rank({ ...posterior, seed: 4 }),
        ] as const
      }),
    )
    const counts = (ranking: Rank.Ranking) => ranking.models.map(({ draws }) => draws)
    expect(counts(one)).toEqual(counts(two))
    expect(counts(one)).not.toEqual(counts(other))
  })

  it("has no test error without test rows", async () => {
    const ranking = await run(
      Effect.gen(function* () {
        const { data, posterior } = yield* untrained
        const { train, test } = yield* Data.split(data, 0, Rng.key(1))
        return yield* Rank.fromPosterior({ train, test, draws: 20 })(posterior)
      }),
    )
    expect(ranking.models[0]?.rmseTest).toBeUndefined()
  })

  it("draws large trees in parts, fewer of them where the time is over", async () => {
    // Ten trees of depth 10 have 20,470 nodes: 102 draws are made at once.
    const large = Vasst.model(Grammar.make({ features: ["x0", "x1"], operators: [Operator.add] }), 10, 10)
    const [all, again, one, two] = await run(
      Effect.gen(function* () {
        const data = yield* Data.fromRows({ X, y })
        const posterior = yield* Infer.fit(large, data).pipe(
          Effect.provide(Vasst.inference(large, { steps: 0 })),
          Effect.provideService(Seed, 3),
        )
        const rank = (late?: () => boolean) =>
          Rank.fromPosterior({ train: data, draws: 250, key: Rng.key(9), late })(posterior)
        let asked = 0
        return [
          yield* rank(),
          yield* rank(),
          yield* rank(() => true),
          yield* rank(() => ++asked > 1),
        ] as const
      }),
    )
    expect([all, one, two].map(({ draws }) => draws)).toEqual([250, 102, 204])
    const keys = ({ models }: Rank.Ranking) => models.map(({ ensemble, draws }) => [ensemble.key, draws])
    expect(keys(again)).toEqual(keys(all))
    // Parts are of different keys: what is drawn once in the first is not drawn again in the second.
    expect(two.distinct).toBeGreaterThan(one.distinct)
  })

  it(
    "ranks a fit of large trees within its limit of time, but for a step",
    { timeout: 120_000 },
    async () => {
      const { ranking, posterior } = await run(
        Vasst.fit({ X, y }, { operators: ["add", "mul"], trees: 10, depth: 10, time: 0.2 }),
      )
      expect(posterior.stopReason).toBe("time")
      expect(ranking.draws).toBe(102)
    },
  )
})
