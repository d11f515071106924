import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { model } from "../../support/smallFit.ts"

/** A posterior of the small model whose logits are given by site, node by node. */
const posteriorOf = (sites: Readonly<Record<string, ReadonlyArray<number>>>) =>
  Effect.map(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))), (plan): Posterior.Posterior => {
    const parameters = new Float64Array(plan.parameterCount)
    for (const { site, offset, length } of plan.parameters)
      parameters.set(sites[site] ?? Array.from({ length }, () => 0), offset)
    return { plan, parameters, skipped: 0 }
  })

const repeated = (count: number, values: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from({ length: count }, () => values).flat()

describe("draws of a posterior", () => {
  // Two trees of seven nodes: the first is x0 x1, the second sin(x1).
  const certain = {
    "trees.split": [30, -30, -30, 0, 0, 0, 0, 30, -30, 0, 0, 0, 0, 0],
    "trees.operator": [...repeated(7, [30, -30]), ...repeated(7, [-30, 30])],
    "trees.terminal": [30, -30, 30, -30, -30, 30, ...repeated(4, [0, 0]), ...repeated(7, [-30, 30])],
  }

  it.effect("are skeletons, draws outermost, that prune to the trees of the parameters", () =>
    Effect.gen(function* () {
      const posterior = yield* posteriorOf(certain)
      const { forest } = posterior.plan.likelihood
      const drawn = Posterior.draws(posterior, forest, Rng.key(1), 200)
      expect(drawn.count).toBe(200)
      for (const values of [drawn.split, drawn.operator, drawn.terminal])
        expect(values).toHaveLength(200 * 2 * 7)
      const found = new Map<string, number>()
      for (let h = 0; h < 200; h++) {
        const trees = [0, 1].map((k) => Tree.prune(forest.grammar, 2, drawn, (2 * h + k) * 7))
        const key = trees.map(Tree.key).join()
        found.set(key, (found.get(key) ?? 0) + 1)
      }
      // Logits are clamped at 10: one of the eight decisions differs once in 2,800 draws.
      expect(found.get("o0(t0,t1),o1(t1)")).toBeGreaterThan(195)
    }),
  )

  it.effect("depend on the key, each site on its own", () =>
    Effect.gen(function* () {
      const posterior = yield* posteriorOf({})
      const { forest } = posterior.plan.likelihood
      const one = Posterior.draws(posterior, forest, Rng.key(1), 50)
      expect(Posterior.draws(posterior, forest, Rng.key(1), 50)).toEqual(one)
      expect(Posterior.draws(posterior, forest, Rng.key(2), 50)).not.toEqual(one)
      // With two categories and equal logits, operator and terminal would be equal draws under one key.
      expect(one.operator).not.toEqual(one.terminal)
      // The first draws do not depend on their number.
      const more = Posterior.draws(posterior, forest, Rng.key(1), 80)
      expect(more.terminal.slice(0, one.terminal.length)).toEqual(one.terminal)
    }),
  )

  it.effect("are there for any site by name", () =>
    Effect.gen(function* () {
      const posterior = yield* posteriorOf({ operatorWeights: [Math.log(300), Math.log(100)] })
      const weights = Posterior.sampleSite(posterior, "operatorWeights", Rng.key(1), 400)
      expect(weights).toHaveLength(800)
      const mean = weights.filter((_, i) => i % 2 === 0).reduce((a, b) => a + b, 0) / 400
      expect(mean).toBeCloseTo(0.75, 2)
      expect(() => Posterior.sampleSite(posterior, "weights", Rng.key(1), 1)).toThrow(
        'the plan has no site "weights"',
      )
    }),
  )
})
