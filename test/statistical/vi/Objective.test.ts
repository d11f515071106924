// Bounds over several relaxed draws: their values, their gradients in all engines, and their meaning where draws are cold.
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import type { Compiled, Engine, ObjectiveForm } from "../../../src/vi/engines/Engine.ts"
import * as Oracle from "../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../src/vi/engines/tfjs/engine.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import { activate, softTrees } from "../../support/ensembles.ts"
import { data, exact, formOf, model, planOf } from "../../support/tinyModel.ts"

const plan = planOf(model, Family.meanField(model))
const compile = (engine: Engine, of: Plan.Plan, form: ObjectiveForm): Compiled =>
  Effect.runSync(Effect.scoped(engine.compile(of, data, softTrees(undefined), form)))
const noiseOf = (of: Plan.Plan, samples: number, seed: number): Float32Array => {
  const noise = new Float32Array(samples * of.noiseCount)
  Plan.noiseDrawer(of, samples, noise)(Rng.key(seed))
  return noise
}
const parametersOf = (of: Plan.Plan): Float64Array =>
  Rng.normal(Rng.key(5), new Float64Array(of.parameterCount)).map((z) => 0.4 * z)
const controls = { temperature: 0.7, divergenceWeight: 1 }

/** A model with a fitted number of each kind, so that log q - log p of numbers is in the bound. */
const numbers = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin],
  constants: {
    c: Constant.fitted(Dist.normal(0, 1)),
    s: Constant.fitted(Dist.gamma(2, 1)),
    u: Constant.fitted(Dist.uniform(-1, 2)),
  },
})
const valued = Model.gen(function* () {
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(5, 1))
  const split = Prior.depthDecay(0.9, 0.5)
  const forest = yield* Model.plate(
    "trees",
    2,
    Tree.prior({ grammar: numbers, depth: 2, split, operators, features, values: true }),
  )
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 1 }))
})
const valuedPlan = planOf(valued, Family.meanField(valued))

beforeAll(() => activate("cpu"))

describe("bounds over relaxed draws", () => {
  const S = 4
  /** The slices of each sample: noise is laid out slot by slot. */
  const single = (noise: Float32Array, s: number): Float32Array =>
    Float32Array.from(
      plan.noise.flatMap(({ offset, length }) =>
        Array.from(noise.subarray(S * offset + s * length, S * offset + (s + 1) * length)),
      ),
    )
  const noise = noiseOf(plan, S, 3)
  const parameters = parametersOf(plan)
  const value = (form: ObjectiveForm, own: Float32Array): number =>
    compile(Oracle.engine, plan, form).value(parameters, own, controls).objective

  it("are functions of the log weights of single draws", () => {
    const logs = Array.from({ length: S }, (_, s) =>
      value(formOf(Objective.importanceWeighted({ samples: 1 })), single(noise, s)),
    )
    const power = (order: number): number =>
      Math.log(logs.reduce((sum, log) => sum + Math.exp(order * log), 0) / S) / order
    const at = (alpha: number): number => value(formOf(Objective.renyi({ samples: S, alpha })), noise)
    expect(value(formOf(Objective.importanceWeighted({ samples: S })), noise)).toBeCloseTo(power(1), 9)
    expect(at(0.5)).toBeCloseTo(power(0.5), 9)
    expect(at(-1)).toBeCloseTo(power(2), 9)
    expect(at(2)).toBeCloseTo(power(-1), 9)
    expect(at(1)).toBeCloseTo(logs.reduce((sum, log) => sum + log, 0) / S, 9)
    expect(Math.max(...logs) - Math.min(...logs)).toBeGreaterThan(0.5)
  })

  it.each(["importance-weighted", "Renyi, order 0.5", "Renyi, order 2"] as const)(
    "have the same gradients in all engines: %s",
    (which) => {
      const alpha = which === "importance-weighted" ? 0 : Number(which.split(" ").at(-1))
      const form = formOf(Objective.renyi({ samples: S, alpha }))
      for (const of of [plan, valuedPlan]) {
        const at = parametersOf(of)
        const own = noiseOf(of, S, 4)
        const gradient = (engine: Engine) => {
          const slopes = new Float64Array(of.parameterCount)
          const found = Effect.runSync(
            Effect.scoped(
              Effect.map(engine.compile(of, data, softTrees(undefined), form), (compiled) =>
                compiled.valueAndGradient(at, own, controls, slopes),
              ),
            ),
          )
          return { ...found, slopes }
        }
        const oracle = gradient(Oracle.engine)
        for (const engine of [Simd.engine, Tfjs.engine]) {
          const other = gradient(engine)
          expect(Math.abs(other.objective - oracle.objective)).toBeLessThan(2e-3)
          expect(Math.abs(other.divergence - oracle.divergence)).toBeLessThan(2e-3)
          other.slopes.forEach((slope, i) => expect(Math.abs(slope - oracle.slopes[i]!)).toBeLessThan(5e-3))
        }
        expect(Math.max(...oracle.slopes.map(Math.abs))).toBeGreaterThan(0.1)
      }
    },
  )

  it("rise with the number of draws from the ELBO, below log p(y), where draws are cold", () => {
    const cold = { temperature: 0.02, divergenceWeight: 1 }
    const runs = 1000
    const meanOf = (form: ObjectiveForm): { readonly mean: number; readonly error: number } => {
      const compiled = compile(Simd.engine, plan, form)
      const found = Array.from(
        { length: runs },
        (_, run) => compiled.value(parameters, noiseOf(plan, form.samples, run), cold).objective,
      )
      const mean = found.reduce((sum, x) => sum + x, 0) / runs
      return { mean, error: Math.sqrt(found.reduce((sum, x) => sum + (x - mean) ** 2, 0)) / runs }
    }
    const elbo = meanOf(formOf(Objective.elbo({ samples: 1 })))
    const [one, four, sixteen] = [1, 4, 16].map((samples) =>
      meanOf(formOf(Objective.importanceWeighted({ samples }))),
    )
    // Four standard errors of the difference of means of 1,000 values: a new seed fails with a probability below 1e-4.
    expect(Math.abs(one!.mean - elbo.mean)).toBeLessThan(4 * Math.hypot(one!.error, elbo.error))
    expect(four!.mean - one!.mean).toBeGreaterThan(4 * Math.hypot(one!.error, four!.error))
    expect(sixteen!.mean).toBeGreaterThan(four!.mean)
    expect(sixteen!.mean).toBeLessThan(exact(plan).logMarginal)
  })

  it.effect("are refused for restricted priors, whose relaxed draws have no weights", () =>
    Effect.gen(function* () {
      const restricted = Model.gen(function* () {
        const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
        const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
        const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] })
        const split = Prior.depthDecay(0.9, 0.5)
        const restrictions = [Tree.atMostNodes(3)]
        const forest = yield* Model.plate(
          "trees",
          1,
          Tree.prior({ grammar, depth: 2, split, operators, features, restrictions }),
        )
        yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 1 }))
      })
      const form = formOf(Objective.importanceWeighted({ samples: 2 }))
      const of = planOf(restricted, Family.meanField(restricted))
      const error = yield* Effect.flip(
        Effect.scoped(Simd.engine.compile(of, data, softTrees(undefined), form)),
      )
      expect(error.message).toMatch(/restricted tree prior have no importance weights.*ScoreFunction.fit/)
    }),
  )
})
