import type { Target } from "../Target.ts"
import { f32x4, get, local, result, unless } from "../Expr.ts"
import { type Func, pure } from "../Func.ts"
import * as A from "./arithmetic.ts"
import * as Reduction from "./reduction.ts"

/**
 * tan(r) = r + r z p(z), z = r^2, on |r| <= pi/4, relative error 2^-25.7; p, the highest power first. Minimax by linear
 * programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.009396570734679699, 0.003101422917097807, 0.024441417306661606, 0.053408198058605194, 0.13338835537433624,
  0.33333155512809753,
] as const

/** The tangent, or minus its inverse in odd quadrants. */
const central = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return ({ r, q }: Reduction.Quadrant): A.Vector => {
    const z = A.mul(r, r)
    const y = madd(A.mul(r, z), horner(z, polynomial), r)
    return A.select(Reduction.odd(q), A.div(f32x4(-1), y), y)
  }
}

/** tan of arguments of any size. */
const far = A.perTarget((target): Func<"v128"> => {
  const x = local("v128", "x")
  const value = central(target)(Reduction.medium(get(x)))
  return pure(
    "tan of any float32",
    [x],
    unless(value, Reduction.huge(get(x)), Reduction.byHost("tan", get(x))),
  )
})

/** tan, by quadrants; otherwise as `sin`. */
export const tan = (target: Target, bound = Infinity) => {
  const madd = A.madd(target)
  const reduce = Reduction.reduce(target)
  return (x: A.Vector): A.Vector => {
    const q = madd(x, f32x4(2 / Math.PI), f32x4(A.magic))
    const r = reduce(x, A.sub(q, f32x4(A.magic)), Reduction.halfPi)
    const y = central(target)({ r, q })
    return bound <= Reduction.fastLimit ? y : unless(y, Reduction.large(x), result(far(target), x))
  }
}
