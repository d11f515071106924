import type { Lane } from "../../../wasm/Lane.ts"
import { type Expr, f32x4, f64, get, load, local, op } from "../../../wasm/Expr.ts"
import { type Defined, procedure, type Statement, store } from "../../../wasm/Func.ts"
import * as Form from "./Form.ts"
import * as Magnitude from "./Magnitude.ts"
import * as Phases from "./Phases.ts"
import * as Reverse from "./Reverse.ts"
import { firstWeight, type Level, type Shape } from "./Shape.ts"

// The backward pass of the nodes above leaves. Their operands are mixtures of the features, so that the mixture weights
// can leave the sums over rows. With the adjoint a of a node, the sums of a x_i and a x_i x_j give the gradients of all
// operators that are linear in their operands, or a product of two. Other operators need the sums of their value and
// slopes with a and a x_i. The loop over rows reads no weight and computes no operand.

/** A summand of the loop over rows: a b or a, or minus that. */
export interface Term {
  readonly a: Expr<"v128">
  readonly b: Expr<"v128"> | undefined
  readonly negative: boolean
  /**
   * the last feature that it reads; -1 if none. Terms are sorted by it, so that few features are in registers at a
   * time.
   */
  readonly feature: number
}

export interface Bottom {
  /** the number of sums of a node; each takes 16 bytes, as two float64 to be added */
  readonly count: number
  /**
   * The summands, in the order of the sums.
   *
   * @param adjoints the adjoint of the node's value before clipping, for each context
   */
  readonly terms: (
    adjoints: ReadonlyArray<Expr<"v128">>,
    features: ReadonlyArray<Expr<"v128">>,
    steps: Reverse.Primal,
  ) => ReadonlyArray<Term>
  /**
   * (weights, entry, sums, gradients): adds the gradients of a node and of its leaves, from the sums, and clears the
   * sums
   */
  readonly settle: Defined<undefined>
}

/** The largest number of sums for which this is faster: more do not fit in registers. */
const most = 16

/** An operator in a context, with the numbers of the sums that its gradients need. */
interface Pair {
  readonly context: number
  readonly operator: number
  readonly form: Form.Form | undefined
  /** for operators without a form: the sums of a times the value, and of a times the slopes with each feature */
  readonly value: number
  readonly x: number | undefined
  readonly y: number | undefined
}

/**
 * The bottom sums of a level above the leaves; undefined where the backward pass of `Backward` is shorter.
 *
 * @param phases those of the level
 * @param after the factor of gradients by the nodes' values before clipping, beside the adjoints
 */
