import type { Target } from "../Target.ts"
import { f32x4, get, local, result, unless } from "../Expr.ts"
import { type Func, pure } from "../Func.ts"
import * as A from "./arithmetic.ts"
import * as Reduction from "./reduction.ts"

/**
 * sin(r) = r + r z p(z), z = r^2, on |r| <= pi/2, relative error 2^-27.3; p, the highest power first. Minimax by linear
 * programming, each coefficient rounded to float32 and the others fitted anew.
 */
export const sine = [
  2.606081807243754e-6, -0.00019809773948509246, 0.008333069272339344, -0.16666659712791443,
] as const

/** cos(r) = 1 - z/2 + z^2 c(z) on |r| <= pi/4: Cephes' `cosf` (Moshier). */
const cosine = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2, -0.5, 1] as const

/** sin(r), |r| <= pi/2. */
const central = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return (r: A.Vector): A.Vector => {
    const z = A.mul(r, r)
    return madd(A.mul(r, z), horner(z, sine), r)
  }
}

/** sin or cos of arguments of any size: by quadrants, those of cos counted from one later. */
const far =
  (kind: "sin" | "cos") =>
  (target: Target): Func<"v128"> => {
    const x = local("v128", "x")
    const { r, q } = Reduction.medium(get(x))
    const quadrant = kind === "sin" ? q : Reduction.next(q)
    const even = central(target)(r)
    const other = A.horner(target)(A.mul(r, r), cosine)
    const value = A.select(Reduction.odd(quadrant), other, even)
    const signed = A.xor(value, A.and(A.shiftLeft(quadrant, 30), A.signBit))
    return pure(
      `${kind} of any float32`,
      [x],
      unless(signed, Reduction.huge(get(x)), Reduction.byHost(kind, get(x))),
    )
  }
const farSine = A.perTarget(far("sin"))
const farCosine = A.perTarget(far("cos"))

/**
 * sin, by x = k pi + r with whole k: shorter than by quadrants, which need both polynomials. The sign of -0 is lost. A
 * vector with a lane beyond 8192 goes another way: through float64, or beyond 4e8 through the host's own function.
 */
export const sin = (target: Target) => {
  const madd = A.madd(target)
  const reduce = Reduction.reduce(target)
  return (x: A.Vector): A.Vector => {
    const shifted = madd(x, f32x4(1 / Math.PI), f32x4(A.magic))
    const k = A.sub(shifted, f32x4(A.magic))
    const y = A.xor(central(target)(reduce(x, k, Reduction.pi)), A.shiftLeft(shifted, 31))
    return unless(y, Reduction.large(x), result(farSine(target), x))
  }
}

/** cos, by x = (k - 1/2) pi + r with whole k; otherwise as {@link sin}. */
export const cos = (target: Target) => {
  const madd = A.madd(target)
  const reduce = Reduction.reduce(target)
  return (x: A.Vector): A.Vector => {
    const shifted = A.add(madd(x, f32x4(1 / Math.PI), f32x4(0.5)), f32x4(A.magic))
    const k = A.sub(A.sub(shifted, f32x4(A.magic)), f32x4(0.5))
    const y = A.xor(central(target)(reduce(x, k, Reduction.pi)), A.shiftLeft(shifted, 31))
    return unless(y, Reduction.large(x), result(farCosine(target), x))
  }
}
