import { pow as raised } from "../../numeric/Power.ts"
import type { Target } from "../Target.ts"
import { f32x4, get, local, op, result, unless } from "../Expr.ts"
import { pure } from "../Func.ts"
import * as A from "./arithmetic.ts"
import * as Fold from "./fold.ts"

/**
 * exp(2 r) - 1 = r (2 + r q(r)) on |r| <= log(2) / 4, relative error 2^-26.1; q and 2, the highest power first. Minimax
 * by linear programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.08877220749855042, 0.26772037148475647, 0.6666789650917053, 1.3333237171173096, 1.9999998807907104, 2,
] as const

/** Half of log 2; its rounding to float32 is below the rounding of the result. */
const halfLog2 = ({ fma }: Target): ReadonlyArray<number> =>
  fma ? [0.3465735912322998] : [0.3465728759765625, 7.143033826650935e-7]

/** tanh(x) rounds to 1 from here. */
const limit = 9.1

/** tanh, as e / (e + 2) of e = exp(2 x) - 1. The sign of -0 is lost. */
export const tanh = (target: Target) => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const horner = A.horner(target)
  // 127 more, so that k's low bits, moved to the exponent, are 2^k.
  const shift = f32x4(A.magic + 127)
  return (input: A.Vector): A.Vector => {
    const x = A.atMost(A.atLeast(input, -limit), limit)
    const shifted = madd(x, f32x4(2 * Math.LOG2E), shift)
    const k = A.sub(shifted, shift)
    const r = halfLog2(target).reduce((rest, part) => nmadd(k, f32x4(part), rest), x)
    const power = A.shiftLeft(shifted, 23)
    const e = madd(A.mul(r, power), horner(r, polynomial), A.sub(power, f32x4(1)))
    return A.div(e, A.add(e, f32x4(2)))
  }
}

/**
 * tanh(t) / t = 1 + w p(w), w = t^2, for small t; p, the highest power first. Made as the other polynomial. Relative
 * error 2^-28.3 on |t| <= 1/4.
 */
const series = [-0.051420025527477264, 0.13324163854122162, -0.3333323895931244] as const

/** The same for small t: relative error 2^-25.8. */
const nearSeries = [0.1318144053220749, -0.33332377672195435] as const

/** The largest argument of `near` and `nearer`, as a part of the limit. */
export const near = 1 / 7
export const nearer = 1 / 32

/** tanh(t) / t = 1 - `cubic` w, relative error 2^-25.4, and tanh'(t) = 1 - `slope` w, relative error 2^-23.1: minimax. */
const [cubic, slope] = [0.33322547, 0.99946067]

/** A clipped value, and (value / limit)^2 or a close approximation: the slope is 1 less this. */
export interface Squashed {
  readonly value: A.Vector
  readonly square: A.Vector
}

/** The clip x -> limit tanh(x / limit), where arguments and values are kept in units that spare operations. */
export interface Squash {
  /** the factor of arguments before the clip, which a mixture's weights can absorb */
  readonly before: number
  /** the factor of values after the clip */
  readonly after: number
  readonly any: (y: A.Vector) => Squashed
  /** the same for |x| < {@link near} limit, and for |x| < {@link nearer} limit */
  readonly near: (y: A.Vector) => Squashed
  readonly nearer: (y: A.Vector) => Squashed
}

/**
 * The clip to a limit. Of any argument by a polynomial where all four lanes have |x| < limit / 4, and by `tanh`, by a
 * function, where not. Arguments below 2^-100 limit may lose digits.
 *
 * @param own whether values may have a unit of their own, in which the shortest series is y (constant - y^2)
 */
export const squash = (target: Target, limit: number, own: boolean): Squash => {
  const horner = A.horner(target)
  const { nmadd } = Fold.fused(target)
  // Limits that could take numbers out of float32 stay out of the units.
  const scaled = limit > 1e-4 && limit < 1e4
  const before = scaled ? Math.sqrt(slope) / limit : 1
  const inner = scaled ? 1 : Math.sqrt(slope) / limit
  // Values are y gain (1 + ...); exact in float32, so that nothing is added to their error.
  const gain = scaled && own ? Math.fround(slope / cubic) : 1 / before
  const after = gain * before
  const z = (y: A.Vector): A.Vector => {
    const t = Fold.mul(y, f32x4(inner))
    return A.mul(t, t)
  }
  const coefficients = (powers: ReadonlyArray<number>): readonly [number, ...ReadonlyArray<number>] => {
    const [first, ...rest] = powers.map((p, i) => (p * gain) / raised(slope, powers.length - i))
    return [first!, ...rest, gain]
  }
  /** (value / limit)^2 */
  const whole = (value: A.Vector): Squashed => {
    const part = A.mul(value, f32x4(1 / (after * limit)))
    return { value, square: A.mul(part, part) }
  }
  const variable = local("v128", "y")
  const inside = tanh(target)(A.mul(get(variable), f32x4(1 / (before * limit))))
  const far = pure(`clip to ${limit}`, [variable], A.mul(inside, f32x4(after * limit)))
  return {
    before,
    after,
    any: (y) => {
      // NaN is not beyond, and stays NaN in the polynomial.
      const beyond = op("i32x4.bitmask", op("f32x4.gt", z(y), f32x4(slope / 16)))
      return whole(unless(A.mul(y, horner(z(y), coefficients(series))), beyond, result(far, y)))
    },
    near: (y) => whole(A.mul(y, horner(z(y), coefficients(nearSeries)))),
    nearer: (y) => ({
      value: A.mul(y, nmadd(f32x4(scaled && own ? 1 : (gain * cubic) / slope), z(y), f32x4(gain))),
      square: z(y),
    }),
  }
}
