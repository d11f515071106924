import type { BinaryPrimitive } from "../../../numeric/Algebra.ts"
import { pow as power } from "../../../numeric/Power.ts"
import * as Real from "../../../numeric/Real.ts"
import * as Arithmetic from "./arithmetic.ts"
import * as Adjoint from "./arithmeticAdjoint.ts"
import type { Rows, Side } from "./broadcast.ts"
import type { Binary, Run } from "./operation.ts"

/**
 * Calls a function with the index of each element of the result and the indices of its operands. pow, min and max are rare, so
 * that one loop serves all broadcasts; operands at rest step by 0. The function takes indices, since a number would be boxed.
 */
const each = (
  { count, length, left, right }: Rows,
  body: (at: number, left: number, right: number) => void,
): Run => {
  const step = ({ moves }: Side): number => (moves ? 1 : 0)
  const [p, q] = [step(left), step(right)]
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      for (const end = k + length; k < end; k++) body(k, i + p * k, j + q * k)
    }
  }
}

const pow: Binary = {
  forward: (rows, x, y, z) => each(rows, (k, i, j) => void (z[k] = power(x[i]!, y[j]!))),
  left: (rows, x, y, _z, dx, dz) =>
    each(rows, (k, i, j) => void (dx[i]! += dz[k]! * (y[j]! * power(x[i]!, y[j]! - 1)))),
  right: (rows, x, _y, z, dy, dz) =>
    each(rows, (k, i, j) => void (dy[j]! += dz[k]! * (z[k]! * (x[i]! > 0 ? Real.log(x[i]!) : 0)))),
}

const min: Binary = {
  forward: (rows, x, y, z) => each(rows, (k, i, j) => void (z[k] = Math.min(x[i]!, y[j]!))),
  left: (rows, x, y, _z, dx, dz) =>
    each(rows, (k, i, j) => void (dx[i]! += dz[k]! * (x[i]! <= y[j]! ? 1 : 0))),
  right: (rows, x, y, _z, dy, dz) =>
    each(rows, (k, i, j) => void (dy[j]! += dz[k]! * (x[i]! > y[j]! ? 1 : 0))),
}

const max: Binary = {
  forward: (rows, x, y, z) => each(rows, (k, i, j) => void (z[k] = Math.max(x[i]!, y[j]!))),
  left: (rows, x, y, _z, dx, dz) =>
    each(rows, (k, i, j) => void (dx[i]! += dz[k]! * (x[i]! >= y[j]! ? 1 : 0))),
  right: (rows, x, y, _z, dy, dz) =>
    each(rows, (k, i, j) => void (dy[j]! += dz[k]! * (x[i]! < y[j]! ? 1 : 0))),
}

/** The binary primitives; see `Binary` for their slopes. */
export const binary: { readonly [P in BinaryPrimitive]: Binary } = {
  add: {
    forward: Arithmetic.add,
    left: (rows, _x, _y, _z, dx, dz) => Adjoint.accumulate(rows, rows.left, dx, dz),
    right: (rows, _x, _y, _z, dy, dz) => Adjoint.accumulate(rows, rows.right, dy, dz),
  },
  sub: {
    forward: Arithmetic.sub,
    left: (rows, _x, _y, _z, dx, dz) => Adjoint.accumulate(rows, rows.left, dx, dz),
    right: (rows, _x, _y, _z, dy, dz) => Adjoint.withdraw(rows, rows.right, dy, dz),
  },
  mul: {
    forward: Arithmetic.mul,
    left: (rows, _x, y, _z, dx, dz) => Adjoint.product(rows, rows.left, rows.right, y, dx, dz),
    right: (rows, x, _y, _z, dy, dz) => Adjoint.product(rows, rows.right, rows.left, x, dy, dz),
  },
  div: {
    forward: Arithmetic.div,
    left: (rows, _x, y, _z, dx, dz) => Adjoint.numerator(rows, y, dx, dz),
    right: (rows, x, y, _z, dy, dz) => Adjoint.denominator(rows, x, y, dy, dz),
  },
  pow,
  min,
  max,
}
