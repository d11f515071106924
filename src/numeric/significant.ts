import * as Real from "./Real.ts"

/** A value rounded in decimal notation: digits below a thousandth of its standard deviation are dropped. */
export const significant = (value: number, deviation: number): number => {
  const digits = Math.ceil(Real.log10(Math.abs(value) / deviation)) + 4
  return Number.isFinite(digits) ? Number(value.toPrecision(Math.min(17, Math.max(1, digits)))) : value
}
