import type { Target } from "../Target.ts"
import { f32x4 } from "../Expr.ts"
import * as A from "./arithmetic.ts"

/**
 * 1 + r + r^2 q(r) on |r| <= log 2, relative error 2^-26.0; q, the highest power first. Minimax by linear programming,
 * each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.00019629749294836074, 0.0014104777947068214, 0.008335934951901436, 0.041661228984594345,
  0.166666179895401, 0.5000003576278687, 1, 1,
] as const

/** 2 log 2 in two parts; 16 bits of the first make its products with |k| <= 75 exact without a fused operation. */
const twiceLog2 = ({ fma }: Target): readonly [number, number] =>
  fma ? [1.3862943649291992, -3.809308424251867e-9] : [1.38629150390625, 2.857213530660374e-6]

/**
 * exp, by x = 2 k log 2 + r with a whole number k: multiplying by 2^k twice overflows and underflows, through the
 * subnormal numbers with a single rounding, where the result does.
 */
export const exp = (target: Target) => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const horner = A.horner(target)
  const [high, low] = twiceLog2(target)
  // 127 more, so that k's low bits, moved to the exponent, are 2^k.
  const shift = f32x4(A.magic + 127)
  return (input: A.Vector): A.Vector => {
    const x = A.atMost(A.atLeast(input, -105), 89)
    const shifted = madd(x, f32x4(Math.LOG2E / 2), shift)
    const k = A.sub(shifted, shift)
    const r = nmadd(k, f32x4(low), nmadd(k, f32x4(high), x))
    const power = A.shiftLeft(shifted, 23)
    return A.mul(A.mul(horner(r, polynomial), power), power)
  }
}
