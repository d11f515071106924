/** Whole numbers of sixteen digits and more, which float64 may not hold. */
const long = /^[+-]?\d{16,}$/

/**
 * Whether a decimal text is a whole number that float64 rounds to another one: 9007199254740993 is. The shortest text of
 * a number of float64, such as 123456789012345680000, is that number.
 */
export const isRounded = (text: string): boolean => {
  if (!long.test(text)) return false
  const value = Number(text)
  const digits = text.replace("+", "")
  return Number.isFinite(value) && BigInt(value) !== BigInt(digits) && String(value) !== digits
}
