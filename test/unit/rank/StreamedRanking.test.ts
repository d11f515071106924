import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Chunks from "../../../src/data/Chunks.ts"
import * as Law from "../../../src/models/law.ts"
import * as StreamedLaw from "../../../src/models/streamedLaw.ts"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import * as ParametricTrees from "../../../src/evidence/fitted/ParametricTrees.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Known from "../../../src/rank/Known.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import { table } from "../../support/streamed.ts"

const settings = { effort: 4000, workers: 1 }

describe("laws that are ranked by all rows of a table in chunks", () => {
  it.each([
    ["with exact constants", (a: number, b: number, c: number) => (a * b) / 2 + c, {}],
    [
      "with constants inside of terms",
      (a: number, b: number) => 2.31 * Math.exp(-0.37 * a) + 0.61 * b + 0.2,
      { start: "p*exp(-q*x0) + r*x1 + s" },
    ],
  ])("have the evidence and the numbers of the scorer in memory, %s", async (_, law, more) => {
    const data = table(12_000, law)
    const [found, compared, fitted] = await Effect.runPromise(
      Effect.gen(function* () {
        const found = yield* StreamedLaw.fit(Chunks.ofDataset(data, 997), {
          ...settings,
          ...more,
          sample: 1500,
        })
        const scorer = yield* Scorer.make(found.posterior.plan, { train: data })
        const known = yield* Known.make(found.posterior.plan, data)
        // Numbers inside of a law that is no good are in a valley, where steps may end early.
        const { grammar } = found.posterior.plan.likelihood.forest
        const compared = found.models
          .filter(({ ensemble }, k) => k === 0 || !ParametricTrees.any(grammar, ensemble.trees))
          .slice(0, 4)
        const fitted = compared.map(({ ensemble }) => scorer.model({ ensemble, draws: 1 })!)
        return [
          found,
          compared,
          fitted.map((model) => known.under(model.exact?.(Constants.defaults) ?? model)),
        ] as const
      }),
    )
    expect(found.rows).toBe(12_000)
    expect(found.sample.rows).toBeLessThan(3001)
    fitted.forEach((model, k) => {
      const own = compared[k]!
      expect(own.logEvidence).toBeCloseTo(model.logEvidence, 2)
      expect(own.lmpse).toBeCloseTo(model.lmpse, 2)
      expect(own.constants).toEqual(model.constants)
      expect(own.sigma2 / model.sigma2).toBeCloseTo(1, 6)
      expect(own.rmseTrain / model.rmseTrain).toBeCloseTo(1, 6)
      expect(own.rmseLoo / model.rmseLoo).toBeCloseTo(1, 4)
      expect(own.bic).toBeCloseTo(model.bic, 2)
      expect(own.numbers).toHaveLength(model.numbers.length)
      own.numbers.forEach(({ value, error }, j) => {
        const there = model.numbers[j]!
        expect(Math.abs(value - there.value)).toBeLessThan(0.02 * there.error)
        expect(error / there.error).toBeCloseTo(1, 1)
      })
    })
  })

  // Of 200,000 rows a fit in memory ranks by a sample first (`rank/ManyRows`), as that in chunks does.
  it.each([12_000, 200_000])("are those of a fit in memory, of %i rows", async (rows) => {
    const data = table(rows, (a, b) => a + b * b)
    const [streamed, whole] = await Effect.runPromise(
      Effect.all([
        StreamedLaw.fit(Chunks.ofDataset(data, 1000), { ...settings, sample: 1500 }),
        Law.fit(data, { ...settings, noise: "additive", links: [Link.identity] }),
      ]),
    )
    expect(infix(streamed.best.expression)).toBe(infix(whole.best.expression))
    expect(streamed.best.lmpse).toBeCloseTo(whole.best.lmpse, 6)
    expect(streamed.predict([[1, 2, 3]])[0]).toBeCloseTo(5, 10)
    const total = streamed.models.reduce((sum, { probability = 0 }) => sum + probability, 0)
    expect(total + streamed.unseen!.probability).toBeCloseTo(1, 9)
  })

  it("give the mean no probability where the sample did not, of a sample of nearly all rows", async () => {
    const data = table(2000, (a, b) => 2.31 * a * Math.exp(-0.37 * b))
    const found = await Effect.runPromise(
      StreamedLaw.fit(Chunks.ofDataset(data, 997), { ...settings, sample: 1900 }),
    )
    const mean = found.models.find(({ ensemble }) => ensemble.trees.length === 0)
    expect(mean!.lmpse).toBeLessThan(found.best.lmpse - 100)
    expect(mean!.probability).toBeLessThan(1e-30)
  })

  it("does not depend on the length of chunks but for rounding, nor on anything else", async () => {
    const data = table(5000, (a, b) => a + b * b)
    const fit = (rows: number) =>
      Effect.runPromise(StreamedLaw.fit(Chunks.ofDataset(data, rows), { ...settings, sample: 1000 }))
    const [one, same, other] = [await fit(700), await fit(700), await fit(5000)]
    expect(same.models.map(({ lmpse }) => lmpse)).toEqual(one.models.map(({ lmpse }) => lmpse))
    expect(other.models.map(({ expression }) => infix(expression, { precision: 6 }))).toEqual(
      one.models.map(({ expression }) => infix(expression, { precision: 6 })),
    )
  })
})

describe("the sample of a fit in chunks", () => {
  // The law of rare rows at the end of the range, which a small sample has few of.
  const data = table(40_000, (a, b, c) => a + b + (0.17 * c) ** 4, 0.6)

  it("grows where all rows know of a term that the law lacks", async () => {
    const fit = (most: number) =>
      Effect.runPromise(
        StreamedLaw.fit(Chunks.ofDataset(data), { ...settings, effort: 40_000, sample: 60, most }),
      )
    const [fixed, grown] = [await fit(60), await fit(20_000)]
    expect(fixed.lacking).toBeGreaterThan(30)
    expect(grown.sample.rows).toBeGreaterThan(fixed.sample.rows)
    expect(grown.passes).toBeGreaterThan(fixed.passes)
    expect(grown.lacking).toBeLessThan(fixed.lacking)
  })
})

describe("a fit in chunks refuses what it cannot do", () => {
  const chunks = Chunks.ofDataset(table(100, (a) => a))
  it.each([
    [{ noise: "proportional" }, "its noise is additive"],
    [{ links: [Link.log] }, "without links"],
    [{ error: "x0" }, "it has no option error"],
    [{ testFraction: 0.1 }, "it has no option testFraction"],
  ])("%o", async (options, message) => {
    // What a program without types may give.
    const error = await Effect.runPromise(
      Effect.flip(StreamedLaw.fit(chunks, options as StreamedLaw.Options)),
    )
    expect(error).toMatchObject({ _tag: "CompileError" })
    expect(error.message).toContain(message)
  })
})
