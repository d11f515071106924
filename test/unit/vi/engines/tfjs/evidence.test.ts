import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as Plan from "../../../../../src/prob/Plan.ts"
import * as Evidence from "../../../../../src/evidence/conjugate.ts"
import { algebra } from "../../../../../src/vi/engines/tfjs/algebra.ts"
import { registerGradients } from "../../../../../src/vi/engines/tfjs/gradients.ts"
import * as Tfjs from "../../../../../src/vi/engines/tfjs/evidence.ts"
import * as Dist from "../../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../../src/prob/Factor.ts"
import * as Likelihood from "../../../../../src/evidence/Likelihood.ts"
import * as Family from "../../../../../src/vi/Family.ts"
import * as Rng from "../../../../../src/random/Rng.ts"
import { availableBackends } from "../../../../support/backends.ts"
import { activate } from "../../../../support/ensembles.ts"
import { divergence, shared, siteOf } from "../../../../support/factors.ts"
import { data, model } from "../../../../support/smallFit.ts"

// Single nodes of the graph on tensors: the collapsed evidence, and the divergences that the paper's model has not.

// As the engine does: the Node build of tfjs-core has no gradients.
registerGradients()

const plan = Effect.runSync(
  Plan.trace(model).pipe(Effect.flatMap(Plan.relaxable), Effect.provide(Family.meanField(model))),
)
const likelihood = Likelihood.conjugateLinear(plan.likelihood.forest, {
  ...plan.likelihood.relaxed.conjugate!,
  mu0: [0.5, -1, 2],
  sigma0: [10, 1, 3],
})
const node = Effect.runSync(likelihood.relaxed.bind(data, 3))
const { y, rows } = data
const [S, K] = [3, 2]
/** [S, K, n] */
const design = Rng.normal(Rng.key(4), new Float32Array(S * K * rows))

/** Columns of sample s in float64, which the evidence is a function of. */
const columns = (values: ArrayLike<number>, s: number): ReadonlyArray<Float64Array> =>
  Array.from({ length: K }, (_, k) =>
    Float64Array.from({ length: rows }, (__, i) => values[(s * K + k) * rows + i]!),
  )
const evidence = (values: ArrayLike<number>, s: number): number =>
  Evidence.posterior(likelihood, y, columns(values, s)).logEvidence

describe.each(availableBackends().map((backend) => ({ backend })))("on $backend", ({ backend }) => {
  beforeAll(() => activate(backend))

  it("the evidence is that of each sample", () => {
    const values = tf.tidy(() =>
      Tfjs.operation(node)(tf.tensor3d(design, [S, K, rows])).dataSync<"float32">(),
    )
    expect(values).toHaveLength(S)
    values.forEach((value, s) => expect(value).toBeCloseTo(evidence(design, s), 4))
  })

  it("its gradient is the central difference of each sample, weighted by what comes from above", () => {
    const weights = [1, -2, 0.5]
    const found = tf.tidy(() => {
      const operation = Tfjs.operation(node)
      const loss = (t: tf.Tensor) => tf.sum(tf.mul(operation(t), tf.tensor1d(weights)))
      return tf
        .grad(loss)(tf.tensor3d(design, [S, K, rows]))
        .dataSync<"float32">()
    })
    const moved = Float64Array.from(design)
    const step = 1e-5
    design.forEach((x, index) => {
      const s = Math.floor(index / (K * rows))
      const at = (value: number): number => {
        moved[index] = value
        const result = evidence(moved, s)
        moved[index] = x
        return result
      }
      const slope = (weights[s]! * (at(x + step) - at(x - step))) / (2 * step)
      expect(Math.abs(found[index]! - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
    })
  })

  it("the tensors of one call survive the next", () => {
    tf.tidy(() => {
      const operation = Tfjs.operation(node)
      const [one, two] = [design, design.map((x) => x * 2)].map((values) => tf.tensor3d(values, [S, K, rows]))
      const both = (t: tf.Tensor) => tf.sum(tf.add(operation(t), operation(two!)))
      const alone = tf
        .grad((t: tf.Tensor) => tf.sum(operation(t)))(one!)
        .dataSync()
      expect(tf.grad(both)(one!).dataSync()).toEqual(alone)
    })
  })

  it("is NaN, and so is its gradient, where a column is not finite", () => {
    const broken = design.slice()
    broken[rows + 3] = Infinity
    const [values, slopes] = tf.tidy(() => {
      const operation = Tfjs.operation(node)
      const t = tf.tensor3d(broken, [S, K, rows])
      return [
        operation(t).dataSync(),
        tf
          .grad((x: tf.Tensor) => tf.sum(operation(x)))(t)
          .dataSync(),
      ] as const
    })
    expect(values[0]).toBeNaN()
    expect(values[1]).toBeCloseTo(evidence(design, 1), 4)
    expect(slopes.slice(0, K * rows).some(Number.isNaN)).toBe(true)
    expect(slopes.slice(K * rows).every(Number.isFinite)).toBe(true)
  })

  const factors: ReadonlyArray<readonly [string, Factor, ReadonlyArray<ReadonlyArray<number>>]> = [
    [
      "Normal",
      Family.factors.normal().make(siteOf("real", shared(Dist.normal(1, 2)), [2])),
      [
        [0.5, -1],
        [0.2, -1],
      ],
    ],
    ...[Dist.logNormal(0.5, 2), Dist.gamma(2, 3), Dist.inverseGamma(3, 2), Dist.halfNormal(2)].map(
      (prior) =>
        [
          `LogNormal under ${prior._tag}`,
          Family.factors.logNormal().make(siteOf("positive", shared(prior), [2])),
          [
            [0.5, -1],
            [-0.2, -1],
          ],
        ] as const,
    ),
    [
      "Beta",
      Family.factors.beta().make(siteOf("unit", shared(Dist.beta(2, 3)), [2])),
      [
        [0.5, -1],
        [2, 0.1],
      ],
    ],
    [
      "Categorical with an impossible category",
      Family.factors.categorical().make(siteOf("categorical", shared(Dist.categorical([0, 1, 0])), [], 3)),
      [[1, 2, -1]],
    ],
  ]
  it.each(factors)("the divergence of %s has the value and gradient of float64", (_, factor, parameters) => {
    const slots = factor.parameters.map(({ shape }, i) =>
      tf.tensor([...parameters[i]!], [...shape], "float32"),
    )
    const { value, grads } = tf.valueAndGrads((...own: Array<tf.Tensor>) =>
      tf.reshape(
        factor.divergence(
          algebra,
          (values, shape) => tf.tensor([...values], [...shape], "float32"),
          own,
          (name) => {
            throw new Error(name)
          },
        ),
        [],
      ),
    )(slots)
    const expected = divergence(factor, parameters)
    expect(Math.abs(value.dataSync()[0]! - expected)).toBeLessThan(1e-5 * (1 + Math.abs(expected)))
    parameters.forEach((slot, p) =>
      slot.forEach((x, i) => {
        const at = (moved: number) =>
          divergence(
            factor,
            parameters.map((other, q) => other.map((z, j) => (p === q && i === j ? moved : z))),
          )
        const slope = (at(x + 1e-5) - at(x - 1e-5)) / 2e-5
        expect(Math.abs(grads[p]!.dataSync()[i]! - slope)).toBeLessThan(
          2e-5 * (1 + Math.abs(expected) + Math.abs(slope)),
        )
      }),
    )
  })
})
