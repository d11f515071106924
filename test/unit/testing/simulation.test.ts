import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type * as Data from "../../../src/data/Data.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Law from "../../../src/models/law.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as PriorData from "../../../src/testing/priorData.ts"
import * as SameLaw from "../../../src/testing/sameLaw.ts"
import * as Simulation from "../../../src/testing/simulation.ts"

const rows = 60
const features = ["x0", "x1"]
const random = Rng.generator(Rng.fold(Rng.key(1), "columns"))
const columns = features.map(() => Float64Array.from({ length: rows }, () => 0.5 + 3 * random.next()))
const table = (y: Float64Array): Data.Dataset => ({ features, columns, target: "y", y, rows })
const plan = Effect.runSync(Plan.declared(Law.programOf({ features, target: "y" }, {})))
const { grammar } = plan.likelihood.forest

describe("a law drawn from the prior", () => {
  const draw = (seed: number) =>
    Effect.runSync(PriorData.draw(plan, table(new Float64Array(rows)), Rng.key(seed)))
  const draws = Array.from({ length: 80 }, (_, seed) => draw(seed))

  it("is finite, follows from its key, and is the law that made it", () => {
    expect(draw(3)).toEqual(draws[3])
    for (const { mean, link, trees, numbers } of draws.slice(0, 12)) {
      expect(mean.every(Number.isFinite)).toBe(true)
      if (trees.length === 0) continue
      const isLaw = Effect.runSync(SameLaw.judge(plan, table(mean), numbers))
      expect(isLaw({ ensemble: Ensemble.ofSet(grammar, trees, link) })).toBe(true)
    }
  })

  it("has a standard deviation, which noise is relative to", async () => {
    // The first law of this seed reaches 1e155, and its variance is infinite.
    const { signs } = await Effect.runPromise(Simulation.simulate({ seed: 40047, effort: 200 }))
    expect(signs.rows).toBe(125)
    expect(signs.error).toBeGreaterThan(0)
    expect(signs.error).toBeLessThan(Infinity)
  })

  it("has no terms as often as the prior, failure rate 1e-4", () => {
    // Three terms, each with probability 1/2; laws with terms are redrawn more often than constants, by up to twice. Of 80 draws P(Binomial(80, 1/4) > 36) and P(Binomial(80, 1/8) = 0) < 1e-4.
    const constant = draws.filter(({ trees }) => trees.length === 0).length
    expect(constant).toBeGreaterThan(0)
    expect(constant).toBeLessThanOrEqual(36)
  })
})

describe("whether a form is the law", () => {
  const tree = (text: string): Tree.Tree =>
    Result.getOrThrow(Result.flatMap(parse(text), (term) => Tree.fromTerm(grammar, term)))
  const y = columns[0]!.map((a, i) => 2 * a * columns[1]![i]! + 0.7)
  const isLaw = Effect.runSync(SameLaw.judge(plan, table(y), 1))
  const form = (...texts: ReadonlyArray<string>) => ({
    ensemble: Ensemble.ofSet(grammar, texts.map(tree), 0),
  })

  it("does not depend on how it is written, and is refused to more and to others", () => {
    expect(isLaw(form("x0*x1"))).toBe(true)
    expect(isLaw(form("x0/(1/x1)"))).toBe(true)
    expect(isLaw(form("x0*x1", "x0"))).toBe(false)
    expect(isLaw(form("x0"))).toBe(false)
  })
})
