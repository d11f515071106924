import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import { Seed } from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

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

describe("Rank.fromPosterior", () => {
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
