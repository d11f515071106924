import type { Target } from "../Target.ts"
import { type Expr, extractF32, f32x4, f64x2, get, local, op, result, shuffle, unless } from "../wasm/Expr.ts"
import { type Func, host, pure } from "../wasm/Func.ts"
import * as A from "./arithmetic.ts"

/** x = q pi/2 + r, |r| <= pi/4; only the two lowest bits of `q` count. */
interface Reduced {
  readonly r: A.Vector
  readonly q: A.Vector
}

/** Up to here the fast reduction loses nothing that float32 shows. */
const fastLimit = ({ fma }: Target): number => (fma ? 8192 : 256)

/** Cody and Waite: pi/2 in three parts, so short without a fused multiply-add that the products are exact. */
const fast = (target: Target) => {
  const parts = target.fma
    ? [1.57079637050628662109375, -4.37113882867379263e-8, -1.71512449008e-15]
    : [1.5703125, 4.837512969970703125e-4, 7.549789948768648e-8]
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  return (x: A.Vector): Reduced => {
    const q = madd(x, f32x4(2 / Math.PI), f32x4(A.magic))
    const k = A.sub(q, f32x4(A.magic))
    return { q, r: parts.reduce((rest, part) => nmadd(k, f32x4(part), rest), x) }
  }
}

/** The float64 reduction of FreeBSD's `rem_pio2f` (25 + 53 bits of pi/2), for |x| < 2^28 pi/2. */
const medium = (x: A.Vector): Reduced => {
  const half = (wide: A.Vector) => {
    const k = op("f64x2.nearest", op("f64x2.mul", wide, f64x2(2 / Math.PI)))
    const first = op("f64x2.sub", wide, op("f64x2.mul", k, f64x2(1.5707963109016418)))
    const r = op("f64x2.sub", first, op("f64x2.mul", k, f64x2(1.5893254773528196e-8)))
    return { r: op("f32x4.demote_f64x2_zero", r), q: op("i32x4.trunc_sat_f64x2_s_zero", k) }
  }
  const low = half(op("f64x2.promote_low_f32x4", x))
  const high = half(op("f64x2.promote_low_f32x4", shuffle(x, x, [2, 3, 2, 3])))
  return { r: shuffle(low.r, high.r, [0, 1, 4, 5]), q: shuffle(low.q, high.q, [0, 1, 4, 5]) }
}

/** Sine and cosine on |r| <= pi/4: the polynomials of Cephes' `sinf` and `cosf` (Moshier). */
const polynomials = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return (r: A.Vector): { readonly sine: A.Vector; readonly cosine: A.Vector } => {
    const z = A.mul(r, r)
    const s = horner(z, [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1])
    const c = horner(z, [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2])
    return {
      sine: madd(A.mul(r, z), s, r),
      cosine: madd(A.mul(z, z), c, madd(z, f32x4(-0.5), f32x4(1))),
    }
  }
}

type Kind = "sin" | "cos" | "tan"

/**
 * From the polynomials to a function of the whole argument: an odd quadrant swaps them, the second and third negate
 * the sine, the first and second the cosine. What both functions need is the same expression for both.
 */
const value = (target: Target, kind: Kind) => {
  const both = polynomials(target)
  return ({ r, q }: Reduced): A.Vector => {
    const { sine, cosine } = both(r)
    const odd = A.shiftLeft(q, 31)
    const difference = A.and(A.xor(sine, cosine), A.shiftRight(odd, 31))
    const first = A.xor(sine, difference)
    const second = A.xor(cosine, difference)
    if (kind === "tan") return A.div(A.xor(first, odd), second)
    const sign = A.and(A.shiftLeft(q, 30), A.signBit)
    return kind === "sin" ? A.xor(first, sign) : A.xor(second, A.xor(sign, odd))
  }
}

/** A function of the host, applied lane by lane: exact for arguments of any size, infinity included. */
export const byHost = (name: string, ...args: ReadonlyArray<A.Vector>): A.Vector => {
  const func = host(
    name,
    args.map((_, i) => local("f64", `argument ${i}`)),
    "f64",
  )
  const lane = (i: number): Expr<"f64"> =>
    result(known(func), ...args.map((x) => op("f64.promote_f32", extractF32(x, i))))
  const splat = (i: number): A.Vector => op("f32x4.splat", op("f32.demote_f64", lane(i)))
  return shuffle(
    shuffle(splat(0), splat(1), [0, 4, 0, 4]),
    shuffle(splat(2), splat(3), [0, 4, 0, 4]),
    [0, 1, 4, 5],
  )
}

