import { pow } from "../../numeric/Power.ts"

/**
 * The number of a product, over / under: a fraction in lowest terms if both are whole numbers, otherwise a decimal number
 * over 1, or over another if that has fewer digits (1/0.3). NaN where the number would overflow, or would be 0 though no
 * factor is.
 */
export interface Coefficient {
  readonly over: number
  /** > 0 */
  readonly under: number
}

/** Larger whole numbers are decimal numbers: products of two of these are exact. */
const largestWhole = 1e7

const isWhole = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= largestWhole

/** The greatest common divisor of two whole numbers >= 0. */
export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

const digits = (value: number): number => String(Math.abs(value)).length

/** A number without the rounding error of an operation: 0.3 for 0.30000000000000004. */
const rounded = (value: number): number => {
  const short = Number(value.toPrecision(15))
  return Math.abs(short - value) <= 2 ** -52 * Math.abs(value) && digits(short) + 2 < digits(value)
    ? short
    : value
}

/** over / under; NaN for under = 0. */
export const make = (over: number, under = 1): Coefficient => {
  if (under < 0) return make(-over, -under)
  if (under === 0) return { over: NaN, under: 1 }
  if (over === 0) return { over: 0, under: 1 }
  if (isWhole(over) && isWhole(under)) {
    const common = gcd(Math.abs(over), under)
    return { over: over / common, under: under / common }
  }
  const value = rounded(over / under)
  // Numbers below 2.3e-308 have fewer digits than others.
  if (!(Math.abs(value) > 2.3e-308 && Math.abs(value) < Infinity)) return { over: NaN, under: 1 }
  const [a, b] = [rounded(over), rounded(under)]
  return digits(value) > digits(a) + digits(b) + 1 ? { over: a, under: b } : { over: value, under: 1 }
}

export const one = make(1)

export const value = ({ over, under }: Coefficient): number => over / under

/** Whether it is a fraction of whole numbers. */
export const isExact = ({ over, under }: Coefficient): boolean => isWhole(over) && isWhole(under)

export const multiply = (a: Coefficient, b: Coefficient): Coefficient => {
  if (a.over === 0 || b.over === 0) return make(0)
  return nonzero(a.over * b.over, a.under * b.under)
}

/** A quotient of numbers that are not 0, unless they are too small. */
const nonzero = (over: number, under: number): Coefficient => make(over === 0 ? NaN : over, under)

export const negate = ({ over, under }: Coefficient): Coefficient => ({ over: -over, under })

export const absolute = ({ over, under }: Coefficient): Coefficient => ({ over: Math.abs(over), under })

/** 1 / a; NaN of 0. */
export const invert = ({ over, under }: Coefficient): Coefficient => make(under, over)

/** A sum below this fraction of its terms is their rounding error, and counts as 0. */
const cancelled = 1e-14

export const add = (a: Coefficient, b: Coefficient): Coefficient => {
  if (isExact(a) && isExact(b)) return make(a.over * b.under + b.over * a.under, a.under * b.under)
  const sum = value(a) + value(b)
  return make(Math.abs(sum) <= cancelled * Math.abs(value(a)) ? 0 : sum)
}

/** a^n, n a whole number */
export const power = (a: Coefficient, n: number): Coefficient => {
  if (n < 0) return power(invert(a), -n)
  return a.over === 0 ? a : nonzero(pow(a.over, n), pow(a.under, n))
}

export const equals = (a: Coefficient, b: Coefficient): boolean => a.over === b.over && a.under === b.under
