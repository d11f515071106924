import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Turn from "../../../src/infer/Turn.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as ArchiveRanking from "../../../src/rank/ArchiveRanking.ts"
import * as UnseenText from "../../../src/report/UnseenText.ts"
import { table } from "../../support/streamed.ts"

const options: Law.Options = { effort: 3000, workers: 1, links: [Link.identity], operators: ["mul"] }

// A ranking that has little time looks at fewer rows, and says so.
describe("the ranking of a table of many rows", () => {
  const data = table(30_000, (x0, x1, x2) => (x0 * x1) / x2)
  const ranked = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(data, {
      effort: 3000,
      workers: 1,
      links: [Link.identity],
      noise: "additive",
      operators: ["mul", "div"],
    })
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train: data })
    return yield* Effect.forEach([Infinity, 0], (left) =>
      ranker.ranking(posterior.archive, { left: () => left }),
    )
  })

  it("is of all rows without a limit, and of a sample where there is no time", async () => {
    const [all, hasty] = await Effect.runPromise(ranked)
    expect(all?.models[0]?.residuals()).toHaveLength(30_000)
    expect(all?.unseen?.signs.scoredOn).toBeUndefined()
    expect(hasty?.models[0]?.residuals()).toHaveLength(4000)
    expect(hasty?.unseen?.signs).toMatchObject({ scoredOn: 4000, table: 30_000 })
    expect(UnseenText.lines(hasty!.unseen!, "time", "y")).toContain(
      "scored on 4000 of 30000 rows by chance: the limit of time ended before all of them were",
    )
    expect(UnseenText.lines(all!.unseen!, "time", "y").join()).not.toContain("by chance")
  })
})

describe("the ranking of a table of many rows in no time", () => {
  const data = table(30_000, (x0, x1) => x0 * x1)
  const ranked = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(data, { ...options, noise: "additive" })
    const { grammar } = posterior.plan.likelihood.forest
    const mul = grammar.operators.findIndex(({ name }) => name === "mul")
    const [first, second, third] = [0, 1, 2].map((feature) => Tree.leaf(feature))
    const trees = [Tree.branch(mul, [first!, second!]), first!, Tree.branch(mul, [second!, third!])]
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train: data })
    const archive = { scored: 1, ensembles: [{ link: 0, trees, score: 0, found: 0 }] }
    return yield* ranker.ranking(archive, { left: () => 0 })
  })

  it("is of the parts of the best ensemble, too", async () => {
    const { models } = await Effect.runPromise(ranked)
    expect(models[0]?.ensemble.trees).toHaveLength(1)
    expect(infix(models[0]!.expression)).toMatch(/^([\d.]+\*)?x0\*x1$/)
  })
})

// Where y changes its sign, 1/y is far off on the scale of y, whatever its score there.
describe("the ranking of an archive in no time", () => {
  const generator = Rng.generator(Rng.key(5))
  const x = Array.from({ length: 200 }, () => 1 + generator.next())
  const train = Effect.runSync(
    Data.fromRows({
      X: x.map((value) => [value]),
      y: x.map((value) => value - 1.5 + 0.05 * generator.normal()),
      features: ["x0"],
      target: "y",
    }),
  )
  const ranked = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(train, {
      ...options,
      links: [Link.identity, Link.inverse],
      noise: "additive",
    })
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train })
    const trees = [Tree.leaf(0)]
    const ensembles = [1, 0].map((link) => ({ link, trees, score: 200 + 50 * link, found: 0 }))
    return yield* ranker.ranking({ scored: 2, ensembles }, { left: () => 0 })
  })

  it("is of the best of other links, too", async () => {
    const { models } = await Effect.runPromise(ranked)
    expect(models[0]?.ensemble).toMatchObject({ link: 0, trees: [Tree.leaf(0)] })
  })
})

