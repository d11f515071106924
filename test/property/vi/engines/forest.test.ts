import * as tf from "@tensorflow/tfjs-core"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import * as Protection from "../../../../src/vi/engines/Protection.ts"
import * as ScalarForest from "../../../../src/vi/engines/oracle/forest.ts"
import * as TfjsForest from "../../../../src/vi/engines/tfjs/forest.ts"
import * as Gates from "../../../../src/vi/engines/simd/Gates.ts"
import * as SoftForest from "../../../../src/vi/engines/simd/SoftForest.ts"
import type { Target } from "../../../../src/wasm/Target.ts"
import * as Nd from "../../../../src/numeric/Nd.ts"
import * as Skeleton from "../../../../src/prob/Skeleton.ts"
import type { Forest } from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { arbitraryEnsemble, type Ensemble } from "../../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../../support/backends.ts"
import { activate, everywhere, planOf } from "../../../support/ensembles.ts"
import { targets } from "../../../support/lanes.ts"
import { runs } from "../../../support/property.ts"
import { type Rounded, softEvalAtNode } from "../../../support/rounding.ts"

// Engines agree on soft trees: the scalar engine with an independent transcription of the paper's algorithm, every
// tfjs backend with the same within the running error bound of its float32 operations.

interface Case {
  readonly ensemble: Ensemble
  readonly samples: number
  readonly valueClip: number | undefined
  /** logits of the draws are this many times logistic noise: 0 is uniform, 100 is one-hot */
  readonly sharpness: number
  readonly seed: number
}

const cases = (depth: number): fc.Arbitrary<Case> =>
  fc.record({
    ensemble: fc.oneof(
      { weight: 3, arbitrary: arbitraryEnsemble({ depth, operations: everywhere }) },
      { weight: 1, arbitrary: arbitraryEnsemble({ depth, pool: [] }) },
    ),
    samples: fc.integer({ min: 1, max: 3 }),
    valueClip: fc.option(fc.constantFrom(200, 3), { nil: undefined }),
    sharpness: fc.constantFrom(1, 0, 5, 100),
    seed: fc.nat({ max: 1000 }),
  })

/** Relaxed draws as float32 numbers, which both engines get alike. */
const drawsOf = ({ ensemble, samples, sharpness, seed }: Case) => {
  const { grammar, trees, depth } = ensemble
  const nodes = Skeleton.size(depth)
  const [one, two, three] = Rng.split(Rng.key(seed), 3)
  const logits = (key: Rng.Key, shape: ReadonlyArray<number>): Nd.Nd => {
    const noise = Rng.logistic(key, new Float64Array(shape.reduce((a, b) => a * b, 1)))
    return Nd.of(
      shape,
      noise.map((z) => z * sharpness),
    )
  }
  const float32 = (x: Nd.Nd): Nd.Nd => Nd.map(x, Math.fround)
  const { sigmoid, softmaxLast } = Nd.algebra
  return {
    split: float32(sigmoid(logits(one, [samples, trees, nodes]))),
    operator: float32(softmaxLast(logits(two, [samples, trees, nodes, grammar.operators.length]))),
    terminal: float32(softmaxLast(logits(three, [samples, trees, nodes, grammar.terminals.length]))),
  }
}

const terminalsOf = ({ grammar, data }: Ensemble): ReadonlyArray<Float64Array> =>
  grammar.terminals.map(({ name, term }) =>
    term._tag === "Constant"
      ? new Float64Array(data.rows).fill(term.value)
      : data.columns[data.features.indexOf(name)]!,
  )

/** The paper's algorithm on every sample, tree and row, with error bounds: [S, K, n] flattened. */
const oracle = (item: Case, draws: ReturnType<typeof drawsOf>): ReadonlyArray<Rounded> => {
  const { grammar, depth, trees, data } = item.ensemble
  const terminals = terminalsOf(item.ensemble)
  const slice = (x: Nd.Nd, tree: number): ReadonlyArray<Rounded> => {
    const length = x.data.length / (item.samples * trees)
    return Array.from(x.data.subarray(tree * length, (tree + 1) * length), (value) => ({ value, error: 0 }))
  }
  return Array.from({ length: item.samples * trees }, (_, tree) => ({
    split: slice(draws.split, tree),
    operator: slice(draws.operator, tree),
    terminal: slice(draws.terminal, tree),
  })).flatMap((tree) =>
    Array.from({ length: data.rows }, (_, i) => {
      const row = terminals.map((column) => column[i]!)
      return softEvalAtNode(grammar, depth, tree, row, item.valueClip, Protection.unitOf(terminals))
    }),
  )
}

