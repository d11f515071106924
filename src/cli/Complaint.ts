import * as Cause from "effect/Cause"
import type * as CliError from "effect/cli/CliError"
import * as Schema from "effect/Schema"
import * as redacted from "../internal/redacted.ts"

/** Something that the user can put right, in one line without the `vasst: ` in front. */
export class Complaint extends Schema.TaggedError<Complaint>()("Complaint", { message: Schema.String }) {}

/** A text on one line: messages of libraries may have several. */
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, " ").trim()

/** The line that a complaint is printed as: what the user gave may stand in it, and so a password. */
export const render = (message: string): string => `vasst: ${oneLine(redacted.text(message))}\n`

/** The messages of V8 where there is not as much memory, or no array is as long. */
const memory =
  /^(Invalid (typed )?array (buffer )?length|Array buffer allocation failed|Invalid string length)/

/** The line for a defect, or all that is known of it. */
export const renderDefect = (cause: Cause.Cause<unknown>, debug: boolean): string => {
  if (debug) return `${redacted.text(Cause.pretty(cause))}\n`
  const defect = Cause.squash(cause)
  if (defect instanceof RangeError && memory.test(defect.message))
    return render(
      "this needs more memory than there is; ask for fewer rows, columns, trees or draws, or less depth",
    )
  const message = defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect)
  return render(`internal error: ${message} (set VASST_DEBUG=1 for the trace, and please report it)`)
}

/** The parser lists choices in quotation marks, of a flag that is on or off behind a word of its own. */
const choices = (expected: string): string => {
  const list = expected.replace(/^Expected (?=")/, "")
  return list.startsWith('"') ? `one of ${list.replaceAll('"', "").replaceAll(" | ", ", ")}` : expected
}

/** A mistake in a command line. */
export const ofCli = (error: CliError.CliError, commandPath: ReadonlyArray<string>): string => {
  const help = `see ${commandPath.join(" ")} --help`
  const meant = (suggestions: ReadonlyArray<string>): string =>
    suggestions[0] === undefined ? "" : `; did you mean ${suggestions[0]}?`
  switch (error._tag) {
    case "UnrecognizedOption":
      return `there is no flag ${error.option}${meant(error.suggestions) || `; ${help}`}`
    case "MissingOption":
      return `the flag --${error.option} is missing; ${help}`
    case "MissingArgument":
      return `the argument ${error.argument} is missing; ${help}`
    case "UnexpectedArgument":
      return `unexpected argument ${error.arguments.map((text) => JSON.stringify(text)).join(" ")}; ${help}`
    case "InvalidValue":
      if (error.value === "") return `the flag --${error.option} needs a value; ${help}`
      // The two texts that the parser makes itself.
      if (error.expected === "at most 1 value") return `the flag --${error.option} is given more than once`
      return `--${error.option} must be ${choices(error.expected)}, not ${JSON.stringify(error.value)}`
    case "UnknownSubcommand":
      return `there is no command ${JSON.stringify(error.subcommand)}${meant(error.suggestions) || `; ${help}`}`
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
    case "ShowHelp":
      return error.message
  }
}
