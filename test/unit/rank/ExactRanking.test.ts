import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import { interceptOf, intercepts } from "../../../src/evidence/exact/Hypothesis.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import { ensemble, sample, scorer } from "../../support/laws.ts"

const train = sample((a, b) => a * b, { noise: 0.02, seed: 2 })
const ensembles = [
  ensemble("identity", "a*b"),
  ensemble("identity", "a*b", "c"),
  ensemble("log", "log(a)", "log(b)"),
  ensemble("identity", "(a + b)^2", "a^2", "b^2"),
  ensemble("identity", "a"),
]
const ranking = Effect.runSync(
  Rank.fromEnsembles(
    scorer(train),
    ensembles.map((one, k) => ({ ensemble: one, draws: k + 1 })),
  ),
)
const total = (of: Rank.Ranking): number => of.models.reduce((sum, { posterior }) => sum + posterior, 0)

describe("Rank.exactConstants", () => {
  const rounded = ranking.pipe(Rank.exactConstants())

  it("has exact constants and ranks anew by LMPSE", () => {
    const [best] = rounded.models
    expect(infix(best!.expression)).toBe("a*b")
    expect(best!.constants).toEqual(["0", "1"])
    expect(best!.states?.map((state) => state?._tag === "Fixed" && state.value)).toEqual([0, 1])
    const scores = rounded.models.map(({ lmpse }) => lmpse)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const model of rounded.models) expect(model.lmpse).toBe(model.logEvidence + model.logPrior)
  })

  it("tests the constants of the best model alone when time is up", () => {
    const hasty = ranking.pipe(Rank.exactConstants({ late: () => true }))
    const tested = hasty.models.filter(({ constants }) => constants !== undefined)
    expect(new Set(tested.map(({ ensemble: { key } }) => key)).size).toBe(1)
    expect(infix(hasty.models[0]!.expression)).toBe("a*b")
  })

  it("tests the constants of all models that exact numbers may raise to within odds of 1,000 of the best, and of few others", () => {
    const all = [
      ...ensembles,
      ...[["b"], ["a", "b"], ["a*b", "a"], ["a*b", "b", "c"], ["a^2"], ["a*b*c"], ["exp(a)", "b"], []].map(
        (terms) => ensemble("identity", ...terms),
      ),
      ensemble("log", "log(a)"),
      ensemble("log", "a", "b"),
      ensemble("inverse", "a", "b"),
      ensemble("square", "a^2", "b^2"),
    ]
    let untested = 0
    for (const noise of [0, 1e-4, 0.01, 0.1, 0.5])
      for (const rows of [12, 60, 600])
        for (const law of [
          (a: number, b: number) => a * b,
          (a: number, b: number) => 1.37 * a * b + 0.5,
          (a: number) => 10 + 0.1 * a,
        ]) {
          const drawn = all.map((one) => ({ ensemble: one, draws: 1 }))
          const exact = Effect.runSync(
            Rank.fromEnsembles(scorer(sample(law, { noise, rows, seed: 3 })), drawn),
          )
          const before = new Map(exact.models.map((model) => [model.ensemble.key, model]))
          const { models } = exact.pipe(Rank.exactConstants({ top: all.length }))
          const best = models[0]!.lmpse
          for (const {
            constants,
            ensemble: { key },
          } of models) {
            if (constants !== undefined) continue
            untested++
            const tested = before.get(key)!.exact!(Constants.defaults)
            expect(tested?.lmpse ?? -Infinity).toBeLessThan(best - Math.log(1000))
          }
        }
    expect(untested).toBeGreaterThan(200)
  })

  it("has the evidence on the scale of the link anew", () => {
    const plain = rounded.models.find(({ ensemble }) => ensemble.key === ensembles[0]!.key)!
    expect(plain.linkEvidence).toBe(plain.logEvidence)
    const log = rounded.models.find(({ ensemble }) => ensemble.key === ensembles[2]!.key)!
    const free = ranking.models.find(({ ensemble }) => ensemble.key === ensembles[2]!.key)!
    const there = scorer(train, { noise: "link" }).model({ ensemble: ensembles[2]!, draws: 1 })!
    expect(free.linkEvidence).toBeCloseTo(there.logEvidence, 8)
    expect(log.linkEvidence).toBeCloseTo(there.exact!(Constants.defaults)!.logEvidence, 8)
    expect(log.linkEvidence - free.linkEvidence).toBeGreaterThan(3)
  })

  it("keeps draws, and probabilities that say the same as LMPSE", () => {
    expect(total(rounded)).toBeCloseTo(1, 12)
    const [best] = rounded.models
    ensembles.forEach(({ key }, place) => {
      const own = rounded.models.filter(({ ensemble }) => ensemble.key === key)
      expect(own.reduce((sum, { draws }) => sum + draws, 0)).toBe(place + 1)
    })
    for (const model of rounded.models) {
      if (model.posterior > 0)
        expect(Math.log(model.posterior / best!.posterior)).toBeCloseTo(model.lmpse - best!.lmpse, 6)
    }
    const two = ranking.pipe(Rank.top(2))
    expect(total(two.pipe(Rank.exactConstants()))).toBeCloseTo(total(two), 12)
  })

  it("has the law with an intercept and the law without one as two models, where neither is out of the question", () => {
    // The intercept is 0.03, of which the standard error is 0.013 on 60 rows; on 100,000 rows with the same noise there is no doubt.
    const of = (rows: number) => {
      const data = sample((a, b) => 1.37 * a * b + 0.03, { noise: 0.01, rows, seed: 4 })
      const laws = [ensemble("identity", "a*b"), ensemble("identity")]
      const drawn = laws.map((one) => ({ ensemble: one, draws: 1 }))
      const ranked = Effect.runSync(Rank.fromEnsembles(scorer(data), drawn)).pipe(Rank.exactConstants())
      return { ranked, models: ranked.models.filter(({ ensemble: { trees } }) => trees.length === 1) }
    }
    const { ranked, models } = of(60)
    expect(new Set(models.map(({ constants }) => constants?.[0]))).toEqual(new Set(["0", "free"]))
    expect(ranked.distinct).toBe(ranked.models.length)
    expect(total(ranked)).toBeCloseTo(1, 12)
    expect(of(100_000).models.map(({ constants }) => constants?.[0])).toEqual(["free"])
  })

  it("finds the same best hypothesis over all kinds of intercept as without a kind", () => {
    for (let seed = 0; seed < 20; seed++) {
      const data = sample((a, b) => 2 * a * b - (seed % 3), { noise: 0.1, rows: 30, seed })
      const model = scorer(data).model({ ensemble: ensemble("identity", "a*b", "c"), draws: 1 })!
      const kinds = intercepts.map((intercept) => model.exact!(Constants.defaults, { intercept }))
      kinds.forEach((one, k) => {
        if (one !== undefined) expect(interceptOf(one.states![0], true)).toBe(intercepts[k])
      })
      const best = model.exact!(Constants.defaults)!
      expect(kinds.map((one) => one?.lmpse)).toContain(best.lmpse)
    }
  })

  it("leaves rows out with the coefficients of the functions that terms are split into", () => {
    const data = sample((a, b) => 2.37 * a + b, { noise: 0.01, rows: 12, seed: 3 })
    const model = scorer(data).model({ ensemble: ensemble("identity", "a + b", "a"), draws: 1 })!
    const exact = model.exact!(Constants.defaults)!
    // (a + b) + 1.37 a is 2.37 a + b, of which the coefficient of a alone is free.
    expect(exact.constants?.toSorted()).toEqual(["0", "1", "free"])
    const [a, b] = data.columns
    const rest = data.y.map((value, i) => value - b![i]!)
    const sums = (left: number): readonly [number, number] =>
      rest.reduce<readonly [number, number]>(
        ([xy, xx], value, i) => (i === left ? [xy, xx] : [xy + a![i]! * value, xx + a![i]! ** 2]),
        [0, 0],
      )
    const squares = rest.map((value, i) => {
      const [xy, xx] = sums(i)
      return (value - (xy / xx) * a![i]!) ** 2
    })
    const refitted = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / data.rows)
    // By the leverage of a + b it is 0.996 of that. The posterior mean shrinks the coefficient a little.
    expect(exact.rmseLoo / refitted).toBeCloseTo(1, 3)
  })

  it("takes an addend apart from what it shares with others", () => {
    const model = rounded.models.find(({ ensemble }) => ensemble.key === ensembles[3]!.key)!
    // (a + b)^2 - a^2 - b^2 = 2 a b: the expression is 1/2 of that, exactly.
    expect(model.constants).toEqual(["0", "1/2", "-1/2", "-1/2"])
  })

  it("rounds the best so many, and charges the others for being free", () => {
    const one = ranking.pipe(Rank.exactConstants({ top: 1 }))
    const before = new Map(ranking.models.map((model) => [model.ensemble.key, model]))
    const free = one.models.filter(({ constants }) => constants === undefined)
    expect(free).toHaveLength(ensembles.length - 1)
    for (const model of free) {
      const { exact, zero } = Constants.ofLaw(Constants.defaults, model.columns, model.link === Link.log)
      expect(model.lmpse - before.get(model.ensemble.key)!.lmpse).toBeCloseTo(
        // The intercept is there and tied to none, and it and the slopes are free.
        Math.log((1 - zero) * (model.ensemble.trees.length > 0 && model.link === Link.identity ? 0.76 : 1)) +
          (1 + model.ensemble.trees.length) * Math.log(1 - exact),
        9,
      )
    }
    expect(new Set(free.map(({ columns }) => columns)).size).toBeGreaterThan(1)
  })

  it("makes one law of parametrisations that round to the same", () => {
    const fit = (model: Rank.Ranking["models"][number]) => model.residuals()
    const of = (one: (typeof ensembles)[number]) =>
      rounded.models.find(({ ensemble }) => ensemble.key === one.key)!
    // a b, and 1/2 (a + b)^2 - 1/2 a^2 - 1/2 b^2, whose least squares fits differ.
    const [plain, expanded] = [of(ensembles[0]!), of(ensembles[3]!)]
    const before = ranking.models.filter(({ ensemble }) =>
      [ensembles[0]!.key, ensembles[3]!.key].includes(ensemble.key),
    )
    const apart = (a: Float64Array, b: Float64Array) => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)))
    expect(apart(fit(before[0]!), fit(before[1]!))).toBeGreaterThan(1e-4)
    expect(apart(fit(plain), fit(expanded))).toBeLessThan(1e-9)
    const grouped = rounded.pipe(Rank.groupEquivalent)
    const [best] = grouped.models
    expect(infix(best!.expression)).toBe("a*b")
    expect(best!.ensembles).toBeGreaterThanOrEqual(2)
    expect(best!.posterior).toBeGreaterThan(plain.posterior)
    expect(grouped.models.some(({ ensemble }) => ensemble.key === ensembles[3]!.key)).toBe(false)
  })

  it("is done once", () => {
    const again = rounded.pipe(Rank.exactConstants())
    expect(again.models.map(({ lmpse }) => lmpse)).toEqual(rounded.models.map(({ lmpse }) => lmpse))
  })

  it("leaves constants free under a prior that finds exact ones unlikely", () => {
    const prior = Constants.make({ exact: 1e-9, zero: 0 })
    const tested = ranking
      .pipe(Rank.exactConstants({ prior }))
      .models.flatMap(({ constants }) => (constants === undefined ? [] : [constants]))
    expect(tested.length).toBeGreaterThan(1)
    for (const constants of tested)
      expect(constants.every((text) => text === "free" || text === "-")).toBe(true)
  })
})
