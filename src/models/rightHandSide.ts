import * as Result from "effect/Result"

/**
 * A formula without the target and the sign of equality before it: laws are printed as `y = 2*x`. Blanks stand in their place, so that a mistake further on
 * is told where it is.
 *
 * @returns fails with a sentence where another name stands before the sign
 */
export const rightHandSide = (text: string, target: string): Result.Result<string, string> => {
  const at = text.indexOf("=")
  if (at < 0) return Result.succeed(text)
  const left = text.slice(0, at).trim()
  return left === target
    ? Result.succeed(`${" ".repeat(at + 1)}${text.slice(at + 1)}`)
    : Result.fail(`"${left} =" stands before the formula, and the target is "${target}"; leave it out`)
}
