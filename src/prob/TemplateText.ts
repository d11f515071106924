import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Operator } from "../expr/Operator.ts"
import type { Shape } from "../expr/Shape.ts"
import * as Term from "../expr/Term.ts"
import { functions } from "../expr/text/functions.ts"
import { type FunctionUse, parse as parseTerm } from "../expr/text/parse.ts"
import { tokens } from "../expr/text/lexer.ts"
import * as ShapeText from "../expr/text/shape.ts"
import { meant, nearest } from "../internal/nearest.ts"
import * as Template from "./Template.ts"

/** A text that is no template, or no shape of one. `message` shows the text, names the place, and says what to do. */
export class TemplateTextError extends Schema.TaggedError<TemplateTextError>()("TemplateTextError", {
  message: Schema.String,
}) {}

const quote = (text: string): string => JSON.stringify(text)

const fail = (text: string, message: string): Result.Result<never, TemplateTextError> =>
  Result.fail(new TemplateTextError({ message: `${quote(text)}: ${message}` }))

/** A use of a hole as it is written. */
interface Written extends FunctionUse {
  readonly variable: string
}

export interface Options {
  /** the column that a template without a name explains; `y` if left out */
  readonly target?: string | undefined
  /** operators that forms may have by their names; names before a bracket that are none of them, and no functions, are holes */
  readonly operators?: ReadonlyArray<Operator> | undefined
}

/** `name = form`, or the form alone, and where in the text the form begins. */
const parts = (
  text: string,
): { readonly name: string | undefined; readonly form: string; readonly from: number } => {
  const at = text.indexOf("=")
  if (at < 0) return { name: undefined, form: text, from: 0 }
  return {
    name: text
      .slice(0, at)
      .trim()
      .replace(/^`(.*)`$/s, "$1"),
    form: text.slice(at + 1),
    from: at + 1,
  }
}

/**
 * Reads a template: `f(t)*exp(-g(x))`, or a text for each output with its name, `height = f(t)` and `speed = D(f)(t)`. Names before a bracket that
 * are no functions are holes; what stands in the bracket says their columns. A hole may be used again, at other arguments too. `D(f)(t)` is its
 * derivative by the first argument, `D(f, 2)(t, x)` by the second, `D(D(f))(t)` the second derivative.
 *
 * *When to use*: for templates as data, such as those of a command line; `Template.make` in programs, where names are checked by the compiler.
 *
 * Fails with a `TemplateTextError` that names the place.
 *
 * @example
 * TemplateText.parse(["height = f(t)", "speed = D(f)(t)"])
 */
export const parse = (
  texts: ReadonlyArray<string>,
  { target = "y", operators = [] }: Options = {},
): Result.Result<Template.Template, TemplateTextError> => {
  const uses: Array<Written> = []
  const outputs: Array<Template.Output> = []
  const known = [...functions.keys(), ...operators.map(({ name }) => name)]
  const used = (use: FunctionUse): Result.Result<Term.Term, string> => {
    const { name, by, of } = use
    const like = nearest(name, known)
    if (like !== undefined)
      return Result.fail(
        `a function or a hole (${name} is not a function; did you mean ${like}? A hole needs a name that is less like it)`,
      )
    const before = uses.find((one) => one.name === name)?.of.length ?? of.length
    if (before !== of.length)
      return Result.fail(
        `${name} with ${counted(before)}, as before, and not with ${of.length} (give two functions two names)`,
      )
    const beyond = by.find((place) => place > of.length)
    if (beyond !== undefined)
      return Result.fail(
        `a derivative of ${name} by one of its ${counted(of.length)}, and not by number ${beyond}`,
      )
    const inner = uses.find(({ variable }) => of.some((term) => Term.variables(term).includes(variable)))
    if (inner !== undefined)
      return Result.fail(`columns in the arguments of ${name}, and not the hole ${inner.name}`)
    const variable = Template.variableOf(uses.length, name)
    uses.push({ ...use, variable })
    return Result.succeed(Term.variable(variable))
  }
  for (const text of texts) {
    const { name = target, form, from } = parts(text)
    if (name === "") return fail(text, "expected the name of a column before the sign =")
    if (texts.length > 1 && parts(text).name === undefined)
      return fail(text, `several templates have names, such as ${quote(`height = ${form.trim()}`)}`)
    if (outputs.some((one) => one.name === name))
      return fail(text, `there is a template of the column ${quote(name)} already`)
    const count = uses.length
    const read = parseTerm(form, { operators, uses: used })
    if (Result.isFailure(read))
      return fail(text, `expected ${read.failure.expected} at column ${from + read.failure.position + 1}`)
    if (uses.length === count)
      return fail(
        text,
        "there is no hole; write a function of unknown form, such as f(x), where the form is not known",
      )
    outputs.push({ name, form: read.success })
  }
  return declared(texts, uses, outputs)
}

