import { cut } from "./bits.ts"

// After fdlibm's `e_asin.c`, `e_acos.c` and `s_atan.c`; see `numeric/Real`.

/** pi / 2 in two parts. */
const [HALF_PI, HALF_PI_LOW] = [1.570796326794896558, 6.12323399573676603587e-17] as const

/** (asin(x) - x) / x as a function of z = x^2 <= 1/4. */
const ratio = (z: number): number => {
  const p =
    z *
    (1.66666666666666657415e-1 +
      z *
        (-3.25565818622400915405e-1 +
          z *
            (2.01212532134862925881e-1 +
              z *
                (-4.00555345006794114027e-2 +
                  z * (7.91534994289814532176e-4 + z * 3.4793310759602116757e-5)))))
  const q =
    1 +
    z *
      (-2.40339491173441421878 +
        z * (2.02094576023350569471 + z * (-6.8828397160545329303e-1 + z * 7.70381505559019352791e-2)))
  return p / q
}

/** NaN outside [-1, 1]. */
export const asin = (x: number): number => {
  const size = Math.abs(x)
  if (!(size < 1)) return size === 1 ? x * HALF_PI + x * HALF_PI_LOW : Number.NaN
  if (size < 0.5) return size < 2 ** -27 ? x : x + x * ratio(x * x)
  const t = (1 - size) * 0.5
  const r = ratio(t)
  const s = Math.sqrt(t)
  let y: number
  if (size >= 0.9749999046325684) y = HALF_PI - (2 * (s + s * r) - HALF_PI_LOW)
  else {
    const high = cut(s)
    const c = (t - high * high) / (s + high)
    const p = 2 * s * r - (HALF_PI_LOW - 2 * c)
    y = HALF_PI / 2 - (p - (HALF_PI / 2 - 2 * high))
  }
  return x < 0 ? -y : y
}

/** NaN outside [-1, 1]. */
export const acos = (x: number): number => {
  const size = Math.abs(x)
  if (!(size < 1)) return x === 1 ? 0 : x === -1 ? Math.PI : Number.NaN
  if (size < 0.5) return size < 2 ** -57 ? HALF_PI : HALF_PI - (x - (HALF_PI_LOW - x * ratio(x * x)))
  const z = (1 - size) * 0.5
  const s = Math.sqrt(z)
  const r = ratio(z)
  if (x < 0) return Math.PI - 2 * (s + (r * s - HALF_PI_LOW))
  const high = cut(s)
  const c = (z - high * high) / (s + high)
  return 2 * (high + (r * s + c))
}

/** atan of 1/2, 1, 3/2 and of infinity, each in two parts. */
const HIGH = Float64Array.of(
  4.63647609000806093515e-1,
  7.85398163397448278999e-1,
  9.82793723247329054082e-1,
  1.570796326794896558,
)
const LOW = Float64Array.of(
  2.26987774529616870924e-17,
  3.06161699786838301793e-17,
  1.39033110312309984516e-17,
  6.12323399573676603587e-17,
)
const [A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10] = [
  3.33333333333329318027e-1, -1.99999999998764832476e-1, 1.42857142725034663711e-1, -1.1111110405462355788e-1,
  9.09088713343650656196e-2, -7.69187620504482999495e-2, 6.66107313738753120669e-2,
  -5.83357013379057348645e-2, 4.97687799461593236017e-2, -3.6531572744216915527e-2, 1.62858201153657823623e-2,
] as const

/** 1 - atan(x) / x for |x| <= 7/16. */
const lack = (x: number): number => {
  const z = x * x
  const w = z * z
  const even = z * (A0 + w * (A2 + w * (A4 + w * (A6 + w * (A8 + w * A10)))))
  return even + w * (A1 + w * (A3 + w * (A5 + w * (A7 + w * A9))))
}

export const atan = (x: number): number => {
  const size = Math.abs(x)
  if (size < 0.4375) return size < 2 ** -27 ? x : x - x * lack(x)
  if (Number.isNaN(x)) return x
  const k = size < 1.1875 ? (size < 0.6875 ? 0 : 1) : size < 2.4375 ? 2 : 3
  // The tangent of the difference to one of the four angles.
  const t =
    k === 0
      ? (2 * size - 1) / (2 + size)
      : k === 1
        ? (size - 1) / (size + 1)
        : k === 2
          ? (size - 1.5) / (1 + 1.5 * size)
          : -1 / size
  const y = HIGH[k]! - (t * lack(t) - LOW[k]! - t)
  return x < 0 ? -y : y
}
