import { NEAREST } from "../../numeric/Elementary.ts"
import { add, horner, mul, sub } from "../Doubles.ts"
import { type Expr, f64x2, get, i32, local, op, unless, result } from "../Expr.ts"
import { type Func, pure } from "../Func.ts"
import { byHost, type HostName } from "./host.ts"

type Vector = Expr<"v128">

/** Half of pi in parts: two of 33 bits, and the remainder. */
const [first, second, third] = [
  1.57079632673412561417, 6.0771005063039659766e-11, 2.02226624879595063154e-21,
] as const

/** Up to this magnitude, products of quarter turns with 33 bits are exact. */
const limit = 2 ** 19 * Math.PI

/** sin(r) = r + S_1 r^3 + ..., and cos(r) = 1 - r^2 / 2 + C_1 r^4 + ... on |r| <= pi / 4: FreeBSD's `k_sin.c` and `k_cos.c`. */
const SIN = [
  8.33333333332248946124e-3, -1.98412698298579493134e-4, 2.75573137070700676789e-6,
  -2.50507602534068634195e-8, 1.58969099521155010221e-10,
] as const
const SIN_1 = -1.66666666666666324348e-1
const COS = [
  4.16666666666666019037e-2, -1.38888888888741095749e-3, 2.48015872894767294178e-5,
  -2.75573143513906633035e-7, 2.0875723212981748279e-9, -1.13596475577881948265e-11,
] as const

/** x = q pi/2 + r + rest, |r| <= pi/4; only the lowest bits of `q` count. */
interface Quadrant {
  readonly r: Vector
  readonly rest: Vector
  readonly q: Vector
}

/** Cody and Waite's reduction with 118 bits of pi/2 (FreeBSD's `e_rem_pio2.c`), for |x| up to {@link limit}. */
const reduce = (x: Vector): Quadrant => {
  const q = add(mul(x, f64x2(2 / Math.PI)), f64x2(NEAREST))
  const k = sub(q, f64x2(NEAREST))
  const one = sub(x, mul(k, f64x2(first)))
  const w = mul(k, f64x2(second))
  const two = sub(one, w)
  const rounded = sub(mul(k, f64x2(third)), sub(sub(one, two), w))
  const r = sub(two, rounded)
  return { r, rest: sub(sub(two, r), rounded), q }
}

const sine = ({ r, rest }: Quadrant): Vector => {
  const z = mul(r, r)
  const v = mul(z, r)
  const inner = sub(mul(z, sub(mul(f64x2(0.5), rest), mul(v, horner(z, SIN)))), rest)
  return sub(r, sub(inner, mul(v, f64x2(SIN_1))))
}

const cosine = ({ r, rest }: Quadrant): Vector => {
  const z = mul(r, r)
  const half = mul(f64x2(0.5), z)
  const w = sub(f64x2(1), half)
  const inner = sub(mul(z, mul(z, horner(z, COS))), mul(r, rest))
  return add(w, add(sub(sub(f64x2(1), w), half), inner))
}

/** All ones in the lanes where q is odd. */
const odd = (q: Vector): Vector => op("i64x2.shr_s", op("i64x2.shl", q, i32(63)), i32(63))

/** The Taylor series of sin(r) / r in r^2 without its 1: 1e-18 on |r| <= pi / 2. */
const SERIES = Array.from({ length: 11 }, (_, n) =>
  Array.from({ length: 2 * n + 2 }, (_, i) => i + 2).reduce(
    (value, factor) => value / factor,
    n % 2 === 0 ? -1 : 1,
  ),
)

/**
 * sin(x), or cos(x) for a half, by x = (k + half) pi + r with whole k: shorter than by quadrants, which need both series. Half
 * turns of up to {@link limit} are exact in the first two parts of pi.
 */
const halfTurns = (x: Vector, half: number): Vector => {
  const turns = mul(x, f64x2(1 / Math.PI))
  const shifted = add(half === 0 ? turns : sub(turns, f64x2(half)), f64x2(NEAREST))
  const whole = sub(shifted, f64x2(NEAREST))
  const k = half === 0 ? whole : add(whole, f64x2(half))
  const parts = [first, second, third].map((part) => mul(k, f64x2(2 * part)))
  // Where much is cancelled, the first two differences are exact.
  const r = parts.reduce(sub, x)
  const z = mul(r, r)
  const value = add(r, mul(mul(r, z), horner(z, SERIES)))
  const odd = op("i64x2.shl", shifted, i32(63))
  // cos is -sin(r) for even k.
  return op("v128.xor", value, half === 0 ? odd : op("v128.xor", odd, f64x2(-0)))
}

const beyond = (x: Vector): Expr<"i32"> =>
  op("v128.any_true", op("f64x2.gt", op("f64x2.abs", x), f64x2(limit)))

/** A function in the module, because it is rare. */
const ofHost = (name: HostName): Func<"v128"> => {
  const variable = local("v128", "x")
  return pure(`${name} of large float64`, [variable], byHost(name, get(variable)))
}
const tangent = ((): Func<"v128"> => {
  const variable = local("v128", "x")
  const x = get(variable)
  const at = reduce(x)
  const [s, c] = [sine(at), cosine(at)]
  const turned = odd(at.q)
  const top = op("v128.bitselect", op("f64x2.neg", c), s, turned)
  const value = op("f64x2.div", top, op("v128.bitselect", s, c, turned))
  return pure("tan of float64", [variable], unless(value, beyond(x), byHost("tan", x)))
})()
// One object for each function, because a module holds each object once.
const [farSine, farCosine] = [ofHost("sin"), ofHost("cos")]

/** sin, cos and tan of any argument; the sign of -0 may be lost. Vectors with a lane beyond {@link limit} go to the host. */
export const sin = (x: Vector): Vector => unless(halfTurns(x, 0), beyond(x), result(farSine, x))
export const cos = (x: Vector): Vector => unless(halfTurns(x, 0.5), beyond(x), result(farCosine, x))
export const tan = (x: Vector): Vector => result(tangent, x)
