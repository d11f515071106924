import * as Term from "../expr/Term.ts"
import { SettingError } from "../errors/Setting.ts"

/** The holes of a template by name: the arguments of each, and the columns of which each argument may be made. */
export type Holes = Readonly<
  Record<string, ReadonlyArray<string> | Readonly<Record<string, ReadonlyArray<string>>>>
>

/** The columns that an argument of a hole may have; an argument of a list is the column of its name. */
type ColumnsOf<H> =
  H extends ReadonlyArray<infer C extends string>
    ? Readonly<Record<C, C>>
    : { readonly [A in keyof H]: H[A] extends ReadonlyArray<infer C extends string> ? C : never }

type AllColumns<H extends Holes> = {
  [N in keyof H]: ColumnsOf<H[N]> extends infer C ? C[keyof C] : never
}[keyof H] &
  string

type Arguments<H> = keyof ColumnsOf<H> & string

/** A function of unknown form: applied to a term for each of its arguments. */
export type Hole<H> = (of: {
  readonly [A in keyof ColumnsOf<H>]: Term.Term<ColumnsOf<H>[A] & string>
}) => Term.Term<ColumnsOf<H>[keyof ColumnsOf<H>] & string>

/** What the form of a law is written with. */
export interface Parts<H extends Holes> {
  readonly holes: { readonly [N in keyof H]: Hole<H[N]> }
  readonly columns: { readonly [C in AllColumns<H>]: Term.Term<C> }
  /** The derivative of a hole by one of its arguments, as a function of the same arguments. */
  readonly D: <N extends keyof H>(hole: N, by: Arguments<H[N]>) => Hole<H[N]>
}

export interface Use {
  readonly hole: string
  /** the arguments that it is derived by, in order; empty for the hole itself */
  readonly by: ReadonlyArray<string>
  /** the term for each of its arguments */
  readonly of: Readonly<Record<string, Term.Term>>
  /** the variable that stands for the use in the form */
  readonly variable: string
}

/**
 * The form of a law with holes: functions of unknown form, each of its own columns (a template of Cranmer 2023's kind).
 *
 * @typeParam C the columns that it reads
 * @typeParam N the names of its holes
 * @typeParam O the names of its outputs, the columns that it explains
 */
export interface Template<C extends string = string, N extends string = string, O extends string = string> {
  readonly columns: ReadonlyArray<C>
  /** The arguments of each hole. */
  readonly holes: Readonly<Record<N, ReadonlyArray<string>>>
  readonly uses: ReadonlyArray<Use>
  /** The form of each output, a term over the columns and the variables of the uses; at least one. */
  readonly outputs: ReadonlyArray<Output<O>>
}

/** A column that a template explains. */
export interface Output<O extends string = string> {
  readonly name: O
  readonly form: Term.Term
}

/** The output of a template whose form is one term. */
const only = "y"

/** What a form may be: a term, or a term for each output by its name. */
type FormOf<C extends string> = Term.Term<C> | { readonly [output: string]: Term.Term<C> }

type OutputsOf<R> = R extends Term.Term ? typeof only : keyof R & string

const argumentsOf = (hole: Holes[string]): ReadonlyArray<string> => (isList(hole) ? hole : Object.keys(hole))
const isList = (hole: Holes[string]): hole is ReadonlyArray<string> => Array.isArray(hole)

/**
 * Declares a template. A hole used twice is one function, whatever it is applied to; a hole over a list of columns has these as
 * its arguments, and one over a record has arguments of its own, each of which may be a term over the columns listed for it. A form is
 * a term, or a record of terms: several outputs, which share the holes that they have in common.
 *
 * *When to use*: where the form is known but for some functions; `Law.fit` for laws of unknown form.
 *
 * @throws SettingError for a template without a hole, a hole without a column, or one that the form does not have, and for an output without a hole
 *
 * @example
 * // y = f(t) exp(-g(x))
 * Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))))
 * // one function of two columns: y = f(x1) - f(x2)
 * Template.make({ f: { r: ["x1", "x2"] } }, ({ f }, { x1, x2 }) => Term.sub(f({ r: x1 }), f({ r: x2 })))
 * // two columns, of which one is the derivative of the other
 * Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ height: f({ t }), speed: D("f", "t")({ t }) }))
 */
