import { divided, highOf, powerOfTwo } from "./bits.ts"

// Remainders of pi / 2, after fdlibm's `e_rem_pio2.c` and `k_rem_pio2.c`; see `numeric/Real`.

/** What {@link reduce} takes and leaves: a remainder in two parts. An array, because a number between functions may be a box on the heap. */
export const rest = new Float64Array(2)

/** 2 / pi, and pi / 2 in parts of 33 bits, each with the remainder after it. */
const INVERSE = 6.36619772367581382433e-1
const [PART_1, LEFT_1] = [1.57079632673412561417, 6.07710050650619224932e-11] as const
const [PART_2, LEFT_2] = [6.0771005063039659766e-11, 2.02226624879595063154e-21] as const
const [PART_3, LEFT_3] = [2.0222662487111664558e-21, 8.47842766036889956997e-32] as const

/** The upper halves of k pi / 2 for k = 1 to 32. */
const NEAR = Int32Array.from({ length: 32 }, (_, k) => highOf(((k + 1) * Math.PI) / 2))

/** From here on, products of 33 bits with the quotient are not exact. */
const FAR = 1647100

const exponentOf = (x: number): number => (highOf(x) >> 20) & 0x7ff

/** Replaces x = rest[0] by x - n pi / 2 in two parts, in [-pi/4, pi/4]; returns n modulo 4, for finite x. */
export const reduce = (): number => {
  const x = rest[0]!
  const size = Math.abs(x)
  if (size >= FAR) return ofLarge()
  // The multiples next to 0 are found by comparison.
  return size < 2.3561935424804688 ? nearFirst() : ofMiddling()
}

/** {@link reduce} between 3 pi / 4 and 2^20 pi / 2. */
const ofMiddling = (): number => {
  const x = rest[0]!
  const size = Math.abs(x)
  const n = (size * INVERSE + 0.5) | 0
  let r = size - n * PART_1
  let w = n * LEFT_1
  let y = r - w
  const high = highOf(size)
  if (n >= 32 || high === NEAR[n - 1]) {
    const exponent = high >> 20
    if (exponent - exponentOf(y) > 16) {
      const before = r
      w = n * PART_2
      r = before - w
      w = n * LEFT_2 - (before - r - w)
      y = r - w
      if (exponent - exponentOf(y) > 49) {
        const second = r
        w = n * PART_3
        r = second - w
        w = n * LEFT_3 - (second - r - w)
        y = r - w
      }
    }
  }
  const sign = x < 0 ? -1 : 1
  rest[0] = sign * y
  rest[1] = sign * (r - y - w)
  return (sign * n) & 3
}

/** {@link reduce} by one right angle, for x between pi / 4 and 3 pi / 4 in size. */
const nearFirst = (): number => {
  const x = rest[0]!
  const size = Math.abs(x)
  let z = size - PART_1
  let left: number = LEFT_1
  // The upper half is that of pi / 2: more digits are asked for.
  if (size >= 1.570796012878418 && size < 1.5707969665527344) {
    z -= PART_2
    left = LEFT_2
  }
  const y = z - left
  if (x < 0) {
    rest[0] = -y
    rest[1] = left - (z - y)
    return 3
  }
  rest[0] = y
  rest[1] = z - y - left
  return 1
}

const TWO_24 = 2 ** 24

/** The first 1,584 bits of 2 / pi after the point, in numbers of 24 bits. */
const TWO_OVER_PI = Float64Array.from(
  (
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1deb1cb129" +
    "a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf" +
    "27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d08560330" +
    "46fc7b6babf0cfbc209af4361da9e391615ee61b086599855f14a068408dffd8804d73273106061556ca73a8c960e27bc08c6b"
  ).match(/.{6}/gu)!,
  (digits) => Number.parseInt(digits, 16),
)
/** pi / 2 in parts of 24 bits. */
const HALF_PI = Float64Array.of(
  1.57079625129699707031,
  7.54978941586159635335e-8,
  5.39030252995776476554e-15,
  3.28200341580791294123e-22,
  1.27065575308067607349e-29,
)
/** Products after the first one that are computed at first. */
const TERMS = 4

