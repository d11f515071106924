import type { BinaryPrimitive } from "../../../numeric/Algebra.ts"
import * as Arithmetic from "./arithmetic.ts"
import * as Adjoint from "./arithmeticAdjoint.ts"
import type { Side } from "./broadcast.ts"
import type { Binary } from "./operation.ts"

// pow, min and max are rare, so that one loop serves all broadcasts; operands at rest step by 0.
const step = ({ moves }: Side): number => (moves ? 1 : 0)

const pow: Binary = {
  forward: ({ count, length, left, right }, x, y, z) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++) z[k] = Math.pow(x[i + p * k]!, y[j + q * k]!)
      }
    }
  },
  left: ({ count, length, left, right }, x, y, _z, dx, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++) {
          const b = y[j + q * k]!
          dx[i + p * k]! += dz[k]! * (b * Math.pow(x[i + p * k]!, b - 1))
        }
      }
    }
  },
  right: ({ count, length, left, right }, x, _y, z, dy, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++) {
          const a = x[i + p * k]!
          dy[j + q * k]! += dz[k]! * (z[k]! * (a > 0 ? Math.log(a) : 0))
        }
      }
    }
  },
}

/** dx += dz where x <= y, for `min`; for `max` with the operands swapped in the comparison: x >= y. */
const minimum: Binary = {
  forward: ({ count, length, left, right }, x, y, z) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++) z[k] = Math.min(x[i + p * k]!, y[j + q * k]!)
      }
    }
  },
  left: ({ count, length, left, right }, x, y, _z, dx, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++)
          dx[i + p * k]! += dz[k]! * (x[i + p * k]! <= y[j + q * k]! ? 1 : 0)
      }
    }
  },
  right: ({ count, length, left, right }, x, y, _z, dy, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++)
          dy[j + q * k]! += dz[k]! * (x[i + p * k]! > y[j + q * k]! ? 1 : 0)
      }
    }
  },
}

const maximum: Binary = {
  forward: ({ count, length, left, right }, x, y, z) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++) z[k] = Math.max(x[i + p * k]!, y[j + q * k]!)
      }
    }
  },
  left: ({ count, length, left, right }, x, y, _z, dx, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++)
          dx[i + p * k]! += dz[k]! * (x[i + p * k]! >= y[j + q * k]! ? 1 : 0)
      }
    }
  },
  right: ({ count, length, left, right }, x, y, _z, dy, dz) => {
    const [p, q] = [step(left), step(right)]
    return () => {
      for (let row = 0, k = 0; row < count; row++) {
        const i = left.at[row]!
        const j = right.at[row]!
        for (const end = k + length; k < end; k++)
          dy[j + q * k]! += dz[k]! * (x[i + p * k]! < y[j + q * k]! ? 1 : 0)
      }
    }
  },
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
  min: minimum,
  max: maximum,
}
