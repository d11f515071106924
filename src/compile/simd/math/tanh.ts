import type { Target } from "../Target.ts"
import { f32x4, get, local, op, result, unless } from "../wasm/Expr.ts"
import { pure } from "../wasm/Func.ts"
import * as A from "./arithmetic.ts"

/**
 * exp(2 r) - 1 = r (2 + r q(r)) on |r| <= log(2) / 4, relative error 2^-26.1; q and 2, the highest power first. Minimax
 * by linear programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.08877220749855042, 0.26772037148475647, 0.6666789650917053, 1.3333237171173096, 1.9999998807907104, 2,
] as const

/** Half of log 2; what float32 cannot show of it is below what the result shows. */
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
 * tanh(t) / t = 1 + z p(z), z = t^2, on |t| <= 1/4, relative error 2^-28.3; p, the highest power first. Made as
 * the other polynomial.
 */
const series = [-0.051420025527477264, 0.13324163854122162, -0.3333323895931244] as const

/**
 * limit tanh(x / limit), for values that rarely come near the limit: a polynomial where all four lanes have
 * |x| < limit / 4, and `tanh`, by a function, where not.
 */
export const clip = (target: Target, limit: number) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  const variable = local("v128", "x")
  const inside = tanh(target)(A.mul(get(variable), f32x4(1 / limit)))
  const whole = pure(`clip to ${limit}`, [variable], A.mul(inside, f32x4(limit)))
  // The coefficients carry the scale unless they would leave float32.
  const scale = limit > 1e-4 && limit < 1e4 ? limit : 1
  const [cubic, square, linear] = [scale ** -6 * series[0], scale ** -4 * series[1], scale ** -2 * series[2]]
  return (x: A.Vector): A.Vector => {
    const t = scale === limit ? x : A.mul(x, f32x4(1 / limit))
    const z = A.mul(t, t)
    const near = madd(A.mul(x, z), horner(z, [cubic, square, linear]), x)
    // NaN is not beyond, and stays NaN in the polynomial.
    const beyond = op("i32x4.bitmask", op("f32x4.gt", z, f32x4((scale === limit ? limit ** 2 : 1) / 16)))
    return unless(near, beyond, result(whole, x))
  }
}

/** tanh(t) / t = 1 + z p(z), z = t^2, for small t. */
export interface Series {
  /** what part of the limit the magnitude of an argument of {@link clipNear} may reach */
  readonly reach: number
  /** p, the highest power first; made as `series` */
  readonly coefficients: readonly [number, ...ReadonlyArray<number>]
}

/** Relative error 2^-25.8. */
export const near: Series = { reach: 1 / 7, coefficients: [0.1318144053220749, -0.33332377672195435] }

/** Relative error 2^-24.7. */
export const nearer: Series = { reach: 1 / 28, coefficients: [-0.33319249749183655] }

/** limit tanh(x / limit) where |x| <= reach limit. */
export const clipNear = (target: Target, limit: number, { coefficients }: Series) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  const scale = limit > 1e-4 && limit < 1e4 ? limit : 1
  const [first, ...rest] = coefficients.map((c, i) => c / scale ** (2 * (coefficients.length - i)))
  return (x: A.Vector): A.Vector => {
    const t = scale === limit ? x : A.mul(x, f32x4(1 / limit))
    const z = A.mul(t, t)
    return madd(A.mul(x, z), horner(z, [first!, ...rest]), x)
  }
}

/** The slope of {@link clip} from its value. */
export const clipSlope = (target: Target, limit: number) => {
  const nmadd = A.nmadd(target)
  return (value: A.Vector): A.Vector => {
    const t = A.mul(value, f32x4(1 / limit))
    return nmadd(t, t, f32x4(1))
  }
}
