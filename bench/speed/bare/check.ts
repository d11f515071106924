/**
 * That the bare kernel computes what it is measured for: its evidence against the scalar engine's, its gradient
 * against central differences of the scalar engine's evidence, in float64.
 *
 *     node bench/speed/bare/check.ts      prints the largest errors, and fails if they are more than float32's
 */
import * as Effect from "effect/Effect"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import * as Forest from "../../../src/vi/engines/oracle/forest.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import { make, problems } from "../../problems.ts"
import { type Draws, draws, pullBack, weigh } from "./draws.ts"
import { load, runs, trees, type Variant } from "./kernel.ts"

const samples = 2
const rows = 200 // one block of rows and a bit
const step = 1e-6
// Every so manyth element of the draws: a prime, so that all nodes of a tree have their turn.
const every = 7

const sim2 = problems.find(({ name }) => name === "sim2")!
const grammar = Grammar.make({
  features: sim2.features,
  operators: [Operator.mul, Operator.sin, Operator.cos],
})
const model = Vasst.model(grammar, trees)
const { likelihood } = await Effect.runPromise(
  Plan.trace(model).pipe(Effect.flatMap(Plan.relaxable), Effect.provide(Family.meanField(model))),
)

/** The largest errors of evidence and gradient, relative to the largest of theirs, on features `stretch` as wide. */
const errors = (variant: Variant, stretch: number) => {
  const { data: plain } = make(sim2, 0.1, 1, rows)
  const data = {
    ...plain,
    columns: plain.columns.map((column) => column.map((x) => Math.fround(stretch * x))),
  }
  const clip = variant.clip ? Vasst.paper.valueClip : undefined
  const forest = Forest.evaluator(likelihood.forest, data.columns, rows, clip)
  const evidence = (at: Draws): ReadonlyArray<number> => {
    const { data: design } = forest(at)
    return Array.from({ length: samples }, (_, s) => {
      const columns = Array.from({ length: trees }, (__, k) =>
        design.subarray((s * trees + k) * rows, (s * trees + k + 1) * rows),
      )
      return Evidence.posterior(likelihood.relaxed.conjugate!, data.y, columns).logEvidence
    })
  }
  const at = draws(samples, 7)
  const kernel = load(variant, data, samples, likelihood.relaxed.conjugate!)
  weigh(at, kernel.weights)
  kernel.step()
  const expected = evidence(at)
  const evidenceError = Math.max(...expected.map((x, s) => Math.abs(kernel.evidence[s]! - x) / Math.abs(x)))
  const gradient = pullBack(at, kernel.gradients)
  let worst = 0
  let largest = 0
  for (const part of ["split", "operator", "terminal"] as const)
    at[part].data.forEach((x, index) => {
      if (index % every !== 0) return
      const moved = (value: number): number => {
        const there = { ...at, [part]: { ...at[part], data: at[part].data.with(index, value) } }
        return evidence(there).reduce((sum, e) => sum + e, 0)
      }
      const slope = (moved(x + step) - moved(x - step)) / (2 * step)
      worst = Math.max(worst, Math.abs(slope - gradient[part].data[index]!))
      largest = Math.max(largest, Math.abs(slope))
    })
  return { ...variant, stretch, evidence: evidenceError, gradient: worst / largest }
}

for (const relaxed of [false, true].filter((relaxed) => runs({ clip: true, relaxed })))
  for (const [clip, stretch] of [
    [true, 1],
    // Far enough that values reach the bent part of the clip, where sines of large numbers cost digits.
    [true, 6],
    [false, 1],
  ] as const) {
    const found = errors({ clip, relaxed }, stretch)
    console.log(JSON.stringify(found))
    const tolerance = stretch === 1 ? 1e-5 : 1e-3
    if (!(found.evidence < tolerance && found.gradient < tolerance))
      throw new Error("the bare kernel does not compute the gradient it is measured for")
  }
