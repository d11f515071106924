import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import { point } from "../../../../src/testing/arbitraryModel.ts"
import * as Vasst from "../../../../src/models/vasst.ts"
import type { Engine } from "../../../../src/vi/engines/Engine.ts"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Objective from "../../../../src/vi/Objective.ts"
import { availableBackends } from "../../../support/backends.ts"
import { activate, softTrees } from "../../../support/ensembles.ts"
import { dataset } from "../../../support/selected.ts"
import { formOf } from "../../../support/tinyModel.ts"

// A full-rank factor of the values of a constant at all nodes of two trees, on every engine.

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin],
  constants: { c: Constant.fitted(Dist.normal(0.5, 2)), t: Constant.fitted(Dist.studentT(3, 0, 1)) },
})
const model = Vasst.model(grammar, 2, 1)
const data = dataset({ a: [0.5, 1, 1.7, 2.2, -0.4], b: [1.2, 0.3, 2, 0.9, 0.1] }, [0.4, -1.1, 0.2, 1.3, 0.7])
const family = Family.meanField(model, { factors: { real: Family.factors.fullRank(Family.valueStart) } })
const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(family)))

const forms = {
  elbo: formOf(Objective.elbo({ samples: 2 })),
  importanceWeighted: formOf(Objective.importanceWeighted({ samples: 2 })),
}

const evaluate = (engine: Engine, form: keyof typeof forms, seed: number) => {
  const gradient = new Float64Array(plan.parameterCount)
  const { parameters, noise } = point(plan, 2, seed, 0.4)
  const controls = { temperature: 0.8, divergenceWeight: 1 }
  const found = Effect.runSync(
    Effect.scoped(
      Effect.map(engine.compile(plan, data, softTrees(200), forms[form]), (compiled) =>
        compiled.valueAndGradient(parameters, noise, controls, gradient),
      ),
    ),
  )
  return { ...found, gradient }
}

describe("a full-rank factor of the values of constants", () => {
  it("has a triangle over all nodes of all trees", () => {
    const slots = plan.parameters.filter(({ site }) => site === "trees.value.c")
    expect(slots.map(({ name, shape }) => [name, shape])).toEqual([
      ["loc", [2, 3]],
      ["logScale", [2, 3]],
      ["triangle", [2, 3, 6]],
    ])
    const noise = plan.noise.filter(({ site }) => site === "trees.value.c")
    expect(noise.map(({ kind, shape }) => [kind, shape])).toEqual([["normal", [1, 1, 6]]])
  })

  it.each(["elbo", "importanceWeighted"] as const)(
    "has one %s and one gradient on all engines",
    async (form) => {
      for (let seed = 0; seed < 2; seed++) {
        const scalar = evaluate(Scalar.engine, form, seed)
        const compare = (found: typeof scalar, tolerance: number): void => {
          expect(Math.abs(found.objective - scalar.objective)).toBeLessThan(tolerance)
          found.gradient.forEach((slope, i) => {
            const own = scalar.gradient[i]!
            expect(Math.abs(slope - own)).toBeLessThan(tolerance * (1 + Math.abs(own)))
          })
        }
        const { offset, length } = plan.parameters.find(
          ({ site, name }) => site === "trees.value.c" && name === "triangle",
        )!
        scalar.gradient.subarray(offset, offset + length).forEach((slope, i) => {
          if (i % 6 < Math.floor(i / 6)) expect(slope).not.toBe(0)
          else expect(slope).toBe(0)
        })
        compare(evaluate(Simd.engine, form, seed), 2e-4)
        for (const backend of availableBackends()) {
          await activate(backend)
          compare(evaluate(Tfjs.engine, form, seed), 2e-3)
        }
      }
    },
  )
})