/** {@link reduce} for large x, by the digits of 2 / pi that matter (Payne and Hanek 1983). */
const ofLarge = (): number => {
  const x = rest[0]!
  const size = Math.abs(x)
  // size = 2^e (digits[0] + digits[1] / 2^24 + digits[2] / 2^48), with whole digits below 2^24.
  const e = exponentOf(size) - 1046
  const digits: Array<number> = []
  for (let z = divided(size, e); digits.length < 3; z = (z - digits.at(-1)!) * TWO_24)
    digits.push(Math.floor(z))
  const first = Math.max(0, Math.trunc((e - 3) / 24))
  const exponent = e - 24 * (first + 1)
  const product = (i: number): number => {
    let sum = 0
    for (let j = 0; j < 3; j++) sum += digits[j]! * (TWO_OVER_PI[first + i - j] ?? 0)
    return sum
  }
  const products = Array.from({ length: TERMS + 1 }, (_, i) => product(i))
  let quotient = quotientOf(products, exponent)
  while (quotient.fraction === 0 && quotient.whole.slice(TERMS).every((digit) => digit === 0)) {
    // As many more as there are digits without a meaning.
    let more = 1
    while (more < TERMS && quotient.whole[TERMS - more] === 0) more++
    for (; more > 0; more--) products.push(product(products.length))
    quotient = quotientOf(products, exponent)
  }
  multiply(quotient, exponent)
  const sign = quotient.isAbove !== x < 0 ? -1 : 1
  rest[0]! *= sign
  rest[1]! *= sign
  return (x < 0 ? -quotient.n : quotient.n) & 3
}

interface Quotient {
  /** The whole part modulo 8, rounded to the nearest. */
  readonly n: number
  /** Whether the quotient is below n, so that the remainder is negative. */
  readonly isAbove: boolean
  /** The distance from n, as whole numbers of 24 bits, the largest last, and the part above these numbers. */
  readonly whole: Array<number>
  readonly fraction: number
}

/** 2^exponent times the sum of `products[i]` / 2^(24 i), less a whole number. */
const quotientOf = (products: ReadonlyArray<number>, exponent: number): Quotient => {
  const whole: Array<number> = []
  let z = products.at(-1)!
  for (let i = products.length - 2; i >= 0; i--) {
    const carried = Math.trunc(z / TWO_24)
    whole.push(z - TWO_24 * carried)
    z = products[i]! + carried
  }
  z *= powerOfTwo(exponent)
  z -= 8 * Math.floor(z * 0.125)
  let n = Math.trunc(z)
  z -= n
  const last = whole.length - 1
  let isAbove = z >= 0.5
  if (exponent >= 0) {
    // Some of the highest digit's bits are above the point.
    const unit = 2 ** (24 - exponent)
    const above = Math.trunc(whole[last]! / unit)
    n += above
    whole[last]! -= above * unit
    isAbove = whole[last]! >= unit / 2
  }
  if (!isAbove) return { n, isAbove, whole, fraction: z }
  // 1 less the fraction: the lowest digit that is not 0 from 2^24, those above it from 2^24 - 1.
  const lowest = whole.findIndex((digit) => digit !== 0)
  const rest = whole.map((digit, i) =>
    lowest < 0 || i < lowest ? digit : (i === lowest ? TWO_24 : TWO_24 - 1) - digit,
  )
  if (exponent > 0) rest[last]! %= 2 ** (24 - exponent)
  const fraction = exponent < 0 ? 1 - z - (lowest < 0 ? 0 : powerOfTwo(exponent)) : z
  return { n: n + 1, isAbove, whole: rest, fraction }
}

/** pi / 2 times a distance from a whole number, in two parts in `rest`. */
const multiply = ({ whole, fraction }: Quotient, exponent: number): void => {
  const digits = [...whole]
  let unit = exponent
  if (fraction === 0) {
    unit -= 24
    for (; digits.at(-1) === 0; unit -= 24) digits.pop()
  } else {
    const z = divided(fraction, exponent)
    const above = Math.trunc(z / TWO_24)
    if (above > 0) {
      digits.push(z - above * TWO_24, above)
      unit += 24
    } else digits.push(z)
  }
  // The largest first.
  const values = digits.toReversed().map((digit, i) => digit * powerOfTwo(unit) * 2 ** (-24 * i))
  const sums = values.map((_, at) => {
    let sum = 0
    for (let k = 0; k < HALF_PI.length && k <= at; k++) sum += HALF_PI[k]! * values[at - k]!
    return sum
  })
  let high = 0
  for (let i = sums.length - 1; i >= 0; i--) high += sums[i]!
  let low = sums[0]! - high
  for (let i = 1; i < sums.length; i++) low += sums[i]!
  rest[0] = high
  rest[1] = low
}
