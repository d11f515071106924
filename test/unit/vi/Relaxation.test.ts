import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as tf from "@tensorflow/tfjs-core"
import * as Dual from "../../../src/numeric/Dual.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import { trigamma } from "../../../src/numeric/Special.ts"
import type { CompileError } from "../../../src/errors/Errors.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Rng from "../../../src/random/Rng.ts"
import type { Engine, SoftTrees } from "../../../src/vi/engines/Engine.ts"
import * as Scalar from "../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../src/vi/engines/simd/engine.ts"
import * as Tape from "../../../src/vi/engines/tape/Tape.ts"
import { algebra as tensors } from "../../../src/vi/engines/tfjs/algebra.ts"
import * as Tfjs from "../../../src/vi/engines/tfjs/engine.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as HardDraws from "../../../src/vi/hard/HardDraws.ts"
import * as Relaxation from "../../../src/vi/Relaxation.ts"
import { activate, elbo } from "../../support/ensembles.ts"
import { data, model, planOf } from "../../support/tinyModel.ts"

beforeAll(() => activate("cpu"))

const softOf = (layer: typeof Relaxation.straightThrough): SoftTrees =>
  Effect.runSync(Relaxation.Relaxation.pipe(Effect.provide(layer({ temperature: () => 0.7 })))).soft
const straight = softOf(Relaxation.straightThrough)
const concrete = softOf(Relaxation.concrete)
const rao = softOf((settings) => Relaxation.gumbelRao({ ...settings, samples: 3 }))

describe("stopGradient", () => {
  it("is its argument with the slope 0, in every algebra", () => {
    const x = Nd.vector([0.3, -2])
    expect(Nd.algebra.stopGradient(x).data).toEqual(x.data)
    const A = Dual.elementwise(Nd.algebra, (u) => ({ ...u, data: u.data.map(trigamma) }))
    const moving = { value: x, slope: Nd.vector([1, 1]) }
    expect(A.stopGradient(A.unary.exp(moving))).toEqual({ value: Nd.algebra.unary.exp(x), slope: undefined })
    // d/dx x stop(x) = x, not 2 x.
    const tape = Tape.record(({ algebra: T, parameter }) => {
      const own = parameter([2])
      return { own, root: T.sumAll(T.binary.mul(own, T.stopGradient(own))) }
    })
    tape.outputs.own.data.set([0.3, -2])
    tape.forward()
    tape.backward(tape.outputs.root)
    expect([...tape.outputs.root.data]).toEqual([0.3 * 0.3 + 4])
    expect([...tape.outputs.own.adjoint!]).toEqual([0.3, -2])
    const slope = tf.grad((own) => tensors.sumAll(tensors.binary.mul(own, tensors.stopGradient(own))))
    expect([...slope(tf.tensor1d([0.5, -2])).dataSync()]).toEqual([0.5, -2])
  })
})