describe("the scalar engine", () => {
  it("evaluates soft trees as Algorithm SoftEvalAtNode of the paper", () => {
    fc.assert(
      fc.property(cases(5), (item) => {
        const draws = drawsOf(item)
        const { forest } = planOf(item.ensemble).likelihood
        const { rows } = item.ensemble.data
        const values = ScalarForest.evaluator(forest, terminalsOf(item.ensemble), rows, item.valueClip)(draws)
        expect(values.shape).toEqual([item.samples, item.ensemble.trees, rows])
        oracle(item, draws).forEach(({ value, error }, i) => {
          // The same operations in float64, in another order: the bound, scaled from 2^-24 to 2^-53.
          if (Number.isFinite(error))
            expect(Math.abs(values.data[i]! - value)).toBeLessThanOrEqual(error * 1e-8)
        })
      }),
      runs(60),
    )
  })
})

/** Columns of a forest from draws, [S, K, n]; leaves no tensors behind. */
type Evaluator = (
  forest: Forest,
  columns: ReadonlyArray<Float64Array>,
  item: Case,
  draws: ReturnType<typeof drawsOf>,
) => Float32Array

const graph: Evaluator = (forest, columns, { valueClip }, draws) => {
  const before = tf.memory().numTensors
  const rows = columns[0]!.length
  const values = Float32Array.from(columns.flatMap((column) => [...column]))
  const found = tf.tidy(() => {
    const terminals = tf.tensor2d(values, [columns.length, rows])
    const tensor = ({ data, shape }: Nd.Nd) => tf.tensor(Float32Array.from(data), [...shape], "float32")
    const { split, operator, terminal } = draws
    const result = TfjsForest.evaluator(
      forest,
      terminals,
      valueClip,
      Protection.unitOf(columns),
    )({ split: tensor(split), operator: tensor(operator), terminal: tensor(terminal) })
    expect(result.shape).toEqual([split.shape[0], forest.trees, rows])
    return result.dataSync<"float32">()
  })
  expect(tf.memory().numTensors).toBe(before)
  return found
}

const kernel =
  (target: Target): Evaluator =>
  (forest, columns, { valueClip, samples }, { split, operator, terminal }) => {
    const rows = columns[0]!.length
    const soft = SoftForest.make(forest, columns, new Float64Array(rows), samples, {
      target,
      valueClip,
      kept: 0,
    })
    const data = { split: split.data, operator: operator.data, terminal: terminal.data }
    Gates.make(soft.shape, samples).weigh(data, soft.weights)
    const out = new Float32Array(samples * forest.trees * rows)
    soft.columns(out)
    return out
  }

const contenders = [
  ...availableBackends().map((backend) => ({ name: `tfjs on ${backend}`, backend, evaluator: graph })),
  ...targets.map(({ name, target }) => ({
    name: `the simd kernel with ${name}`,
    backend: "cpu" as const,
    evaluator: kernel(target),
  })),
]

describe.each(contenders)("$name", ({ backend, evaluator }) => {
  beforeAll(() => activate(backend))

  it("evaluates soft trees as the scalar algorithm within float32 rounding", () => {
    let compared = 0
    let values = 0
    fc.assert(
      fc.property(cases(5), (item) => {
        const draws = drawsOf(item)
        const { forest } = planOf(item.ensemble).likelihood
        const ours = evaluator(forest, terminalsOf(item.ensemble), item, draws)
        oracle(item, draws).forEach(({ value, error }, i) => {
          values += 1
          if (error < 1e-3 * (1 + Math.abs(value))) compared += 1
          if (Number.isFinite(error)) expect(Math.abs(ours[i]! - value)).toBeLessThanOrEqual(error)
          if (Number.isNaN(error)) expect(ours[i]).toBeNaN()
        })
      }),
      runs(40),
    )
    // The bounds are tight enough to say something about most values; the rest are ill-conditioned or overflow.
    expect(compared / values).toBeGreaterThan(0.5)
  })
})
