import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import type { Operator } from "../expr/Operator.ts"
import type { Shape } from "../expr/Shape.ts"
import * as Term from "../expr/Term.ts"
import { meant } from "../internal/nearest.ts"
import type { Template } from "../prob/Template.ts"
import * as TemplateText from "../prob/TemplateText.ts"
import * as ByOutput from "./ByOutput.ts"
import { Complaint } from "./Complaint.ts"
import { text } from "./Flags.ts"

/** The flags about laws of known form. */
export const parameters = {
  template: text(
    "template",
    "FORM",
    "The form of the law, such as 'f(t)*exp(-g(x))', with functions of unknown form before brackets; D(f)(t) is the derivative of f. Several outputs: given several times, as 'height = f(t)' and 'speed = D(f)(t)' (default none)",
  ).pipe(Flag.atLeast(0)),
  shape: text(
    "shape",
    "HOLE: SHAPES",
    "With --template: properties of a function, such as 'f: increasing, positive' or 'f: even in t, limit 0 at infinity in x'; the words are positive, increasing, decreasing, monotone, even, odd, periodic and limit; may be given several times (default none)",
  ).pipe(Flag.atLeast(0)),
} as const

/** A template as the command line has it. */
export interface Form {
  /** as they were written */
  readonly texts: ReadonlyArray<string>
  readonly template: Template
  readonly shapes: Readonly<Record<string, ReadonlyArray<Shape>>>
  /** the columns of standard errors and of weights, by the outputs */
  readonly error: Readonly<Record<string, string>> | undefined
  readonly weights: Readonly<Record<string, string>> | undefined
}

const complain = (message: string): Effect.Effect<never, Complaint> => Effect.fail(new Complaint({ message }))

/**
 * The template of the flags; undefined where there is none.
 *
 * @param operators of the user's own
 * @errors Complaint about a text that is no template or no shape, and about a target that is not the template's
 */
export const of = (
  input: {
    readonly template: ReadonlyArray<string>
    readonly shape: ReadonlyArray<string>
    readonly target: string | undefined
    readonly error: string | undefined
    readonly weights: string | undefined
  },
  operators: ReadonlyArray<Operator>,
): Effect.Effect<Form | undefined, Complaint> =>
  Effect.gen(function* () {
    const { template: texts, shape, target } = input
    if (texts.length === 0)
      return shape.length === 0
        ? undefined
        : yield* complain("--shape is for the functions of a template; add --template, or leave --shape out")
    const own = target === undefined ? undefined : Csv.heading(target).name
    if (own === undefined && texts.length === 1 && !texts[0]!.includes("="))
      return yield* complain(
        "name the column to explain with --target, or in the template, as in --template 'y = f(x)'",
      )
    const template = yield* Effect.mapError(
      Effect.fromResult(TemplateText.parse(texts, { target: own, operators })),
      ({ message }) => new Complaint({ message: `--template ${message}` }),
    )
    const outputs = template.outputs.map(({ name }) => name)
    if (own !== undefined && !outputs.includes(own))
      return yield* complain(
        `--target ${Csv.quote(own)} is none of the columns that the template explains: ${Csv.list(outputs)}; leave --target out`,
      )
    const shapes = yield* Effect.mapError(
      Effect.fromResult(TemplateText.shapes(shape, template)),
      ({ message }) => new Complaint({ message: `--shape ${message}` }),
    )
    const error = yield* ByOutput.read("--error", input.error, outputs)
    const weights = yield* ByOutput.read("--weights", input.weights, outputs)
    return { texts, template, shapes, error, weights }
  })

/** The columns that a template explains, the target first. */
export const outputs = ({ template }: Form): ReadonlyArray<string> => template.outputs.map(({ name }) => name)

/** The columns that are read beside the target and those of the holes. */
export const besides = ({ error = {}, weights = {}, ...form }: Form): ReadonlyArray<string> => [
  ...new Set([
    ...outputs({ ...form, error, weights }).slice(1),
    ...Object.values(error),
    ...Object.values(weights),
  ]),
]

/** The roles of the columns beside the target and those of the holes. */
export const rolesOf = (form: Form): ReadonlyArray<readonly [string, "target" | "error" | "weights"]> => [
  ...outputs(form).map((name) => [name, "target"] as const),
  ...Object.values(form.error ?? {}).map((name) => [name, "error"] as const),
  ...Object.values(form.weights ?? {}).map((name) => [name, "weights"] as const),
]

/**
 * Looks whether the columns of a template are there.
 *
 * @param columns those of the table
 * @errors Complaint about the first that is not, which names its place in the template
 */
export const check = (
  { texts, template }: Form,
  columns: ReadonlyArray<string>,
): Effect.Effect<void, Complaint> => {
  const unknown = [...template.outputs.map(({ name }) => name), ...template.columns].find(
    (name) => !columns.includes(name),
  )
  if (unknown === undefined) return Effect.void
  const place = TemplateText.placeOf(texts, unknown)
  const at = place === undefined ? "" : ` ${Csv.quote(place.text)}`
  const column = place === undefined ? "" : ` at column ${place.column}`
  const isNumber =
    template.columns.includes(unknown) &&
    template.outputs.some(({ form }) => Term.variables(form).includes(unknown))
  return complain(
    `--template${at}: there is no column ${Csv.quote(unknown)}${column}${meant(unknown, columns, Csv)}${isNumber ? " (numbers are fitted inside of holes alone)" : ""}; the columns are: ${Csv.list(columns)}`,
  )
}