export const make = (
  shape: Shape,
  lane: Lane,
  level: Level,
  phases: ReadonlyArray<Phases.Phase>,
  after: number,
): Bottom | undefined => {
  const { program, terminals: p, operators: O } = shape
  if (!level.bottom) return undefined
  const known = Form.of(program)
  let count = 0
  const take = (sums: number): number => {
    count += sums
    return count - sums
  }
  const contexts = level.contexts.map(({ applications }) => {
    const own = applications.flatMap(({ operator }) => known[program.outputs[operator]!] ?? [])
    return {
      first: take(p),
      total: own.some(({ constant }) => constant !== 0) ? take(1) : undefined,
      second: own.some((form) => Form.degree(form) === 2) ? take((p * (p + 1)) / 2) : undefined,
    }
  })
  const reads = (output: number, name: string): boolean =>
    Reverse.reached(program, [output]).some((step) => {
      const instruction = program.instructions[step]!
      return instruction._tag === "Argument" && instruction.name === name
    })
  const waves = phases.map((phase) => ({ phase, sine: take(1), cosine: take(1), slopes: take(p) }))
  const waving = new Set(phases.flatMap(({ sine, cosine }) => [sine.operator, cosine.operator]))
  const pairs = level.contexts.flatMap(({ applications }, context) =>
    applications.flatMap(({ operator }): ReadonlyArray<Pair> => {
      if (waving.has(operator)) return []
      const output = program.outputs[operator]!
      const form = known[output]
      if (form !== undefined) return [{ context, operator, form, value: -1, x: undefined, y: undefined }]
      const value = take(1)
      const x = reads(output, "x") ? take(p) : undefined
      return [{ context, operator, form, value, x, y: reads(output, "y") ? take(p) : undefined }]
    }),
  )
  if (count > most) return undefined
  const secondOf = (base: number, i: number, j: number): number => {
    const [low, high] = i < j ? [i, j] : [j, i]
    return base + (high * (high + 1)) / 2 + low
  }

  const terms: Bottom["terms"] = (adjoints, features, steps) => {
    const found: Array<Term> = []
    contexts.forEach(({ first, total, second }, context) => {
      const a = adjoints[context]!
      features.forEach((x, m) => {
        const ax = lane.binary.mul(a, x)
        found[first + m] = { a: ax, b: undefined, negative: false, feature: m }
        if (second === undefined) return
        for (let j = 0; j <= m; j++)
          found[secondOf(second, j, m)] = { a: ax, b: features[j]!, negative: false, feature: m }
      })
      if (total !== undefined) found[total] = { a, b: undefined, negative: false, feature: -1 }
    })
    for (const { phase, ...sums } of waves) {
      const a = adjoints[phase.context]!
      const cosine = steps.value(phase.cosine.step)
      found[sums.sine] = { a, b: steps.value(phase.sine.step), negative: false, feature: -1 }
      found[sums.cosine] = { a, b: cosine, negative: false, feature: -1 }
      features.forEach((x, m) => {
        found[sums.slopes + m] = { a: lane.binary.mul(a, x), b: cosine, negative: false, feature: m }
      })
    }
    for (const { context, operator, form, ...sums } of pairs) {
      if (form !== undefined) continue
      const a = adjoints[context]!
      const output = program.outputs[operator]!
      found[sums.value] = { a, b: steps.value(output), negative: false, feature: -1 }
      const slopes = Reverse.sweep(program, lane, steps, new Map([[output, a]]))
      for (const side of ["x", "y"] as const) {
        const first = sums[side]
        if (first === undefined) continue
        const slope = slopes[side] ?? f32x4(0)
        features.forEach((x, m) => {
          found[first + m] = { ...factored(lane, slope, a, x), feature: m }
        })
      }
    }
    return found
  }
  return { count, terms, settle: settle() }

  function settle(): Defined<undefined> {
    const weights = local("i32", "weights")
    const entry = local("i32", "entry")
    const sums = local("i32", "sums")
    const gradients = local("i32", "gradients")
    const weight = (index: number): Expr<"f64"> =>
      op("f64.promote_f32", load("f32.load", get(weights), 4 * index))
    const sum = (index: number): Expr<"f64"> =>
      op("f64.add", load("f64.load", get(sums), 16 * index), load("f64.load", get(sums), 16 * index + 8))
    const totals = new Map<number, Expr<"f64">>()
    const give = (index: number, ...factors: ReadonlyArray<Expr<"f64">>): void => {
      const term = factors.reduce((all, factor) => op("f64.mul", all, factor))
      const before = totals.get(index)
      totals.set(index, before === undefined ? term : op("f64.add", before, term))
    }
    const own = (context: number): number => firstWeight(shape, level) + context * (p + O)
    const left = (m: number): number => m
    const right = (m: number): number => p + m
    contexts.forEach(({ first }, context) => {
      for (let m = 0; m < p; m++) give(own(context) + m, sum(first + m))
    })
    for (const { phase, sine, cosine, slopes } of waves) {
      const part = (name: Parameters<typeof Phases.number>[3]): Expr<"f64"> =>
        Phases.number(get(entry), Magnitude.phasesOffset(shape), phase, name)
      const indexOf = (operator: number): number => own(phase.context) + p + operator
      give(indexOf(phase.sine.operator), part("cosine"), sum(sine))
      give(indexOf(phase.sine.operator), f64(-1), part("sine"), sum(cosine))
      give(indexOf(phase.cosine.operator), part("sine"), sum(sine))
      give(indexOf(phase.cosine.operator), part("cosine"), sum(cosine))
      const leaf = phase.side === "x" ? left : right
      for (let m = 0; m < p; m++) give(leaf(m), part("amplitude"), sum(slopes + m))
    }
    for (const { context, operator, form, ...numbers } of pairs) {
      const index = own(context) + p + operator
      const w = weight(index)
      if (form === undefined) {
        give(index, sum(numbers.value))
        for (let m = 0; m < p; m++) {
          if (numbers.x !== undefined) give(left(m), w, sum(numbers.x + m))
          if (numbers.y !== undefined) give(right(m), w, sum(numbers.y + m))
        }
        continue
      }
      const { first, total, second } = contexts[context]!
      if (form.constant !== 0) give(index, f64(form.constant), sum(total!))
      for (let m = 0; m < p; m++) {
        if (form.x !== 0) {
          give(index, f64(form.x), weight(left(m)), sum(first + m))
          give(left(m), f64(form.x), w, sum(first + m))
        }
        if (form.y !== 0) {
          give(index, f64(form.y), weight(right(m)), sum(first + m))
          give(right(m), f64(form.y), w, sum(first + m))
        }
        if (second === undefined) continue
        for (let j = 0; j < p; j++) {
          const q = sum(secondOf(second, m, j))
          const [L, R] = [weight(left(j)), weight(right(j))]
          if (form.xx !== 0) {
            give(index, f64(form.xx), weight(left(m)), L, q)
            give(left(m), f64(2 * form.xx), w, L, q)
          }
          if (form.xy !== 0) {
            give(index, f64(form.xy), weight(left(m)), R, q)
            give(left(m), f64(form.xy), w, R, q)
            give(right(m), f64(form.xy), w, L, q)
          }
          if (form.yy !== 0) {
            give(index, f64(form.yy), weight(right(m)), R, q)
            give(right(m), f64(2 * form.yy), w, R, q)
          }
        }
      }
    }
    const scaled = (x: Expr<"f64">): Expr<"f64"> => (after === 1 ? x : op("f64.mul", x, f64(after)))
    const adding = [...totals].map(([index, total]): Statement =>
      store(
        "f64.store",
        get(gradients),
        op("f64.add", load("f64.load", get(gradients), 8 * index), scaled(total)),
        8 * index,
      ),
    )
    const clearing = Array.from({ length: count }, (_, i) => store("v128.store", get(sums), f32x4(0), 16 * i))
    return procedure(`settle${level.depth}`, [weights, entry, sums, gradients], [...adding, ...clearing])
  }
}

/** slope x. Where the slope is a product with the adjoint a, a product with a x, which is computed already. */
const factored = (
  lane: Lane,
  slope: Expr<"v128">,
  a: Expr<"v128">,
  x: Expr<"v128">,
): Omit<Term, "feature"> => {
  if (slope._tag === "Apply") {
    // The requested operations take only vectors.
    const [one, other] = slope.args as ReadonlyArray<Expr<"v128">>
    if (slope.operation === "f32x4.neg") {
      const term = factored(lane, one!, a, x)
      return { ...term, negative: !term.negative }
    }
    if (slope.operation === "f32x4.mul" && (one === a || other === a))
      return { a: lane.binary.mul(a, x), b: one === a ? other : one, negative: false }
  }
  return { a: slope, b: x, negative: false }
}
