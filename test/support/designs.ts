// From parameters and noise to design matrices in float64, by the definitions of the paper, with a bound on what float32
// does to every element; and from there to the evidence.
import * as Plan from "../../src/prob/Plan.ts"
import type { Relaxable } from "../../src/prob/Observation.ts"
import * as Skeleton from "../../src/prob/Skeleton.ts"
import { digamma, lgamma } from "../../src/numeric/Special.ts"
import * as Evidence from "../../src/evidence/conjugate.ts"
import type { Ensemble, Point } from "../../src/testing/arbitraryModel.ts"
import * as Protection from "../../src/vi/engines/Protection.ts"
import { algebra, type Rounded, sigmoid, softEvalAtNode, softmax, stored } from "./rounding.ts"

/** What is evaluated, and how. */
export interface Evaluated {
  readonly ensemble: Ensemble
  readonly samples: number
  readonly valueClip: number | undefined
  readonly temperature: number
}

/** The relaxed draws of one site in one sample, from the definition (Eq. continuous-relaxation), with error bounds. */
const drawsOf = (plan: Plan.Plan, name: string, sample: number, item: Evaluated, at: Point) => {
  const site = Plan.site(plan, name)
  const [logits] = Plan.parametersOf(plan, name, at.parameters)
  const slot = plan.noise.find((candidate) => candidate.site === name)!
  const start = item.samples * slot.offset + sample * slot.length
  const noise = at.noise.subarray(start, start + slot.length)
  const z = Array.from(logits!, (logit, i) => {
    const clamped = stored(Math.max(-10, Math.min(10, logit)))
    const sum = algebra.binary.add(clamped, { value: noise[i]!, error: 0 })
    return algebra.binary.div(sum, stored(item.temperature))
  })
  if (site.support === "binary") return z.map(sigmoid)
  return Array.from({ length: z.length / site.size }, (_, i) =>
    softmax(z.slice(i * site.size, (i + 1) * site.size)),
  ).flat()
}

/** The values of fitted constants in one sample, times which the weights of terminals go: 1 for the others; [K, N, p]. */
const scalesOf = (plan: Plan.Plan, sample: number, item: Evaluated, at: Point): Array<Rounded> => {
  const { values = [], grammar } = plan.likelihood.forest
  const { trees, depth } = item.ensemble
  const p = grammar.terminals.length
  const scales = Array.from({ length: trees * Skeleton.size(depth) * p }, (): Rounded => ({
    value: 1,
    error: 0,
  }))
  for (const { terminal, site } of values) {
    const [loc, logScale] = Plan.parametersOf(plan, site, at.parameters)
    const slot = plan.noise.find((candidate) => candidate.site === site)!
    const start = item.samples * slot.offset + sample * slot.length
    loc!.forEach((centre, i) => {
      const spread = algebra.unary.exp(stored(logScale![i]!))
      const moved = algebra.binary.mul(spread, { value: at.noise[start + i]!, error: 0 })
      scales[i * p + terminal] = algebra.binary.add(stored(centre), moved)
    })
  }
  return scales
}

/** The columns of each sample's design matrix with error bounds, [S][K][n]. */
const designs = (plan: Plan.Plan, item: Evaluated, at: Point): Array<Array<Array<Rounded>>> => {
  const { grammar, depth, trees, data } = item.ensemble
  const terminals = grammar.terminals.map(({ name, term }) =>
    term._tag === "Constant"
      ? new Float64Array(data.rows).fill(term.value)
      : data.columns[data.features.indexOf(name)]!,
  )
  return Array.from({ length: item.samples }, (_, sample) => {
    const draws = {
      split: drawsOf(plan, "trees.split", sample, item, at),
      operator: drawsOf(plan, "trees.operator", sample, item, at),
      terminal: drawsOf(plan, "trees.terminal", sample, item, at),
    }
    const scales = scalesOf(plan, sample, item, at)
    draws.terminal.forEach((weight, i) => {
      draws.terminal[i] = algebra.binary.mul(weight, scales[i]!)
    })
    return Array.from({ length: trees }, (_, tree) => {
      const slice = (values: ReadonlyArray<Rounded>) =>
        values.slice((tree * values.length) / trees, ((tree + 1) * values.length) / trees)
      const soft = {
        split: slice(draws.split),
        operator: slice(draws.operator),
        terminal: slice(draws.terminal),
      }
      return Array.from({ length: data.rows }, (_, i) => {
        const row = terminals.map((column) => column[i]!)
        return softEvalAtNode(grammar, depth, soft, row, item.valueClip, Protection.unitOf(terminals))
      })
    })
  })
}

/** Whether some element of a design matrix is NaN in every arithmetic, and the evidence with it. */
export const undefinedSomewhere = (plan: Plan.Plan, item: Evaluated, at: Point): boolean =>
  designs(plan, item, at).some((columns) =>
    columns.some((column) => column.some(({ error }) => Number.isNaN(error))),
  )

/**
 * How far float32 columns may move the mean evidence, to first order. Unknown for columns longer than 1e5: where they
 * are nearly collinear, the relaxed path bounds a pivot from below (`Cholesky.leastPivot`), and the oracle does not.
 */
export const evidenceTolerance = (plan: Plan.Plan<Relaxable>, item: Evaluated, at: Point): number => {
  const { y } = item.ensemble.data
  const each = designs(plan, item, at).map((columns) => {
    const values = columns.map((column) => Float64Array.from(column, ({ value }) => value))
    const adjoint = values.map((column) => new Float64Array(column.length))
    const { logEvidence } = Evidence.gradient(plan.likelihood.relaxed.conjugate!, y, values, adjoint)
    if (values.some((column) => column.reduce((sum, t) => sum + t * t, 0) > 1e10)) return Infinity
    let moved = 2 ** -22 * Math.abs(logEvidence)
    columns.forEach((column, k) =>
      column.forEach(({ error }, i) => {
        moved += Math.abs(adjoint[k]![i]!) * error
      }),
    )
    return moved
  })
  return each.reduce((sum, moved) => sum + moved, 0) / item.samples
}

/** The sizes of the terms that make up the divergence, times 16 units in the last place of float32: with concentrations of
 * 10,000 the terms reach 100,000 and cancel. */
export const divergenceTolerance = (plan: Plan.Plan, ensemble: Ensemble, at: Point): number => {
  const nodes = ensemble.trees * Skeleton.size(ensemble.depth)
  let size = nodes * 40
  for (const name of ["operatorWeights", "featureWeights"]) {
    const c = Array.from(Plan.parametersOf(plan, name, at.parameters)[0]!, Math.exp)
    const total = c.reduce((sum, value) => sum + value, 0)
    const logs = Math.max(...[...c, total].map((value) => Math.abs(digamma(value))))
    size += nodes * logs + total * (1 + logs) + Math.abs(lgamma(total)) + c.length * 10
  }
  for (const { site } of plan.likelihood.forest.values ?? []) {
    const [loc, logScale] = Plan.parametersOf(plan, site, at.parameters)
    // Priors are at least 1 wide, and their means at most 10.
    loc!.forEach((centre, i) => (size += (Math.abs(centre) + 10) ** 2 + Math.exp(2 * logScale![i]!)))
  }
  return size * 2 ** -19
}
