import type { Lane } from "../../../wasm/Lane.ts"
import { perRadian, limit } from "../../../wasm/math/circular.ts"
import { type Expr, f32x4, load, op } from "../../../wasm/Expr.ts"
import { type Statement, store } from "../../../wasm/Func.ts"
import { type Bounds, operandBound } from "./Places.ts"
import * as Reverse from "./Reverse.ts"
import { firstWeight, type Level, type Shape } from "./Shape.ts"

// A node with the sine and the cosine of one operand L among its operators has the value v sin(L) + w cos(L), a single
// wave A sin(L + phi). Both are computed with the phase phi, and only one has a weight; the slope by L needs the cosine
// of L + phi. Sums over rows are rotated by -phi at the end.

/** A sine and a cosine of one operand in one context of a level. */
export interface Phase {
  readonly context: number
  readonly below: number
  readonly side: "x" | "y"
  readonly sine: Wave
  readonly cosine: Wave
  /** its index among the phases of the level */
  readonly index: number
}

interface Wave {
  readonly operator: number
  /** the step of the program that is its value */
  readonly step: number
}

/** The phases of a level: those of waves that no other step reads, with arguments in the range of `math/circular`. */
export const at = (shape: Shape, level: Level, bounds: Bounds): ReadonlyArray<Phase> => {
  const { program } = shape
  if (operandBound(bounds, level) > limit) return []
  const everywhere = level.contexts.flatMap(({ applications }, context) =>
    applications.map((application) => ({ ...application, context })),
  )
  const found: Array<Phase> = []
  program.instructions.forEach((argument, index) => {
    if (argument._tag !== "Argument") return
    const stepOf = (operation: "sin" | "cos"): number =>
      program.instructions.findIndex(
        (step) => step._tag === "Unary" && step.operation === operation && step.argument === index,
      )
    const steps = { sine: stepOf("sin"), cosine: stepOf("cos") }
    for (let below = 0; below < level.below; below++) {
      const users = everywhere.filter(
        (application) =>
          application.below === below &&
          Reverse.reached(program, [program.outputs[application.operator]!]).some(
            (step) => step === steps.sine || step === steps.cosine,
          ),
      )
      const [one, other] = users
      if (one === undefined || other === undefined || users.length > 2 || one.context !== other.context)
        continue
      const waveAt = (step: number): Wave | undefined => {
        const own = users.find(({ operator }) => program.outputs[operator] === step)
        return own && { operator: own.operator, step }
      }
      const [sine, cosine] = [waveAt(steps.sine), waveAt(steps.cosine)]
      if (sine === undefined || cosine === undefined) continue
      const side = argument.name === "x" ? "x" : "y"
      found.push({ context: one.context, below, side, sine, cosine, index: found.length })
    }
  })
  return found
}

/** The parts of a phase in memory, each four times as float32: A, phi in half turns, its cosine and its sine. */
const parts = ["amplitude", "turn", "cosine", "sine"] as const
export type Part = (typeof parts)[number]

export const bytes = 16 * parts.length

const offset = (index: number, part: Part): number => bytes * index + 16 * parts.indexOf(part)

/** A part of a phase. The phases of a node begin at the offset `first` from `base`. */
export const part = (base: Expr<"i32">, first: number, { index }: Phase, name: Part): Expr<"v128"> =>
  load("v128.load", base, first + offset(index, name))

export const number = (base: Expr<"i32">, first: number, { index }: Phase, name: Part): Expr<"f64"> =>
  op("f64.promote_f32", load("f32.load", base, first + offset(index, name)))

/** Writes the phases of a node of a level behind an address. |phi| is at most a quarter turn: A takes the sign. */
export const writing = (
  shape: Shape,
  lane: Lane,
  level: Level,
  phases: ReadonlyArray<Phase>,
  weights: Expr<"i32">,
  base: Expr<"i32">,
  first: number,
): ReadonlyArray<Statement> =>
  phases.flatMap(({ context, sine, cosine, index }) => {
    const { terminals: p, operators: O } = shape
    const { mul, div, max } = lane.binary
    const { abs, sqrt, atan } = lane.unary
    const weight = ({ operator }: Wave): Expr<"v128"> =>
      load("v128.load32_splat", weights, 4 * (firstWeight(shape, level) + context * (p + O) + p + operator))
    const [v, w] = [weight(sine), weight(cosine)]
    const sign = op("v128.and", v, f32x4(-0))
    const largest = max(abs(v), abs(w))
    const none = op("f32x4.eq", largest, f32x4(0))
    const x = op("v128.bitselect", f32x4(1), div(abs(v), largest), none)
    const y = op("v128.andnot", op("v128.xor", div(w, largest), sign), none)
    const length = sqrt(lane.madd(x, x, mul(y, y)))
    const values: Readonly<Record<Part, Expr<"v128">>> = {
      amplitude: op("v128.xor", mul(largest, length), sign),
      turn: mul(atan(div(y, x)), f32x4(perRadian)),
      cosine: div(x, length),
      sine: div(y, length),
    }
    return parts.map((name) => store("v128.store", base, values[name], first + offset(index, name)))
  })
