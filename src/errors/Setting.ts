import * as Schema from "effect/Schema"

/** A number that was declared and is not allowed; the message names the number and the allowed range. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  message: Schema.String,
}) {}

const check = (what: string, value: number, expected: string, fits: boolean): number => {
  if (!fits) throw new SettingError({ message: `${what} must be ${expected}, but is ${value}` })
  return value
}

/**
 * A whole number.
 *
 * @throws SettingError for other numbers
 */
export const whole = (what: string, value: number, least: number, most = Infinity): number =>
  check(
    what,
    value,
    most === Infinity ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`,
    Number.isSafeInteger(value) && value >= least && value <= most,
  )

/**
 * A whole number, or infinity for all there is.
 *
 * @throws SettingError for other numbers
 */
export const wholeOrAll = (what: string, value: number, least: number): number =>
  value === Infinity ? value : whole(what, value, least)

/**
 * A finite number.
 *
 * @throws SettingError for other numbers
 */
export const finite = (what: string, value: number): number =>
  check(what, value, "finite", Number.isFinite(value))

/**
 * A number greater than 0, infinity among them.
 *
 * @throws SettingError for other numbers
 */
export const positive = (what: string, value: number): number =>
  check(what, value, "greater than 0", value > 0)

/**
 * A share, in [0, 1).
 *
 * @throws SettingError for other numbers
 */
export const share = (what: string, value: number): number =>
  check(what, value, "at least 0 and less than 1", value >= 0 && value < 1)

/**
 * A probability that is neither 0 nor 1.
 *
 * @throws SettingError for other numbers
 */
export const probability = (what: string, value: number): number =>
  check(what, value, "greater than 0 and less than 1", value > 0 && value < 1)