export const make = <const H extends Holes, const R extends FormOf<AllColumns<H>>>(
  holes: H,
  form: (holes: Parts<H>["holes"], columns: Parts<H>["columns"], D: Parts<H>["D"]) => R,
): Template<AllColumns<H>, keyof H & string, OutputsOf<R>> =>
  // The names are those of `holes` and of the form; the variables of uses stand for terms over the columns of a hole.
  declared(holes, form as unknown as Form) as unknown as Template<
    AllColumns<H>,
    keyof H & string,
    OutputsOf<R>
  >

type Applied = (of: Readonly<Record<string, Term.Term>>) => Term.Term

/** A form, without the names of its holes. */
type Form = (
  holes: Readonly<Record<string, Applied>>,
  columns: Readonly<Record<string, Term.Term>>,
  D: (hole: string, by: string) => Applied,
) => FormOf<string>

const isTerm = (form: FormOf<string>): form is Term.Term => typeof form["_tag"] === "string"

const declared = (holes: Holes, form: Form): Template => {
  const uses: Array<Use> = []
  const names = Object.keys(holes)
  if (names.length === 0) throw new SettingError({ message: "the template has no hole" })
  for (const [name, hole] of Object.entries(holes))
    if (argumentsOf(hole).length === 0)
      throw new SettingError({ message: `the hole "${name}" is a function of no column` })
  const columns = [
    ...new Set(Object.values(holes).flatMap((hole) => (isList(hole) ? hole : Object.values(hole).flat()))),
  ]
  /** The uses of a hole are variables with names that no column has. */
  const used =
    (hole: string, by: ReadonlyArray<string>): Applied =>
    (of) => {
      const variable = variableOf(uses.length, hole)
      uses.push({ hole, by, of, variable })
      return Term.variable(variable)
    }
  const body = form(
    Object.fromEntries(names.map((name) => [name, used(name, [])])),
    Object.fromEntries(columns.map((name) => [name, Term.variable(name)])),
    (hole, by) => used(hole, [by]),
  )
  const outputs = Object.entries(isTerm(body) ? { [only]: body } : body).map(([name, own]) => ({
    name,
    form: own,
  }))
  return checked({
    columns,
    holes: Object.fromEntries(Object.entries(holes).map(([name, hole]) => [name, argumentsOf(hole)])),
    uses,
    outputs,
  })
}

/** The variable that stands for a use, by its place: no column has such a name. */
export const variableOf = (place: number, hole: string): string => `hole ${place}: ${hole}`

/**
 * A template with the uses that its outputs read.
 *
 * @throws SettingError for a hole that no output has, and for an output without a hole
 */
export const checked = ({ uses, outputs, ...rest }: Template): Template => {
  if (outputs.length === 0) throw new SettingError({ message: "the template has no output" })
  const read = outputs.map(({ form }) => new Set(Term.variables(form)))
  const kept = uses.filter(({ variable }) => read.some((own) => own.has(variable)))
  for (const name of Object.keys(rest.holes))
    if (!kept.some(({ hole }) => hole === name))
      throw new SettingError({ message: `the form of the template does not have its hole "${name}"` })
  outputs.forEach(({ name }, k) => {
    if (!kept.some(({ variable }) => read[k]!.has(variable)))
      throw new SettingError({ message: `the output "${name}" of the template has no hole` })
  })
  return { ...rest, uses: kept, outputs }
}

/** The term that stands for a use: the hole, derived, at its arguments. */
export const ofUse = ({ by, of }: Use, hole: Term.Term): Term.Term =>
  Term.substitute(
    by.reduce<Term.Term>((term, name) => Term.simplify(Term.derivative(term, name)), hole),
    of,
  )

/** A form with a term in each hole: over its arguments, and any names of numbers. */
export const filled = (
  { uses }: Pick<Template, "uses">,
  form: Term.Term,
  holes: Readonly<Record<string, Term.Term>>,
): Term.Term =>
  Term.substitute(
    form,
    Object.fromEntries(
      uses.map((use) => {
        const hole = holes[use.hole]
        if (hole === undefined) throw new SettingError({ message: `the hole "${use.hole}" has no term` })
        return [use.variable, ofUse(use, hole)]
      }),
    ),
  )

/** The law of each output of a template, in order, with a term in each hole. */
export const laws = (
  template: Template,
  holes: Readonly<Record<string, Term.Term>>,
): ReadonlyArray<Term.Term> => template.outputs.map(({ form }) => filled(template, form, holes))
