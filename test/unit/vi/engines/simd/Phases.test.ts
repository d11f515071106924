import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../../../src/prob/Plan.ts"
import * as SoftForest from "../../../../../src/vi/engines/simd/SoftForest.ts"
import * as Target from "../../../../../src/wasm/Target.ts"
import * as Grammar from "../../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../../src/expr/Operator.ts"
import * as Term from "../../../../../src/expr/Term.ts"
import * as Family from "../../../../../src/vi/Family.ts"
import * as Vasst from "../../../../../src/models/vasst.ts"
import * as Rng from "../../../../../src/random/Rng.ts"

// A node's sine and cosine of one operand are computed as a single wave, unless another operator reads them too. One
// that does, but weighs nothing, makes the kernel take them one by one: both have the same values and derivatives.

const rows = 60
const columns = [1, 2].map((seed) => Rng.normal(Rng.key(seed), new Float64Array(rows)))

const shared = Operator.unary("both", (x) => Term.mul(Term.sin(x), Term.cos(x)))
const grammars = [
  [Operator.mul, Operator.sin, Operator.cos],
  [Operator.mul, Operator.sin, Operator.cos, shared],
] as const

const forestOf = (operators: ReadonlyArray<Operator.Operator>, depth: number, forbidden: boolean) => {
  const all = Grammar.make({ features: ["a", "b"], operators })
  const grammar = forbidden ? Grammar.forbid({ inside: "sin", operator: "sin" })(all) : all
  const model = Vasst.model(grammar, 1, depth)
  const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))
  return plan.likelihood.forest
}

/** What stands in for the weights of a sine and a cosine. */
const pairs = [
  [0.3, 0.4],
  [0, 0.5],
  [0.5, 0],
  [0, 0],
  [-0.6, 0.2],
  [0.2, -0.6],
  [-0.5, -0.5],
  [1e-30, 1e-12],
  [-0, -0.4],
] as const

const run = (
  operators: ReadonlyArray<Operator.Operator>,
  depth: number,
  forbidden: boolean,
  clip: number | undefined,
  size: number,
) => {
  const data = columns.map((column) => column.map((x) => size * x))
  const settings = { target: Target.detect()!, valueClip: clip, block: 16 }
  const forest = SoftForest.make(
    forestOf(operators, depth, forbidden),
    data,
    new Float64Array(rows),
    pairs.length,
    settings,
  )
  const { shape } = forest
  const O = operators.length
  const noise = Rng.normal(Rng.key(3), new Float64Array(1000))
  const gradientsAt: Array<number> = []
  for (let s = 0; s < pairs.length; s++) {
    let next = 0
    shape.offsets.forEach((offset, node) => {
      const level = shape.levels[31 - Math.clz32(node + 1)]
      const contexts = level?.contexts.length ?? 1
      for (let c = 0; c < contexts; c++) {
        const at = s * shape.weights + offset + c * (2 + O)
        const own = level === undefined ? [] : [noise[next++]! / 2, ...pairs[s]!, 0].slice(0, O)
        const values = [noise[next++]!, noise[next++]!, ...own]
        values.forEach((value, i) => {
          forest.weights[at + i] = value
          if (i < 5) gradientsAt.push(at + i)
        })
      }
    })
  }
  const values = new Float32Array(pairs.length * rows)
  forest.columns(values)
  forest.pullback(Float32Array.from(Rng.normal(Rng.key(4), new Float64Array(values.length))))
  return { values, gradients: gradientsAt.map((at) => forest.gradients[at]!) }
}

const largest = (values: Iterable<number>): number =>
  [...values].reduce((most, value) => Math.max(most, Math.abs(value)), 0)

describe.runIf(Target.detect() !== undefined)("waves with a phase", () => {
  const cases = [1, 2, 3].flatMap((depth) =>
    [3, 200, undefined].flatMap((clip) => [false, true].map((forbidden) => ({ depth, clip, forbidden }))),
  )
  it.each(cases)(
    "are a sine and a cosine, at depth $depth, clipped to $clip, forbidden: $forbidden",
    ({ depth, clip, forbidden }) => {
      for (const size of [1, 2]) {
        const [one, other] = grammars.map((operators) => run(operators, depth, forbidden, clip, size)) as [
          ReturnType<typeof run>,
          ReturnType<typeof run>,
        ]
        for (const part of ["values", "gradients"] as const) {
          const scale = largest(other[part])
          expect(scale).toBeGreaterThan(0.1)
          const off = largest(Array.from(one[part], (value, i) => value - other[part][i]!))
          expect(off / scale).toBeLessThan(5e-6)
        }
      }
    },
  )

  it("may have weights that are not numbers", () => {
    const [operators] = grammars
    const forest = SoftForest.make(forestOf(operators, 2, false), columns, new Float64Array(rows), 1, {
      target: Target.detect()!,
      valueClip: 200,
    })
    forest.weights.fill(0.1)
    forest.weights[forest.shape.offsets[0]! + 3] = Number.NaN
    const values = new Float32Array(rows)
    forest.columns(values)
    expect(values.every(Number.isNaN)).toBe(true)
  })
})