describe("the straight-through relaxation", () => {
  const S = 50
  const logits = [0.5, -1, 0.2, 0.1, 0.4, -0.3]
  const draws = (soft: SoftTrees) => {
    const tape = Tape.record(({ algebra: A, parameter, array, input }) => {
      const own = parameter([2, 3])
      const temperature = input([])
      const gumbel = array(Rng.gumbel(Rng.key(1), new Float64Array(S * 6)), [S, 2, 3])
      const logistic = array(Rng.logistic(Rng.key(2), new Float64Array(S * 6)), [S, 2, 3])
      const weights = array(Rng.normal(Rng.key(3), new Float64Array(S * 6)), [S, 2, 3])
      const categorical = soft.categorical(A, own, gumbel, temperature, [])
      const binary = soft.binary(A, own, logistic, temperature, [])
      const root = A.sumAll(A.binary.mul(weights, A.binary.add(categorical, binary)))
      return { own, temperature, categorical, binary, root }
    })
    tape.outputs.own.data.set(logits)
    tape.outputs.temperature.data[0] = 0.7
    tape.forward()
    tape.backward(tape.outputs.root)
    return tape.outputs
  }

  it("has hard draws, where the relaxed ones are largest, and the slopes of the relaxed ones", () => {
    const [hard, soft] = [draws(straight), draws(concrete)]
    hard.binary.data.forEach((value, i) => expect(value).toBe(soft.binary.data[i]! > 0.5 ? 1 : 0))
    for (let row = 0; row < 2 * S; row++) {
      const own = [...soft.categorical.data.subarray(3 * row, 3 * row + 3)]
      const largest = own.indexOf(Math.max(...own))
      expect([...hard.categorical.data.subarray(3 * row, 3 * row + 3)]).toEqual(
        own.map((_, k) => Number(k === largest)),
      )
    }
    // The root is linear in the draws, so that its slopes by them are the same.
    hard.own.adjoint!.forEach((slope, i) => expect(slope).toBeCloseTo(soft.own.adjoint![i]!, 10))
    expect(Math.max(...hard.own.adjoint!.map(Math.abs))).toBeGreaterThan(0.1)
  })

  it.each([
    ["straight-through", straight],
    ["Gumbel-Rao", rao],
  ])("gives hard trees their evidence, and engines one gradient: %s", (_, soft) => {
    const plan = Effect.runSync(Plan.widened(planOf(model, Family.meanField(model)), soft.further ?? 0))
    const parameters = Rng.normal(Rng.key(5), new Float64Array(plan.parameterCount)).map((z) => 0.4 * z)
    const hard = Effect.runSync(HardDraws.make(plan, data))
    const evidences = hard.draw(Rng.key(1), parameters, 2000).evidence
    for (let seed = 0; seed < 10; seed++) {
      const noise = new Float32Array(plan.noiseCount)
      Plan.noiseDrawer(plan, 1, noise)(Rng.key(seed))
      const run = (engine: Engine) => {
        const gradient = new Float64Array(plan.parameterCount)
        const controls = { temperature: 0.7, divergenceWeight: 1 }
        const found = Effect.runSync(
          Effect.scoped(
            Effect.map(engine.compile(plan, data, soft, elbo(1)), (compiled) =>
              compiled.valueAndGradient(parameters, noise, controls, gradient),
            ),
          ),
        )
        return { ...found, gradient }
      }
      const [simd, tensor] = [run(Simd.engine), run(Tfjs.engine)]
      // The oracle's gradient is a difference of values, which do not see the slopes.
      expect(Math.abs(run(Scalar.engine).objective - simd.objective)).toBeLessThan(1e-3)
      // One of the ten trees of the grammar.
      expect(Math.min(...evidences.map((one) => Math.abs(one - simd.evidence)))).toBeLessThan(1e-3)
      expect(Math.abs(simd.objective - tensor.objective)).toBeLessThan(2e-3)
      simd.gradient.forEach((slope, i) =>
        expect(Math.abs(slope - tensor.gradient[i]!)).toBeLessThan(1e-2 * Math.max(1, Math.abs(slope))),
      )
    }
  })
})

describe("a relaxation with further noise", () => {
  const plan = planOf(model, Family.meanField(model))

  it("gets it behind all other noise, of each discrete site", () => {
    const wide = Effect.runSync(Plan.widened(plan, 2))
    const count = plan.noise.length
    expect(wide.noise.slice(0, count)).toEqual(plan.noise)
    const placed = wide.noise.slice(count).map(({ site, kind, shape }) => [site, kind, shape])
    expect(placed).toEqual(
      plan.noise.flatMap(({ site, kind, shape }) => [
        [site, kind, shape],
        [site, kind, shape],
      ]),
    )
    expect(wide.noiseCount).toBe(3 * plan.noiseCount)
    const drawn = (of: Plan.Plan) => {
      const noise = new Float32Array(2 * of.noiseCount)
      Plan.noiseDrawer(of, 2, noise)(Rng.key(1))
      return noise
    }
    expect(drawn(wide).subarray(0, 2 * plan.noiseCount)).toEqual(drawn(plan))
    expect(Effect.runSync(Plan.widened(wide, 0)).noise).toEqual(plan.noise)
  })

  it("does not run on a plan without it, nor on factors that draw by other noise", () => {
    const message = (run: Effect.Effect<unknown, CompileError>): string =>
      Effect.runSync(Effect.flip(run)).message
    const compile = (of: Plan.Plan, soft: SoftTrees) =>
      Effect.scoped(Simd.engine.compile(of, data, soft, elbo(1)))
    expect(message(compile(plan, rao))).toContain("compile Plan.widened(plan, 3)")
    const wide = Effect.runSync(Plan.widened(plan, 2))
    expect(message(compile(wide, straight))).toContain("the plan has 2")
    const uniform: Family.FactorMaker<"binary"> = {
      support: "binary",
      make: (site) => ({
        ...Family.factors.bernoulli().make(site),
        name: "Other",
        noise: [{ kind: "uniform", shape: site.shape }],
      }),
    }
    const family = Family.meanField(model, { factors: { binary: uniform } })
    const other = planOf(model, family)
    expect(message(Plan.widened(other, 1))).toContain(
      'the factor Other of the site "trees.split" does not draw by',
    )
    // Without relaxed draws there is no noise to copy.
    expect(Effect.runSync(Plan.widened(planOf(model, Family.autoregressive(model)), 1)).noise).toEqual([])
  })

  it("takes one conditional draw or more", () => {
    expect(() => Relaxation.gumbelRao({ temperature: () => 1, samples: 0 })).toThrow("conditional draws")
  })
})
