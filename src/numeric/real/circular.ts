import { cut } from "./bits.ts"
import { reduce, rest } from "./reduction.ts"

// After fdlibm's `s_sin.c`, `s_cos.c`, `s_tan.c` and their kernels; see `numeric/Real`.

/** pi / 4, rounded up to 21 bits: up to here nothing is reduced. */
const QUARTER = 0.7853984832763672

const [S1, S2, S3, S4, S5, S6] = [
  -1.66666666666666324348e-1, 8.33333333332248946124e-3, -1.98412698298579493134e-4,
  2.75573137070700676789e-6, -2.50507602534068634195e-8, 1.58969099521155010221e-10,
] as const
const [C1, C2, C3, C4, C5, C6] = [
  4.16666666666666019037e-2, -1.38888888888741095749e-3, 2.48015872894767294178e-5,
  -2.75573143513906633035e-7, 2.0875723212981748279e-9, -1.13596475577881948265e-11,
] as const

// Functions of `rest` put their value there: a number that a function returns may be a box on the heap.

/** Replaces rest[0] by sin(rest[0] + rest[1]). */
const sineOfRest = (): void => {
  const x = rest[0]!
  if (Math.abs(x) < 2 ** -27) return
  const y = rest[1]!
  const z = x * x
  const v = z * x
  const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))
  rest[0] = x - (z * (0.5 * y - v * r) - y - v * S1)
}

/** Replaces rest[0] by cos(rest[0] + rest[1]). */
const cosineOfRest = (): void => {
  const x = rest[0]!
  const size = Math.abs(x)
  const z = x * x
  const r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6))))) * z - x * rest[1]!
  if (size < 0.2999999523162842) {
    rest[0] = size < 2 ** -27 ? 1 : 1 - (0.5 * z - r)
    return
  }
  // About size / 4, cut to 21 bits, so that the differences to it are exact.
  const part =
    size >= 0.7812504768371582
      ? 0.28125
      : size < 0.5
        ? Math.floor(size * 2 ** 22) * 2 ** -24
        : Math.floor(size * 2 ** 21) * 2 ** -23
  rest[0] = 1 - part - (0.5 * z - part - r)
}

const takeSine = (): void => {
  const x = rest[0]!
  const size = Math.abs(x)
  if (size < QUARTER) {
    if (size < 2 ** -27) return
    const z = x * x
    rest[0] = x + z * x * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))))
  } else if (size < Infinity) {
    const n = reduce()
    if ((n & 1) === 0) sineOfRest()
    else cosineOfRest()
    if ((n & 2) !== 0) rest[0] = -rest[0]!
  } else rest[0] = Number.NaN
}

const takeCosine = (): void => {
  const size = Math.abs(rest[0]!)
  if (size < Infinity) {
    rest[1] = 0
    const n = size < QUARTER ? 0 : reduce()
    if ((n & 1) === 0) cosineOfRest()
    else sineOfRest()
    if (((n + 1) & 2) !== 0) rest[0] = -rest[0]!
  } else rest[0] = Number.NaN
}

/** NaN for infinite x. */
export const sin = (x: number): number => {
  rest[0] = x
  takeSine()
  return rest[0]
}

/** NaN for infinite x. */
export const cos = (x: number): number => {
  rest[0] = x
  takeCosine()
  return rest[0]
}

const [T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12] = [
  3.33333333333334091986e-1, 1.33333333333201242699e-1, 5.39682539762260521377e-2, 2.18694882948595424599e-2,
  8.86323982359930005737e-3, 3.59207910759131235356e-3, 1.45620945432529025516e-3, 5.88041240820264096874e-4,
  2.46463134818469906812e-4, 7.817944429395570923e-5, 7.14072491382608190305e-5, -1.85586374855275456654e-5,
  2.59073051863633712884e-5,
] as const
/** pi / 4 in two parts. */
const [PI_4, PI_4_LOW] = [7.85398163397448278999e-1, 3.06161699786838301793e-17] as const

/** -1 / (x + r), where w = x + r rounded. */
const negativeInverse = (x: number, r: number, w: number): number => {
  const z = cut(w)
  const v = r - (z - x)
  const a = -1 / w
  const t = cut(a)
  return t + a * (1 + t * z + t * v)
}

/** Replaces rest[0] by tan(rest[0] + rest[1]), and by -1 / it for an odd number of right angles. */
const tangentOfRest = (isOdd: boolean): void => {
  let x = rest[0]!
  let y = rest[1]!
  const isNegative = x < 0
  const size = Math.abs(x)
  if (size < 2 ** -28) {
    if (isOdd) rest[0] = negativeInverse(x, y, x + y)
    return
  }
  const far = size >= 0.6743354797363281
  if (far) {
    x = PI_4 - size + (PI_4_LOW - (isNegative ? -y : y))
    y = 0
  }
  const z = x * x
  const w = z * z
  const odd = T1 + w * (T3 + w * (T5 + w * (T7 + w * (T9 + w * T11))))
  const even = z * (T2 + w * (T4 + w * (T6 + w * (T8 + w * (T10 + w * T12)))))
  const s = z * x
  const r = y + z * (s * (odd + even) + y) + T0 * s
  const t = x + r
  if (far) {
    const v = isOdd ? -1 : 1
    const value = v - 2 * (x - ((t * t) / (t + v) - r))
    rest[0] = isNegative ? -value : value
    return
  }
  rest[0] = isOdd ? negativeInverse(x, r, t) : t
}

const takeTangent = (): void => {
  const size = Math.abs(rest[0]!)
  rest[1] = 0
  if (size < Infinity) tangentOfRest(size >= QUARTER && (reduce() & 1) === 1)
  else rest[0] = Number.NaN
}

/** NaN for infinite x. */
export const tan = (x: number): number => {
  rest[0] = x
  takeTangent()
  return rest[0]
}
