import type { ScalarAlgebra } from "../../../numeric/Algebra.ts"
import type { Lane } from "../../../wasm/Lane.ts"
import * as Circular from "../../../wasm/math/circular.ts"
import { near, nearer } from "../../../wasm/math/tanh.ts"
import { type Expr, f32x4, get, i32, load, local, op } from "../../../wasm/Expr.ts"
import { type Defined, procedure, set, store } from "../../../wasm/Func.ts"
import { type Bounds, operandBound } from "./Places.ts"
import * as Phases from "./Phases.ts"
import { firstWeight, type Level, type Shape } from "./Shape.ts"

// Bounds of a node's values on all rows, from its weights and the data's largest magnitudes: a few operations for each
// node and sample, in place of checks on every row. A bound is four equal float32. It is infinite where there is no
// bound, and NaN where a weight is NaN. A value that is NaN is below any bound.

/**
 * An entry: a bound for each context, then an int32: the variant of its functions (0 for all values, 1 near 0, 2 nearer
 * to 0); then the phases (see `Phases`).
 */
export const entryBytes = (shape: Shape, bounds: Bounds): number =>
  phasesOffset(shape) +
  Phases.bytes * Math.max(0, ...shape.levels.map((level) => Phases.at(shape, level, bounds).length))
const flagOffset = ({ width }: Shape): number => 16 * width
/** The offset of the phases in a node's entry. */
export const phasesOffset = ({ width }: Shape): number => 16 * (width + 1)

const infinite = f32x4(Infinity)

/** Bounds of results from bounds of operands. */
const algebra = (lane: Lane): ScalarAlgebra<Expr<"v128">> => {
  const same = (x: Expr<"v128">): Expr<"v128"> => x
  const at = (value: number) => (): Expr<"v128"> => f32x4(value)
  const { add, mul } = lane.binary
  const larger = (x: Expr<"v128">, y: Expr<"v128">): Expr<"v128"> => op("f32x4.max", x, y)
  return {
    literal: (value) => f32x4(Math.abs(value)),
    unary: {
      neg: same,
      square: (x) => mul(x, x),
      sqrt: lane.unary.sqrt,
      abs: same,
      sign: at(1),
      exp: lane.unary.exp,
      log: at(Infinity),
      sin: at(1),
      cos: at(1),
      tan: at(Infinity),
      tanh: at(1),
      asin: at(Math.PI / 2),
      acos: at(Math.PI),
      atan: at(Math.PI / 2),
      guard: (x) => larger(x, f32x4(1e-6)),
    },
    binary: {
      add,
      sub: add,
      mul,
      div: () => infinite,
      pow: () => infinite,
      min: larger,
      max: larger,
    },
  }
}

/**
 * (weights, entry, entry of the left child, entry of the right one): fills the entry of a node of a level. A node takes
 * the functions for small values if they are exact for its clip or, without a clip, for its sines and cosines.
 */
export const procedures = (shape: Shape, lane: Lane, bounds: Bounds): ReadonlyArray<Defined<undefined>> =>
  shape.levels.map((level) => one(shape, lane, bounds, level))

const one = (shape: Shape, lane: Lane, bounds: Bounds, level: Level): Defined<undefined> => {
  const { program, terminals: p, operators: O } = shape
  const { unary, binary, literal } = algebra(lane)
  const weights = local("i32", "weights")
  const entry = local("i32", "entry")
  const left = local("i32", "left")
  const right = local("i32", "right")
  const weight = (index: number): Expr<"v128"> =>
    lane.unary.abs(load("v128.load32_splat", get(weights), 4 * index))
  const combine = (first: number): Expr<"v128"> =>
    bounds.largest.reduce<Expr<"v128">>(
      (sum, most, m) => lane.madd(weight(first + m), f32x4(most), sum),
      f32x4(0),
    )
  const operand = (name: string, below: number): Expr<"v128"> => {
    if (level.bottom) return combine(name === "x" ? 0 : p)
    return load("v128.load", get(name === "x" ? left : right), 16 * below)
  }
  const outputs = (below: number): ReadonlyArray<Expr<"v128">> => {
    const steps: Array<Expr<"v128">> = []
    for (const step of program.instructions)
      steps.push(
        step._tag === "Argument"
          ? operand(step.name, below)
          : step._tag === "Literal"
            ? literal(step.value)
            : step._tag === "Unary"
              ? unary[step.operation](steps[step.argument]!)
              : binary[step.operation](steps[step.left]!, steps[step.right]!),
      )
    return program.outputs.map((step) => steps[step]!)
  }
  const below = Array.from({ length: level.below }, (_, b) => outputs(b))
  const values = level.contexts.map(({ applications }, context) => {
    const first = firstWeight(shape, level) + context * (p + O)
    return applications.reduce(
      (sum, { operator, below: b }) => lane.madd(weight(first + p + operator), below[b]![operator]!, sum),
      combine(first),
    )
  })
  const { clip } = bounds
  // Bounds are rounded too.
  const within = (x: Expr<"v128">, limit: number): Expr<"v128"> => op("f32x4.lt", x, f32x4(0.999 * limit))
  const operands: Array<Expr<"v128">> = []
  if (operandBound(bounds, level) > Circular.limit)
    for (let b = 0; b < level.below; b++)
      for (const side of shape.right ? (["x", "y"] as const) : (["x"] as const))
        operands.push(within(operand(side, b), Circular.limit))
  const flag = local("i32", "flag")
  /**
   * 1 if values stay within this part of the clip, and arguments of sine and cosine within the range of their short
   * forms.
   */
  const smaller = (reach: number): Expr<"i32"> => {
    const small = clip === undefined ? [] : values.map((value) => within(value, clip * reach))
    return [...small, ...operands].reduce<Expr<"i32">>(
      (all, condition) => op("i32.and", all, op("i32x4.all_true", condition)),
      i32(1),
    )
  }
  return procedure(
    `magnitude${level.depth}`,
    [weights, entry, left, right],
    [
      set(flag, op("i32.add", smaller(near), smaller(nearer))),
      ...values.map((value, context) =>
        store(
          "v128.store",
          get(entry),
          clip === undefined ? value : op("f32x4.min", value, f32x4(1.001 * clip)),
          16 * context,
        ),
      ),
      store("i32.store", get(entry), get(flag), flagOffset(shape)),
      ...Phases.writing(
        shape,
        lane,
        level,
        Phases.at(shape, level, bounds),
        get(weights),
        get(entry),
        phasesOffset(shape),
      ),
    ],
  )
}

/** The variant of functions of an entry's node: 0, 1 or 2. */
export const variant = (shape: Shape, entry: Expr<"i32">): Expr<"i32"> =>
  load("i32.load", entry, flagOffset(shape))
