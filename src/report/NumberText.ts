import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import { infix } from "../expr/text/infix.ts"
import * as Term from "../expr/Term.ts"
import type { FittedNumber } from "../rank/FittedNumbers.ts"
import { pow } from "../numeric/Power.ts"
import * as Real from "../numeric/Real.ts"

/** The least digits of a fitted number in a law. */
const least = 3
/** By how many standard deviations of the rows the rounding of all numbers may move a law, root mean square. */
const moved = 0.05
/** More digits than this are not written with the zeros at their end. */
const legible = 9

/** Significant digits of a number with which its rounding moves the law by no more than its share. */
const digits = ({ value, effect }: FittedNumber, count: number): number => {
  // Rounding to a unit has a root mean square of at most half of it.
  const unit = (2 * moved) / Math.sqrt(count) / effect
  const needed = Math.floor(Real.log10(value)) - Math.floor(Real.log10(unit)) + 1
  return Number.isNaN(needed) ? 17 : Math.min(17, Math.max(least, needed))
}

/**
 * A law with as many digits as its numbers have a meaning: rounding moves fitted values by at most a twentieth of the
 * noise. Numbers that are not fitted are in full.
 */
export const rounded = (term: Term.Term, numbers: ReadonlyArray<FittedNumber>): Term.Term => {
  const short = (value: number): number => {
    const own = numbers.find((one) => FittedLaw.isSame(one.value, value))
    return own === undefined ? value : Number(value.toPrecision(digits(own, numbers.length)))
  }
  return Term.fold<Term.Term>((layer) =>
    layer._tag === "Constant" ? Term.constant(short(layer.value)) : layer,
  )(term)
}

/** `rounded` in infix. */
export const law = (term: Term.Term, numbers: ReadonlyArray<FittedNumber>): string =>
  infix(rounded(term, numbers))

/**
 * A number with its standard error to two digits, and as many digits itself: `238.9 ± 2.7`, `(6.6748 ± 0.0041)e-11`; the number
 * alone where the data do not determine it.
 */
export const withError = ({ value, error }: FittedNumber): string => {
  const exponent = Math.floor(Real.log10(Math.max(value, error < Infinity ? error : 0)))
  if (!(error > 0 && error < Infinity)) return `${Number(value.toPrecision(6))} (not determined)`
  const power = exponent < -4 || exponent > 5 ? exponent : 0
  const scale = pow(10, power)
  const decimals = 1 - Math.floor(Real.log10(error)) + power
  if (decimals + exponent - power >= legible)
    return `${shortened(value, decimals - power)} ± ${shortened(error, decimals - power)}`
  // Digits before the point that are not known are zeros.
  const unit = pow(10, -Math.min(0, decimals))
  const [a, b] = [value / scale, error / scale].map((one) =>
    decimals < 0 ? String(Math.round(one / unit) * unit) : one.toFixed(decimals),
  )
  return power === 0 ? `${a} ± ${b}` : `(${a} ± ${b})e${power}`
}

/** A number with some decimals, no zeros at its end. */
const shortened = (value: number, decimals: number): string => {
  const precision = Math.floor(Real.log10(value)) + 1 + decimals
  return String(Number(value.toPrecision(Math.min(17, Math.max(1, precision))))).replace("e+", "e")
}
