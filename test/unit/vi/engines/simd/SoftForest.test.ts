import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Gates from "../../../../../src/vi/engines/simd/Gates.ts"
import * as Collapse from "../../../../../src/vi/engines/simd/Collapse.ts"
import * as SoftForest from "../../../../../src/vi/engines/simd/SoftForest.ts"
import * as Target from "../../../../../src/wasm/Target.ts"
import * as Plan from "../../../../../src/prob/Plan.ts"
import * as ScalarForest from "../../../../../src/vi/engines/oracle/forest.ts"
import * as Constant from "../../../../../src/prob/Constant.ts"
import * as Dist from "../../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../../src/prob/Grammar.ts"
import * as Nd from "../../../../../src/numeric/Nd.ts"
import * as Operator from "../../../../../src/expr/Operator.ts"
import * as Skeleton from "../../../../../src/prob/Skeleton.ts"
import type { Forest } from "../../../../../src/prob/Tree.ts"
import * as Family from "../../../../../src/vi/Family.ts"
import * as Vasst from "../../../../../src/models/vasst.ts"
import * as Rng from "../../../../../src/random/Rng.ts"

// Which of its ways the kernel takes (how much of the tapes is kept, functions for small values or for all, sums for the
// nodes above leaves) changes no result.

const target = Target.detect()
const samples = 2
const rows = 301

const grammars = {
  "products and waves": [Operator.mul, Operator.sin, Operator.cos],
  "sums and powers": [Operator.add, Operator.sub, Operator.square],
  "slopes of operands": [Operator.exp, Operator.div, Operator.abs],
  "one operand": [Operator.sin, Operator.neg],
}

const forestOf = (operators: ReadonlyArray<Operator.Operator>, depth: number): Forest => {
  const model = Vasst.model(Grammar.make({ features: ["a", "b", "c"], operators }), 2, depth)
  const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))
  return plan.likelihood.forest
}

/** Features of this magnitude. */
const columnsOf = (magnitude: number): ReadonlyArray<Float64Array> =>
  [1, 2, 3].map((seed) => Rng.normal(Rng.key(seed), new Float64Array(rows)).map((x) => magnitude * x))

const y = Rng.normal(Rng.key(4), new Float64Array(rows))

const drawsOf = ({ grammar, depth, trees }: Forest): { readonly [S in keyof Gates.Draws]: Nd.Nd } => {
  const nodes = Skeleton.size(depth)
  const noise = (key: number, shape: ReadonlyArray<number>): Nd.Nd =>
    Nd.of(shape, Rng.logistic(Rng.key(key), new Float64Array(shape.reduce((a, b) => a * b, 1))))
  const float32 = (x: Nd.Nd): Nd.Nd => Nd.map(x, Math.fround)
  return {
    split: float32(Nd.algebra.sigmoid(noise(5, [samples, trees, nodes]))),
    operator: float32(Nd.algebra.softmaxLast(noise(6, [samples, trees, nodes, grammar.operators.length]))),
    terminal: float32(Nd.algebra.softmaxLast(noise(7, [samples, trees, nodes, grammar.terminals.length]))),
  }
}

const make = (forest: Forest, magnitude: number, valueClip: number | undefined, kept?: number) => {
  const block = 64
  const settings = { target: target!, valueClip, block, ...(kept === undefined ? {} : { kept }) }
  const soft = SoftForest.make(forest, columnsOf(magnitude), y, samples, settings)
  const { split, operator, terminal } = drawsOf(forest)
  Gates.make(soft.shape, samples).weigh(
    { split: split.data, operator: operator.data, terminal: terminal.data },
    soft.weights,
  )
  return soft
}

const hyper = { mu0: [0, 0, 0], sigma0: [10, 10, 10], a0: 2, b0: 2 }

