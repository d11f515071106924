import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Setting from "../../../src/errors/Setting.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Settings from "../../../src/search/Settings.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Backend from "../../../src/vi/Backend.ts"

const X = Array.from({ length: 20 }, (_, i) => [1 + (i % 5), 2 + (i % 7)])
const y = X.map(([a, b]) => a! * b!)

describe("numbers that are declared", () => {
  it.each([
    [
      "the number of steps must be a whole number from 0 on, but is NaN",
      () => Stop.layer({ steps: Number.NaN }),
    ],
    ["the number of steps must be a whole number from 0 on, but is -1", () => Stop.layer({ steps: -1 })],
    ["the time limit must be greater than 0, but is NaN", () => Stop.afterSeconds(Number.NaN)],
    [
      "the number of samples must be a whole number from 1 on, but is 1.5",
      () => Objective.elbo({ samples: 1.5 }),
    ],
    [
      "the size of the expression library must be a whole number from 1 on, but is 0",
      () => Settings.make({ library: 0 }),
    ],
    [
      "the share of draws must be at least 0 and less than 1, but is 1",
      () => Setting.share("the share of draws", 1),
    ],
    [
      "the number of rows that a search looks at first must be a whole number from 1 on, but is 0.5",
      () => Settings.make({ rows: 0.5 }),
    ],
    ["it must be a whole number from 2 to 3, but is 4", () => Setting.whole("it", 4, 2, 3)],
  ])("%s", (message, declare) => {
    expect(declare).toThrow(Setting.SettingError)
    expect(declare).toThrow(message)
  })

  it("may be infinite where that means all", () => {
    expect(() => Settings.make({ rows: Infinity })).not.toThrow()
    expect(() => Stop.afterSeconds(Infinity)).not.toThrow()
  })

  it("are errors of a model where it is traced", () => {
    const grammar = Grammar.make({ features: ["a"], operators: [Operator.mul] })
    const trace = (trees: number, depth: number) => {
      const model = Vasst.model(grammar, trees, depth)
      return () => Effect.runSync(Plan.trace(model).pipe(Effect.provide(Vasst.inference(model))))
    }
    expect(trace(2, 1.5)).toThrow("the depth of trees must be a whole number from 0 to 16, but is 1.5")
    expect(trace(2, 40)).toThrow("the depth of trees must be a whole number from 0 to 16, but is 40")
    expect(trace(-1, 2)).toThrow('the size of the plate "trees" must be a whole number from 1 on, but is -1')
  })
})

describe("the options of a fit", () => {
  it.each([
    [{ time: -1 }, "the time limit must be greater than 0, but is -1"],
    [{ trees: 0 }, 'the size of the plate "trees" must be a whole number from 1 on, but is 0'],
    [{ depth: 40 }, "the depth of trees must be a whole number from 0 to 16, but is 40"],
    [{ links: [] }, "link"],
    [{ constants: [1, Number.NaN] }, "NaN"],
    // What JavaScript lets through.
    [{ operators: ["sine" as "sin"] }, 'there is no operator "sine"; the operators are: add, sub'],
  ] satisfies ReadonlyArray<readonly [Law.Options, string]>)("%j", async (options, message) => {
    const error = await Effect.runPromise(Effect.flip(Law.fit({ X, y }, options)))
    expect(error._tag).toBe("CompileError")
    expect(error.message).toContain(message)
  })

  it("are those of the paper's method as well", async () => {
    const fit = (options: Vasst.Options) =>
      Effect.runPromise(Effect.flip(Vasst.fit({ X, y }, options)).pipe(Effect.provide(Backend.layer("simd"))))
    expect((await fit({ draws: -1 })).message).toContain(
      "the number of draws must be a whole number from 1 on",
    )
    expect((await fit({ steps: -1 })).message).toContain("the number of steps must be")
  })

  it("do not make a law of rows that have other features", async () => {
    const fit = await Effect.runPromise(
      Law.fit({ X, y, features: ["a", "b"] }, { operators: ["mul"], time: 5 }),
    )
    expect(fit.predict([[2, 3]])[0]).toBeCloseTo(6, 6)
    for (const row of [[1], [1, 2, 3]])
      expect(() => fit.predict([[1, 2], row])).toThrow(
        `row 2 has ${row.length} values, but the law is over 2: a, b`,
      )
  })
})
