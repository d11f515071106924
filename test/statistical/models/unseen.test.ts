import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"

const kinds = {
  normal: (random: Rng.Generator) => () => random.normal(),
  "heavy-tailed": (random: Rng.Generator) => () => random.normal() / Math.abs(random.normal()),
  "a random walk": (random: Rng.Generator) => {
    let sum = 0
    return () => (sum += random.normal())
  },
} as const

/** Columns that have nothing to do with y: noise, and under a random walk walks as well, which share its smoothness. */
const table = (kind: keyof typeof kinds, rows: number, columns: number, seed: number) => {
  const random = Rng.generator(Rng.fold(Rng.fold(Rng.key(seed), kind), rows))
  const next = Array.from({ length: columns + 1 }, () => kinds[kind](random))
  const all = Array.from({ length: rows }, () => next.map((draw) => draw()))
  return { X: all.map((row) => row.slice(1)), y: all.map(([first]) => first!) }
}

const fit = (source: Law.Source, effort: number, seed = 0) =>
  Effect.runPromise(Law.fit(source, { effort, workers: 1 }).pipe(Effect.provide(Fit.seed(seed))))

describe("pure noise", () => {
  const shapes = [
    [30, 1],
    [60, 3],
  ] as const

  // Of 6 tables of noise, at most 1 may have a law first, and none may have one stated above 0.9: a failure rate below 1 %
  // where one table in 100 has a law by chance. Of heavy tails 2 may: a row far out is a peak of a known form, and is stated with 0.3 to 0.6.
  it.each(Object.keys(kinds) as Array<keyof typeof kinds>)(
    "%s has no law",
    async (kind) => {
      let claimed = 0
      for (const [rows, columns] of shapes)
        for (let seed = 0; seed < 3; seed++) {
          const { best, unseen, models } = await fit(table(kind, rows, columns, seed), 250_000, seed)
          // A term that the data do not tell from 0 is not printed.
          const isLaw = Term.variables(best.expression).length > 0
          claimed += Number(isLaw)
          const stated = isLaw ? best.probability! : 0
          expect(stated).toBeLessThan(0.9)
          const total = models.reduce((sum, { probability }) => sum + probability!, unseen!.probability)
          expect(total).toBeCloseTo(1, 9)
        }
      expect(claimed).toBeLessThanOrEqual(kind === "heavy-tailed" ? 2 : 1)
    },
    300_000,
  )
})

describe("a search that is cut off", () => {
  it("states little of what it had no time to see", async () => {
    const random = Rng.generator(Rng.fold(Rng.key(5), "cut"))
    const X = Array.from({ length: 60 }, () => [1 + random.next(), 1 + random.next(), 1 + random.next()])
    const y = X.map(([a, b, c]) => Math.sqrt(a! ** 2 + b! ** 2) * Math.sin(c!) + 0.001 * random.normal())
    const { best, unseen } = await fit({ X, y }, 2000)
    expect(unseen!.signs).toMatchObject({ restarts: 0, agreeing: 0 })
    expect(unseen!.probability).toBeGreaterThan(0.5)
    expect(best.probability!).toBeLessThan(0.5)
    const more = await fit({ X, y }, 1_000_000)
    expect(more.unseen!.probability).toBeLessThan(unseen!.probability)
  }, 120_000)
})