describe.runIf(target !== undefined).each(Object.entries(grammars))("soft trees of %s", (_, operators) => {
  it.each([0, 1, 2, 3])("have the same gradients whatever is kept, at depth %i", (depth) => {
    const forest = forestOf(operators, depth)
    const { tape } = make(forest, 1, 20).kernel
    const results = [0, tape, 3 * tape, undefined].map((kept) => {
      const soft = make(forest, 1, 20, kept)
      const evidence = new Float64Array(samples)
      const collapse = Collapse.make(hyper, y, soft)
      collapse(evidence, true)
      const first = [...soft.gradients]
      // Nothing is left over from one step to the next.
      collapse(evidence, true)
      expect([...soft.gradients]).toEqual(first)
      return { evidence: [...evidence], gradients: first }
    })
    const [{ evidence, gradients }] = results as [(typeof results)[number]]
    const largest = Math.max(...gradients.map(Math.abs))
    expect(largest).toBeGreaterThan(0)
    for (const other of results) {
      other.evidence.forEach((value, s) => expect(value).toBeCloseTo(evidence[s]!, 9))
      other.gradients.forEach((slope, i) =>
        expect(Math.abs(slope - gradients[i]!)).toBeLessThanOrEqual(1e-12 * largest),
      )
    }
  })

  // Bounds on either side of what the functions for small values take.
  it.each([0.01, 0.3, 2, 30])("have the values of the scalar engine for features of size %f", (magnitude) => {
    for (const clip of [3, 20, undefined]) {
      const forest = forestOf(operators, 2)
      const soft = make(forest, magnitude, clip)
      const found = new Float32Array(samples * forest.trees * rows)
      soft.columns(found)
      const columns = columnsOf(magnitude)
      const expected = ScalarForest.evaluator(forest, columns, rows, clip)(drawsOf(forest))
      let compared = 0
      expected.data.forEach((value, i) => {
        // Exponentials of large features are too steep for float32 to follow.
        if (!(Math.abs(value) < 1e3)) return
        compared += 1
        expect(Math.abs(found[i]! - value)).toBeLessThan(2e-4 * (1 + Math.abs(value)) * (1 + magnitude))
      })
      expect(compared).toBeGreaterThan(0.3 * found.length)
    }
  })
})

describe.runIf(target !== undefined)("sines of operands of any size", () => {
  const sineOf = (grammar: Grammar.Grammar, column: Float64Array, weight: number): Float64Array => {
    const forest: Forest = { ...forestOf([Operator.sin], 1), grammar, trees: 1, depth: 1 }
    const terminals = grammar.terminals.map((_, m) => (m === 0 ? column : column.map(() => 1)))
    const soft = SoftForest.make(forest, terminals, y, 1, { target: target!, valueClip: undefined })
    // The left leaf has all of the first terminal, the right one is not read, the root is the sine alone.
    soft.weights.fill(0)
    soft.weights[0] = weight
    soft.weights[soft.shape.weights - 1] = 1
    const out = new Float32Array(rows)
    soft.columns(out)
    return Float64Array.from(out)
  }
  const expectSine = (found: Float64Array, column: Float64Array, weight: number): void => {
    for (const [i, x] of column.entries())
      expect(Math.abs(found[i]! - Math.sin(Math.fround(Math.fround(weight) * Math.fround(x))))).toBeLessThan(
        1e-6,
      )
  }

  it.each([1, 1e4, 1e8])("are right for features up to %d", (size) => {
    const column = Rng.uniform(Rng.key(9), new Float64Array(rows)).map((u) => Math.fround(size * u))
    const grammar = Grammar.make({ features: ["x"], operators: [Operator.sin] })
    // Features of moderate size may be taken for rounded, to a unit in their last place.
    const found = sineOf(grammar, column, 1)
    if (size > 8192) expectSine(found, column, 1)
    else for (const [i, x] of column.entries()) expect(found[i]).toBeCloseTo(Math.sin(x), 6)
  })

  it("are right where a fitted value makes leaves larger than any feature", () => {
    const column = Rng.uniform(Rng.key(9), new Float64Array(rows))
    const constants = { c: Constant.fitted(Dist.normal(0, 1e9)) }
    const grammar = Grammar.make({ features: ["x"], operators: [Operator.sin], constants })
    expectSine(sineOf(grammar, column, 3e8), column, 3e8)
  })
})