// Of numbers that are not exact, intercepts of 0 among them, exact constants and known forms say nothing that the data do not.
describe("the law that is first in the ranking of an archive", () => {
  const rows = 80
  const generator = Rng.generator(Rng.key(12))
  const X = Array.from({ length: rows }, () => [1 + 2 * generator.next(), 1 + 2 * generator.next()] as const)
  const tables: ReadonlyArray<readonly [string, (a: number, b: number) => number]> = [
    ["a product", (a, b) => 1.37 * a * b + 0.61],
    ["a quotient", (a, b) => (2.71 * b) / a - 0.47],
    ["two terms", (a, b) => (0.83 * a) / b + 0.29 * b * b + 0.53],
  ]
  it.each(tables)("is that of Rank.fromPosterior where constants are not exact: %s", async (_, law) => {
    const y = X.map(([a, b]) => law(a, b) + 0.01 * generator.normal())
    const [whole, plain] = await Effect.runPromise(
      Effect.gen(function* () {
        const train = yield* Data.fromRows({ X, y })
        const small: Law.Options = {
          ...options,
          trees: 2,
          depth: 2,
          effort: 500,
          constants: [],
          fitted: "none",
        }
        const { posterior } = yield* Law.fit(train, { ...small, operators: ["mul", "div"] })
        return [
          yield* Law.rank({ train })(posterior),
          yield* Rank.fromPosterior({ train, draws: 0 })(posterior),
        ] as const
      }),
    )
    const [best, other] = [whole.models[0]!, plain.models[0]!]
    const [one, two] = [best.residuals(), other.residuals()]
    const apart = Math.sqrt(one.reduce((sum, value, i) => sum + (value - two[i]!) ** 2, 0) / rows)
    expect(apart / whole.scale).toBeLessThan(1e-3)
    expect(best.numbers).toHaveLength(other.numbers.length)
    // Both are the law: their errors are those of the noise.
    expect(best.rmseTrain).toBeLessThan(0.013)
  })
})

// A search on some rows may keep a term that all rows refute, and not the law without it.
describe("the ranking of an archive", () => {
  const rows = 60
  const [a, b, errors] = [1, 2, 3].map((seed) => Rng.normal(Rng.key(seed), new Float64Array(rows)))
  const data = Effect.runSync(
    Data.fromRows({
      X: Array.from({ length: rows }, (_, i) => [a![i]!, b![i]!]),
      y: Array.from({ length: rows }, (_, i) => 2 * a![i]! * b![i]! + 0.3 * errors![i]!),
      features: ["a", "b"],
    }),
  )
  const ranked = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(data, { ...options, known: KnownForms.none })
    const { grammar } = posterior.plan.likelihood.forest
    const mul = grammar.operators.findIndex(({ name }) => name === "mul")
    const [first, second] = [0, 1].map((feature) => Tree.leaf(feature))
    const trees = [Tree.branch(mul, [first!, second!]), first!]
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train: data })
    return yield* ranker.ranking({ scored: 1, ensembles: [{ link: 0, trees, score: 0, found: 0 }] })
  })

  it("has the best ensembles without each of their terms", async () => {
    const { models } = await Effect.runPromise(ranked)
    // Of an ensemble the law with an intercept and the one without may both be models.
    const sizes = new Map(models.map(({ ensemble: { key, trees } }) => [key, trees.length]))
    expect([...sizes.values()].toSorted((one, other) => one - other)).toEqual([0, 1, 1, 2])
    expect(infix(models[0]!.expression)).toMatch(/^(2|[12]\.\d+)\*a\*b$/)
  })
})

describe("a ranking that takes a while", () => {
  const data = table(2000, (x0, x1, x2) => (x0 * x1) / x2)
  const made = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(data, { effort: 3000, workers: 1 })
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train: data })
    return ranker.ranking(posterior.archive)
  })

  it("lets signals and timers be handled between its parts, where that is asked for", async () => {
    const ranking = await Effect.runPromise(made)
    let turns = 0
    const counting = Effect.sync(() => turns++)
    const paused = await Effect.runPromise(Effect.provideService(ranking, Turn.Pause, counting))
    expect(turns).toBeGreaterThan(20)
    // Otherwise it runs within one turn.
    const whole = Effect.runSync(ranking)
    expect(paused.models.map(({ lmpse }) => lmpse)).toEqual(whole.models.map(({ lmpse }) => lmpse))
  })

  it("ends at once when it is interrupted", async () => {
    const ranking = await Effect.runPromise(made)
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    const exit = await Effect.runPromiseExit(Turn.pausing(ranking), { signal: controller.signal })
    expect(Exit.hasInterrupts(exit)).toBe(true)
  })
})