// One object for each host function, because a module imports each object once.
const hosts = new Map<string, Func<"f64">>()
const known = (func: Func<"f64">): Func<"f64"> => {
  const before = hosts.get(func.name)
  if (before !== undefined) return before
  hosts.set(func.name, func)
  return func
}

const slow = (target: Target, kind: Kind): Func<"v128"> => {
  const x = local("v128", "x")
  const far = op("v128.any_true", op("v128.not", op("f32x4.lt", A.abs(get(x)), f32x4(4e8))))
  return pure(
    `${kind} of large arguments`,
    [x],
    unless(value(target, kind)(medium(get(x))), far, byHost(kind, get(x))),
  )
}

/**
 * sin, cos or tan. Their range reduction is one expression, so that code which asks for several of the same argument
 * computes it once. A vector with any lane beyond `fastLimit` goes another, slower way: through float64, or for lanes
 * beyond 4e8 and infinity through the host's own function.
 *
 * @param bound what the argument's magnitude is known not to exceed: below `fastLimit` nothing needs to be checked
 */
export const trigonometric = (target: Target, kind: Kind, bound = Infinity) => {
  const reduce = fast(target)
  const evaluate = value(target, kind)
  const limit = fastLimit(target)
  if (bound <= limit) return (x: A.Vector): A.Vector => evaluate(reduce(x))
  const other = slow(target, kind)
  return (x: A.Vector): A.Vector => {
    // NaN is not beyond the limit, and stays NaN on the fast way.
    const large = op("v128.any_true", op("f32x4.gt", A.abs(x), f32x4(limit)))
    return unless(evaluate(reduce(x)), large, result(other, x))
  }
}

/** atan, by the reductions at tan(pi/8) and tan(3 pi/8) and the polynomial of Cephes' `atanf`. */
export const atan = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return (x: A.Vector): A.Vector => {
    const a = A.abs(x)
    const large = op("f32x4.gt", a, f32x4(2.414213562373095))
    const middle = op("f32x4.gt", a, f32x4(0.4142135623730951))
    const numerator = A.select(large, f32x4(-1), A.select(middle, A.sub(a, f32x4(1)), a))
    const denominator = A.select(large, a, A.select(middle, A.add(a, f32x4(1)), f32x4(1)))
    const offset = A.select(large, f32x4(Math.PI / 2), A.and(middle, f32x4(Math.PI / 4)))
    const t = A.div(numerator, denominator)
    const z = A.mul(t, t)
    const p = horner(z, [8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1])
    const y = A.add(offset, madd(A.mul(z, t), p, t))
    return A.or(A.abs(y), A.and(x, A.signBit))
  }
}

/** asin or acos, by the half-angle identity beyond 1/2 and the polynomial of Cephes' `asinf`. NaN outside [-1, 1]. */
export const inverse = (target: Target, kind: "asin" | "acos") => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const horner = A.horner(target)
  return (x: A.Vector): A.Vector => {
    const a = A.abs(x)
    const outer = op("f32x4.gt", a, f32x4(0.5))
    const z = A.select(outer, A.mul(A.sub(f32x4(1), a), f32x4(0.5)), A.mul(a, a))
    const s = A.select(outer, A.sqrt(z), a)
    const p = horner(z, [4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1])
    const inner = madd(A.mul(z, s), p, s)
    const sign = A.and(x, A.signBit)
    if (kind === "asin")
      return A.or(A.abs(A.select(outer, nmadd(inner, f32x4(2), f32x4(Math.PI / 2)), inner)), sign)
    const twice = A.add(inner, inner)
    const negative = A.shiftRight(x, 31)
    const beyond = A.select(negative, A.sub(f32x4(Math.PI), twice), twice)
    return A.select(outer, beyond, A.sub(f32x4(Math.PI / 2), A.or(inner, sign)))
  }
}
