import * as Result from "effect/Result"
import { meant } from "../../internal/nearest.ts"
import * as Shape from "../Shape.ts"

/** The shapes of one argument, by their words. */
const ofArgument = {
  increasing: Shape.increasing,
  decreasing: Shape.decreasing,
  monotone: Shape.monotone,
  even: Shape.even,
  odd: Shape.odd,
} as const

const words = ["positive", ...Object.keys(ofArgument), "periodic", "limit"]

const isOne = (word: string): word is keyof typeof ofArgument => Object.hasOwn(ofArgument, word)

/** A shape as a text, which `parse` reads: `increasing in t`, `limit 0 at infinity in t`. */
export const write = (shape: Shape.Shape): string => {
  switch (shape._tag) {
    case "Positive":
      return "positive"
    case "Periodic":
      return `periodic ${shape.period} in ${shape.of}`
    case "Limit":
      return `limit ${shape.value} at ${shape.at === 0 ? "0" : "infinity"} in ${shape.of}`
    default:
      return `${shape._tag.toLowerCase()} in ${shape.of}`
  }
}

/** A number as people write it; NaN for any other text. */
const numberOf = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN

/**
 * Reads a shape: `positive`, `increasing`, `decreasing`, `monotone`, `even`, `odd`, `periodic NUMBER`, `limit NUMBER at 0` or `limit NUMBER at
 * infinity`, of the only argument, or with `in ARGUMENT`.
 *
 * Fails with a sentence that says what is wrong.
 *
 * @param args the arguments of the function
 */
export const parse = (text: string, args: ReadonlyArray<string>): Result.Result<Shape.Shape, string> => {
  const [, head = "", given] = /^(.*?)(?:\s+in\s+(.+))?$/s.exec(text.trim()) ?? []
  const [word = "", ...rest] = head.trim().split(/\s+/)
  if (!words.includes(word))
    return Result.fail(
      `there is no shape "${word}"${meant(word, words, { otherwise: ";" })} the shapes are: ${words.join(", ")}`,
    )
  if (word === "positive")
    return rest.length === 0 && given === undefined
      ? Result.succeed(Shape.positive)
      : Result.fail("positive is about all arguments; write it alone")
  const [only] = args
  const of = given?.trim() ?? (args.length === 1 ? only : undefined)
  if (of === undefined)
    return Result.fail(
      `say of which argument: ${head.trim()} in ${only ?? "x"}; the arguments are: ${args.join(", ")}`,
    )
  if (!args.includes(of))
    return Result.fail(`it has no argument "${of}"; the arguments are: ${args.join(", ")}`)
  if (isOne(word))
    return rest.length === 0
      ? Result.succeed(ofArgument[word](of))
      : Result.fail(`write ${word} alone, or ${word} in ${of}`)
  const [first = "", at, end] = rest
  const value = numberOf(first)
  if (word === "periodic")
    return rest.length === 1 && value > 0
      ? Result.succeed(Shape.periodic(of, value))
      : Result.fail("write periodic with its period, a number above 0, such as periodic 2")
  const place = end === "0" ? 0 : end === "infinity" ? Infinity : undefined
  return rest.length === 3 && at === "at" && Number.isFinite(value) && place !== undefined
    ? Result.succeed(Shape.limit(of, place, value))
    : Result.fail("write limit with its value and place, such as limit 0 at infinity, or limit 1 at 0")
}
