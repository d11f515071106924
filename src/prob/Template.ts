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
 */
export interface Template<C extends string = string, N extends string = string> {
  readonly columns: ReadonlyArray<C>
  /** The arguments of each hole. */
  readonly holes: Readonly<Record<N, ReadonlyArray<string>>>
  readonly uses: ReadonlyArray<Use>
  /** The form, a term over the columns and the variables of the uses. */
  readonly form: Term.Term
}

const argumentsOf = (hole: Holes[string]): ReadonlyArray<string> => (isList(hole) ? hole : Object.keys(hole))
const isList = (hole: Holes[string]): hole is ReadonlyArray<string> => Array.isArray(hole)

/**
 * Declares a template. A hole used twice is one function, whatever it is applied to; a hole over a list of columns has these as
 * its arguments, and one over a record has arguments of its own, each of which may be a term over the columns listed for it.
 *
 * *When to use*: where the form is known but for some functions; `Law.fit` for laws of unknown form.
 *
 * @throws SettingError for a template without a hole, a hole without a column, or one that the form does not have
 *
 * @example
 * // y = f(t) exp(-g(x))
 * Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))))
 * // one function of two columns: y = f(x1) - f(x2)
 * Template.make({ f: { r: ["x1", "x2"] } }, ({ f }, { x1, x2 }) => Term.sub(f({ r: x1 }), f({ r: x2 })))
 */
export const make = <const H extends Holes>(
  holes: H,
  form: (
    holes: Parts<H>["holes"],
    columns: Parts<H>["columns"],
    D: Parts<H>["D"],
  ) => Term.Term<AllColumns<H>>,
): Template<AllColumns<H>, keyof H & string> =>
  // The names are those of `holes`; the variables of uses stand for terms over the columns of a hole.
  declared(holes, form as unknown as Form) as unknown as Template<AllColumns<H>, keyof H & string>

type Applied = (of: Readonly<Record<string, Term.Term>>) => Term.Term

/** A form, without the names of its holes. */
type Form = (
  holes: Readonly<Record<string, Applied>>,
  columns: Readonly<Record<string, Term.Term>>,
  D: (hole: string, by: string) => Applied,
) => Term.Term

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
      const variable = `hole ${uses.length}: ${hole}`
      uses.push({ hole, by, of, variable })
      return Term.variable(variable)
    }
  const body = form(
    Object.fromEntries(names.map((name) => [name, used(name, [])])),
    Object.fromEntries(columns.map((name) => [name, Term.variable(name)])),
    (hole, by) => used(hole, [by]),
  )
  const read = Term.variables(body)
  const kept = uses.filter(({ variable }) => read.includes(variable))
  for (const name of names)
    if (!kept.some(({ hole }) => hole === name))
      throw new SettingError({ message: `the form of the template does not have its hole "${name}"` })
  return {
    columns,
    holes: Object.fromEntries(Object.entries(holes).map(([name, hole]) => [name, argumentsOf(hole)])),
    uses: kept,
    form: body,
  }
}

/** The term that stands for a use: the hole, derived, at its arguments. */
export const ofUse = ({ by, of }: Use, hole: Term.Term): Term.Term =>
  Term.substitute(
    by.reduce<Term.Term>((term, name) => Term.simplify(Term.derivative(term, name)), hole),
    of,
  )

/** The law of a template with a term in each hole: over its arguments, and any names of numbers. */
export const law = ({ form, uses }: Template, holes: Readonly<Record<string, Term.Term>>): Term.Term =>
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
