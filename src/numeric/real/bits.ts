// The bits of numbers, for the functions of `numeric/Real`. Only functions are exported: engines read values of other modules anew at each use.

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
/** The indices of the half with sign and exponent and of the other one: 1 and 0 on little-endian machines. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0
const LOW = 1 - HIGH

/** The half with sign and exponent, as a signed whole number. */
export const highOf = (x: number): number => {
  double[0] = x
  return halves[HIGH]!
}

/** A number without its lower half. */
export const cut = (x: number): number => {
  double[0] = x
  halves[LOW] = 0
  return double[0]
}

/**
 * POWERS[k + 1074] = 2^k for -1074 <= k <= 1023, by exact doubling. A table, because assembling a double from two 32-bit halves in memory
 * stalls the processor (three times slower).
 */
const POWERS = new Float64Array(2098)
for (let i = 0, power = Number.MIN_VALUE; i < POWERS.length; i++, power *= 2) POWERS[i] = power

/** 2^k for whole k from -1074 to 1023. */
export const powerOfTwo = (k: number): number => POWERS[k + 1074]!

/** x / 2^k, for whole k from -1023 to 1074: not by the negative of k, which would be no whole number of the machine for 0. */
export const divided = (x: number, k: number): number => x * POWERS[1074 - k]!
