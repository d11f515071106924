import type { Target } from "../Target.ts"
import { type Expr, extractF32, f32x4, f64x2, i32x4, local, op, result, shuffle } from "../Expr.ts"
import { type Func, host } from "../Func.ts"
import * as A from "./arithmetic.ts"

/** Functions of the host's `Math` that kernels may import, by these names from `host`. */
export type HostName = "sin" | "cos" | "tan"

/**
 * Cody and Waite's reduction: x - k (c_1 + c_2 + ...). With a fused multiply-add every product is exact, and the first
 * difference too; without, 11 bits of the first parts make the products exact for |k| < 2^13 (halves included).
 */
export const reduce = (target: Target) => {
  const nmadd = A.nmadd(target)
  return (x: A.Vector, k: A.Vector, { fused, plain }: Parts): A.Vector =>
    (target.fma ? fused : plain).reduce((rest, part) => nmadd(k, f32x4(part), rest), x)
}

interface Parts {
  /** three parts of 24 bits */
  readonly fused: ReadonlyArray<number>
  /** three parts of 11 bits and one of 24 */
  readonly plain: ReadonlyArray<number>
}

export const pi: Parts = {
  fused: [3.1415927410125732, -8.742277657347586e-8, -3.4302490200117637e-15],
  plain: [3.140625, 9.675025939941406e-4, 1.5099067240953445e-7, 5.126688136514179e-12],
}

export const halfPi: Parts = {
  fused: [1.5707963705062866, -4.371138828673793e-8, -1.7151245100058819e-15],
  plain: [1.5703125, 4.837512969970703e-4, 7.549533620476723e-8, 2.5633440682570896e-12],
}

/** The largest magnitude for which {@link reduce} is good. */
export const fastLimit = 8192

/** Not 0 if the magnitude of any lane is beyond the range of {@link reduce}; NaN and infinity are harmless there. */
export const large = (x: A.Vector): Expr<"i32"> =>
  op("i32x4.bitmask", op("f32x4.gt", A.abs(x), f32x4(fastLimit)))

/** x = q pi/2 + r, |r| <= pi/4; only the two lowest bits of `q` count. */
export interface Quadrant {
  readonly r: A.Vector
  readonly q: A.Vector
}

/** The float64 reduction of FreeBSD's `e_rem_pio2f.c` (25 + 53 bits of pi/2), for |x| < 2^28 pi/2. */
export const medium = (x: A.Vector): Quadrant => {
  const half = (wide: A.Vector) => {
    const k = op("f64x2.nearest", op("f64x2.mul", wide, f64x2(2 / Math.PI)))
    const first = op("f64x2.sub", wide, op("f64x2.mul", k, f64x2(1.5707963109016418)))
    const r = op("f64x2.sub", first, op("f64x2.mul", k, f64x2(1.5893254773528196e-8)))
    return { r: op("f32x4.demote_f64x2_zero", r), q: op("i32x4.trunc_sat_f64x2_s_zero", k) }
  }
  const low = half(A.low(x))
  const high = half(A.high(x))
  return { r: A.both(low.r, high.r), q: A.both(low.q, high.q) }
}

/** Not 0 if the magnitude of any lane is beyond the range of {@link medium}, infinity included. */
export const huge = (x: A.Vector): Expr<"i32"> => op("i32x4.bitmask", op("f32x4.gt", A.abs(x), f32x4(4e8)))

/** All ones in the lanes where q is odd. */
export const odd = (q: A.Vector): A.Vector => A.shiftRight(A.shiftLeft(q, 31), 31)

/** A function of the host, applied lane by lane: exact for arguments of any size, NaN for infinity. */
export const byHost = (name: HostName, x: A.Vector): A.Vector => {
  const splat = (i: number): A.Vector =>
    op("f32x4.splat", op("f32.demote_f64", result(hosts[name], op("f64.promote_f32", extractF32(x, i)))))
  return A.both(shuffle(splat(0), splat(1), [0, 4, 0, 4]), shuffle(splat(2), splat(3), [0, 4, 0, 4]))
}

const hostFunction = (name: HostName): Func<"f64"> => host(name, [local("f64", "x")], "f64")

// One object for each host function, because a module imports each object once.
const hosts: Readonly<Record<HostName, Func<"f64">>> = {
  sin: hostFunction("sin"),
  cos: hostFunction("cos"),
  tan: hostFunction("tan"),
}

/** 1 more. */
export const next = (q: A.Vector): A.Vector => op("i32x4.add", q, i32x4(1))
