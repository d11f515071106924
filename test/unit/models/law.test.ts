import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Inclusive from "../../../src/inclusive/Inclusive.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as ArchiveRanking from "../../../src/rank/ArchiveRanking.ts"
import type { Ranking } from "../../../src/rank/Ranking.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

const random = Rng.generator(Rng.key(11))
const uniform = (low: number, high: number): number => low + (high - low) * random.next()
const rows = (count: number) => Array.from({ length: count }, () => [uniform(1, 3), uniform(1, 3)] as const)

/** Small enough to be through at once. */
const small = {
  operators: ["mul", "div", "square"],
  links: [Link.identity, Link.square],
  depth: 3,
  search: { patience: 20, library: 2000 },
} satisfies Law.Options

const X = rows(60)
const y = X.map(([a, b]) => Math.sqrt(a * a + 2 * b))

describe("Law.fit", () => {
  it("finds a law under a link, solves it for y, and predicts", async () => {
    const fit = await Effect.runPromise(Law.fit({ X, y, features: ["a", "b"] }, small))
    expect(fit.best.link.name).toBe("square")
    expect(fit.best.posterior).toBeGreaterThan(0.99)
    expect(fit.models[0]).toBe(fit.best)
    expect(fit.posterior.stopReason).toBe("converged")
    // Other rows than the fitted ones, in the order of the features.
    const others = rows(5)
    const predicted = fit.predict(others)
    others.forEach(([a, b], i) => expect(predicted[i]).toBeCloseTo(Math.sqrt(a * a + 2 * b), 6))
    expect(fit.toSymPy()).toMatch(/^sqrt\(/)
    // Constants that the data say exactly are exact.
    expect(infix(fit.best.expression)).toMatch(/^sqrt\((a\^2 \+ 2\*b|2\*b \+ a\^2)\)$/)
  })

  it("sets rows aside, and has errors on them", async () => {
    const { best, posterior } = await Effect.runPromise(Law.fit({ X, y }, { ...small, testFraction: 0.4 }))
    expect(best.rmseTest).toBeLessThan(1e-6)
    expect(posterior.plan.likelihood.forest.grammar.features).toEqual(["x0", "x1"])
    const none = await Effect.runPromise(Law.fit({ X, y }, { ...small, testFraction: 0 }))
    expect(none.best.rmseTest).toBeUndefined()
  })

  it.each([
    [1.7e9, "a*b + 1.7e9"],
    [-1e13, "a*b - 1e13"],
  ])("finds what varies around a large number, %d", async (begin, law) => {
    const fit = await Effect.runPromise(
      Law.fit({ X, y: X.map(([a, b]) => begin + a * b), features: ["a", "b"] }, small),
    )
    expect(infix(fit.best.expression)).toBe(law)
    expect(fit.best.posterior).toBeGreaterThan(0.9)
  })

  it("says when the rows that are left to fit have nothing to explain", async () => {
    const few = { X: X.slice(0, 20), y: y.slice(0, 20) }
    const error = await Effect.runPromise(Effect.flip(Law.fit(few, { ...small, testFraction: 0.94 })))
    expect(error._tag).toBe("DataError")
    expect(error.message).toMatch(
      /^testing on 19 of 20 rows leaves 1 to fit on which the target "y" is [\d.]+; test on fewer rows$/,
    )
  })

  it("tells of the best law while it runs", async () => {
    const scores: Array<number> = []
    const noisy = y.map((value) => value + 0.05 * random.normal())
    const { best, posterior } = await Effect.runPromise(
      Law.fit({ X, y: noisy }, small, (step) => {
        expect(step.step).toBe(scores.length + 1)
        scores.push(step.best()?.lmpse ?? -Infinity)
      }),
    )
    expect(scores).toHaveLength(posterior.steps)
    expect(scores.at(-1)).toBeGreaterThan(scores[0]!)
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    // The final ranking looks at more of what was found; of equal laws it shows the simplest, not the most probable.
    expect(best.lmpse).toBeGreaterThanOrEqual(Math.max(...scores) - 5)
  })

  it("tells of the posterior while it runs, which changes nothing", async () => {
    const noisy = y.map((value) => value + 0.05 * random.normal())
    const quiet = await Effect.runPromise(Law.fit({ X, y: noisy }, small))
    const rankings: Array<Ranking> = []
    let steps = 0
    const told = await Effect.runPromise(
      Law.fit({ X, y: noisy }, small, (step) => {
        if (steps++ % 80 === 0) rankings.push(Effect.runSync(step.ranking()))
      }),
    )
    expect(told.models.map(({ lmpse }) => lmpse)).toEqual(quiet.models.map(({ lmpse }) => lmpse))
    expect(told.unseen).toEqual(quiet.unseen)
    expect(rankings.length).toBeGreaterThan(1)
    for (const { models, unseen } of rankings) {
      const sum = models.reduce((all, { probability }) => all + probability!, unseen!.probability)
      expect(sum).toBeCloseTo(1, 9)
      // A ranking on the way is of laws that the last one may have lost against better ones.
      expect(models[0]!.lmpse).toBeLessThanOrEqual(told.best.lmpse + 5)
    }
  })

  it("says that there is no law where there is none", async () => {
    const noise = X.map(() => 5 + random.normal())
    const { best } = await Effect.runPromise(Law.fit({ X, y: noise }, small))
    expect([best.terms, best.complexity]).toEqual([[], 0])
  })

  it("takes another inference", async () => {
    const asked: Array<unknown> = []
    const { posterior, best } = await Effect.runPromise(
      Law.fitBy(
        (program, data) => {
          asked.push(program)
          return Effect.provide(Inclusive.algorithm(program, data, small.search), Family.meanField(program))
        },
        { X, y },
        small,
      ),
    )
    expect([asked.length, posterior.stopReason]).toEqual([1, "converged"])
    expect(best.link.name).toBe("square")
  })

  it("takes a grammar in place of operators and constants", async () => {
    const grammar = Law.grammar(["x1"], { operators: ["square"], constants: [] })
    const { posterior } = await Effect.runPromise(Law.fit({ X, y }, { ...small, grammar }))
    expect(posterior.plan.likelihood.forest.grammar).toBe(grammar)
  })

  it("takes columns by name, and predicts from them in any order", async () => {
    const [a, b] = [X.map(([a]) => a), Float64Array.from(X, ([, b]) => b)]
    const table = { columns: { a, b, sigma: y.map(() => 0.01) }, y, target: "length" }
    const fit = await Effect.runPromise(Law.fit(table, { ...small, error: "sigma" }))
    const expected = fit.predict([[2, 1.5]])
    expect(expected[0]).toBeCloseTo(Math.sqrt(7), 2)
    const more = { b: [1.5], a: [2], sigma: [] }
    expect(fit.predict(more)).toEqual(expected)
    const bands = { bands: [0.9] }
    expect(fit.predict({ b: [1.5], a: Float32Array.of(2) }, bands)).toEqual(fit.predict([[2, 1.5]], bands))
    const predict = (columns: object) => () => fit.predict(columns as never)
    expect(predict({ a: [1] })).toThrow('there is no column "b"; the columns are: a')
    expect(predict({ a: [1], b: [1, 2] })).toThrow('"b" has 2 values, but "a" has 1; they must agree')
    // A law over another grammar reads its features only; rows have all columns.
    const grammar = Law.grammar(["b"], { operators: ["square"] })
    const narrow = await Effect.runPromise(Law.fit(table, { ...small, grammar, error: "sigma" }))
    expect(narrow.predict({ b: [1.5] })).toEqual(narrow.predict([[0, 1.5]]))
    expect(narrow.predict({ b: [1.5] }, bands)).toEqual(narrow.predict([[0, 1.5]], bands))
  })
})

describe("an archive of a search", () => {
  const program = Effect.gen(function* () {
    const data = yield* Data.fromRows({ X, y })
    const law = Law.model(Law.grammar(data.features, small), small)
    const posterior = yield* Search.fit(law, data, { patience: 20 }).pipe(
      Effect.provide(Stop.layer({ rules: [Stop.afterSeconds(20)] })),
    )
    return { data, posterior }
  })

  it("is ranked with the mean alone among the models, each value once", async () => {
    const { data, posterior } = await Effect.runPromise(program)
    const ranking = await Effect.runPromise(Law.rank({ train: data })(posterior))
    const posteriors = ranking.models.map(({ posterior }) => posterior)
    expect(posteriors).toEqual(posteriors.toSorted((a, b) => b - a))
    expect(posteriors.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
    expect(ranking.models.filter(({ terms }) => terms.length === 0)).toHaveLength(1)
    expect(ranking.models.some(({ ensembles }) => ensembles > 1)).toBe(true)
  })

  it("has y = b_0 when nothing was found yet", async () => {
    const { data, posterior } = await Effect.runPromise(program)
    const nothing = { scored: 0, ensembles: [] }
    const ranker = await Effect.runPromise(ArchiveRanking.make(posterior.plan, { train: data }))
    const { models } = await Effect.runPromise(ranker.ranking(nothing))
    expect(models.map(({ terms }) => terms)).toEqual([[]])
    expect(models[0]!.coefficients[0]).toBeCloseTo(y.reduce((a, b) => a + b, 0) / y.length, 9)
    expect(ranker.best(0, () => nothing)?.terms).toEqual([])
  })

  it("of very many rows keeps the law from terms that only some rows speak for", async () => {
    const many = rows(25_000)
    const data = await Effect.runPromise(
      Data.fromRows({
        X: many,
        y: many.map(([a, b]) => a * b + 0.1 * random.normal()),
      }),
    )
    const { best } = await Effect.runPromise(Law.fit(data, { ...small, links: [Link.identity] }))
    expect(infix(best.expression)).toMatch(/^x[01]\*x[01]$/)
  })
})

describe("the example data", () => {
  const fit = async (file: string, target: string) => {
    const text = readFileSync(new URL(`../../../examples/data/${file}`, import.meta.url), "utf8")
    const data = await Effect.runPromise(Data.fromCsv(text, { target }))
    return Effect.runPromise(Law.fit(data))
  }

  it("has Kepler's third law", async () => {
    const { predict, best } = await fit("planets.csv", "period")
    // Halley's comet, beyond the fitted bodies in everything but its axis.
    expect(predict([[17.834, 0.967, 3.7e-11, 0.00086]])[0]).toBeCloseTo(75.3, 0)
    // 8 bodies: other powers and a free exponent share the rest.
    expect(best.posterior).toBeGreaterThan(0.75)
  }, 60_000)
})
