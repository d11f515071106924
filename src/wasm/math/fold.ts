import { pow as raised } from "../../numeric/Power.ts"
import * as Real from "../../numeric/Real.ts"
import type { Target } from "../Target.ts"
import { f32x4 } from "../Expr.ts"
import * as A from "./arithmetic.ts"
import * as Pow from "./pow.ts"

/** The number in all four lanes of a literal. */
const literal = (x: A.Vector): number | undefined => {
  if (x._tag !== "Const") return undefined
  const lanes = new Float32Array(Uint8Array.from(x.bytes).buffer)
  return lanes.every((lane) => Object.is(lane, lanes[0])) ? lanes[0] : undefined
}

type Binary = (a: A.Vector, b: A.Vector) => A.Vector

/** An operation that is done here for two literals; float64 arithmetic rounded to float32 rounds like float32's. */
const folded =
  (value: (a: number, b: number) => number, otherwise: (a: A.Vector, b: A.Vector) => A.Vector): Binary =>
  (a, b) => {
    const [left, right] = [literal(a), literal(b)]
    return left === undefined || right === undefined ? otherwise(a, b) : f32x4(value(left, right))
  }

export const add = folded((a, b) => a + b, A.add)

export const sub = folded(
  (a, b) => a - b,
  // Nothing less 0 is itself, signed zeros included; nothing more 0 is not.
  (a, b) => (Object.is(literal(b), 0) ? a : A.sub(a, b)),
)

export const mul = folded(
  (a, b) => a * b,
  (a, b) => {
    const [left, right] = [literal(a), literal(b)]
    if (left === 1) return b
    if (right === 1) return a
    if (left === -1) return A.neg(b)
    if (right === -1) return A.neg(a)
    return A.mul(a, b)
  },
)

/** Whether 1 / x is exact. */
const powerOfTwo = (x: number): boolean =>
  Math.abs(x) >= 2 ** -126 && Math.abs(x) <= 2 ** 126 && Number.isInteger(Real.log2(Math.abs(x)))

export const div = folded(
  (a, b) => a / b,
  (a, b) => {
    const right = literal(b)
    return right !== undefined && powerOfTwo(right) ? mul(a, f32x4(1 / right)) : A.div(a, b)
  },
)

/** Powers by a few multiplications, right to a unit in the last place. */
const small: Readonly<Record<string, (x: A.Vector) => A.Vector>> = {
  "-2": (x) => {
    const inverse = A.div(f32x4(1), x)
    return A.mul(inverse, inverse)
  },
  "-1": (x) => A.div(f32x4(1), x),
  "0": () => f32x4(1),
  "1": (x) => x,
  "2": (x) => A.mul(x, x),
  "3": (x) => A.mul(A.mul(x, x), x),
  "4": (x) => {
    const square = A.mul(x, x)
    return A.mul(square, square)
  },
}

export const pow = (target: Target): Binary =>
  folded(raised, (a, b) => (small[String(literal(b))] ?? ((x) => Pow.pow(target)(x, b)))(a))

/** a b + c and c - a b, as one multiply-add where that is not a sum or a product alone. */
export const fused = (target: Target) => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const alone = (a: A.Vector, b: A.Vector): boolean =>
    [literal(a), literal(b)].some((x) => x === 1 || x === -1) ||
    (literal(a) !== undefined && literal(b) !== undefined)
  return {
    madd: (a: A.Vector, b: A.Vector, c: A.Vector): A.Vector =>
      alone(a, b) ? add(mul(a, b), c) : Object.is(literal(c), -0) ? mul(a, b) : madd(a, b, c),
    nmadd: (a: A.Vector, b: A.Vector, c: A.Vector): A.Vector =>
      alone(a, b) ? sub(c, mul(a, b)) : nmadd(a, b, c),
  }
}