/** The first place of a name in the texts of a template: the text, and the column in it, from 1. */
export const placeOf = (
  texts: ReadonlyArray<string>,
  name: string,
): { readonly text: string; readonly column: number } | undefined => {
  for (const text of texts) {
    const { form, from, name: output } = parts(text)
    if (output === name) return { text, column: 1 + text.indexOf(name) }
    const word = tokens(form).find((one) => one.text === name)
    if (word !== undefined) return { text, column: from + word.position + 1 }
  }
  return undefined
}

const counted = (count: number): string => `${count} ${count === 1 ? "argument" : "arguments"}`

/** Names of arguments that are no columns. */
const letters = ["r", "s", "u", "v", "w", "z"]

const declared = (
  texts: ReadonlyArray<string>,
  uses: ReadonlyArray<Written>,
  outputs: ReadonlyArray<Template.Output>,
): Result.Result<Template.Template, TemplateTextError> => {
  const variables = new Set(uses.map(({ variable }) => variable))
  const columns = [
    ...new Set([
      ...uses.flatMap(({ of }) => of.flatMap((term) => Term.variables(term))),
      ...outputs.flatMap(({ form }) => Term.variables(form)),
    ]),
  ].filter((name) => !variables.has(name))
  const explained = outputs.findIndex(({ name }) => columns.includes(name))
  if (explained >= 0)
    return fail(
      texts[explained]!,
      `the column ${quote(outputs[explained]!.name)} is explained, and cannot stand in a form; name another column`,
    )
  const holes: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of uses)
    holes[name] ??= argumentsOf(
      uses.filter((one) => one.name === name),
      columns,
    )
  for (const [name, args] of Object.entries(holes))
    if (!uses.some((one) => one.name === name && one.of.some((term) => Term.variables(term).length > 0)))
      return fail(texts[0]!, `the hole ${name} has no column in its ${counted(args.length)}`)
  return Result.succeed(
    Template.checked({
      columns,
      holes,
      outputs,
      uses: uses.map(({ name, by, of, variable }) => ({
        hole: name,
        by: by.map((place) => holes[name]![place - 1]!),
        of: Object.fromEntries(holes[name]!.map((argument, k) => [argument, of[k]!])),
        variable,
      })),
    }),
  )
}

/** The names of a hole's arguments: a column that stands there at all uses, or a letter. */
const argumentsOf = (uses: ReadonlyArray<Written>, columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [k, first] of uses[0]!.of.entries()) {
    const column =
      first._tag === "Variable" &&
      !found.includes(first.name) &&
      uses.every(({ of }) => of[k]?._tag === "Variable" && of[k].name === first.name)
        ? first.name
        : undefined
    const free = letters.find((letter) => !columns.includes(letter) && !found.includes(letter))
    found.push(column ?? free ?? `argument${k + 1}`)
  }
  return found
}

/**
 * Reads shapes of holes: `f: increasing, positive`, a text for each hole; of a hole with several arguments with the argument,
 * `f: increasing in t` (`expr/text/shape`).
 *
 * Fails with a `TemplateTextError`.
 */
export const shapes = (
  texts: ReadonlyArray<string>,
  { holes }: Pick<Template.Template, "holes">,
): Result.Result<Readonly<Record<string, ReadonlyArray<Shape>>>, TemplateTextError> => {
  const found: Record<string, ReadonlyArray<Shape>> = {}
  const names = Object.keys(holes)
  for (const text of texts) {
    const at = text.indexOf(":")
    const name = text.slice(0, Math.max(0, at)).trim()
    const args = Object.hasOwn(holes, name) ? holes[name] : undefined
    if (at < 0 || name === "")
      return fail(text, `expected a hole and its shapes, such as ${quote(`${names[0]}: positive`)}`)
    if (args === undefined)
      return fail(
        text,
        `there is no hole ${quote(name)}${meant(name, names, { otherwise: ";" })} the holes are: ${names.join(", ")}`,
      )
    const read = Result.all(
      text
        .slice(at + 1)
        .split(",")
        .map((part) => ShapeText.parse(part, args)),
    )
    if (Result.isFailure(read)) return fail(text, read.failure)
    found[name] = [...(found[name] ?? []), ...read.success]
  }
  return Result.succeed(found)
}
