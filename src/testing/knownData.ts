import { untaken } from "../internal/untaken.ts"
import * as Result from "effect/Result"
import type * as Data from "../data/Data.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import { roughValues } from "../evidence/fitted/roughValues.ts"
import { columnOf } from "../expr/columnOf.ts"
import * as Term from "../expr/Term.ts"
import * as KnownForms from "../prob/KnownForms.ts"
import * as Link from "../prob/Link.ts"
import type { Observation } from "../prob/Observation.ts"
import type * as Tree from "../prob/Tree.ts"
import type * as Rng from "../random/Rng.ts"
import * as DeclaredModel from "../rank/DeclaredModel.ts"
import { termOf } from "../rank/knownTerm.ts"

/** A law of a known form: its values on all rows, and the link and the trees that it is a sum of. */
export interface Drawn {
  readonly link: number
  readonly trees: ReadonlyArray<Tree.Tree>
  readonly mean: Float64Array
}

/** Draws that are tried; a form may have no value on some row. */
const tries = 40
/** The standard deviation of the change of a law with half of a number, as a share of its own: a smaller one cannot be told. */
const told = 0.03
/** The rows by which numbers are drawn. */
const looked = 40

const deviationOf = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** One of the forms that a table of some columns can have, by its share (`KnownForms.among`), as one of its laws is written. */
const pick = (
  { forms, discount }: KnownForms.KnownForms,
  features: number,
  random: Rng.Generator,
): KnownForms.KnownFormula | undefined => {
  const possible = forms.filter(({ columns }) => columns <= features)
  const massOf = (form: KnownForms.KnownForm): number => KnownForms.count(form) - discount
  let left = random.next() * possible.reduce((sum, form) => sum + massOf(form), 0)
  const form = possible.find((one) => (left -= massOf(one)) < 0)
  if (form === undefined) return undefined
  let law = random.integer(KnownForms.count(form))
  return form.formulas.find(({ laws }) => (law -= laws.length) < 0)
}

const shuffled = (names: ReadonlyArray<string>, random: Rng.Generator): ReadonlyArray<string> =>
  names
    .map((name) => ({ name, by: random.next() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ name }) => name)

/**
 * A law of a known form over the rows of data: the form and its columns from their prior, numbers by the values that they stand beside
 * (`roughValues`), such that each of them can be told. Undefined where 40 draws had no such law.
 *
 * @param isAllowed whether a law's values are those of a table
 */
export const draw = (
  { known, forest: { grammar }, link }: Observation,
  features: Data.Dataset,
  random: Rng.Generator,
  isAllowed: (mean: Float64Array) => boolean,
): Drawn | undefined => {
  if (known === undefined) return undefined
  const links = link?.links ?? [Link.identity]
  const spread = Math.max(1, Math.floor(features.rows / looked))
  const few = new Map(
    features.features.map((name, j) => [name, features.columns[j]!.filter((_, i) => i % spread === 0)]),
  )
  const valuesOf = (term: Term.Term): Float64Array =>
    columnOf(term, features.features, features.columns, features.rows)
  for (let attempt = 0; attempt < tries; attempt++) {
    const form = pick(known, grammar.features.length, random)
    const formula = form && termOf(form)
    if (form === undefined || formula === undefined) continue
    const { numbers } = form
    const chosen = shuffled(grammar.features, random)
    const places = Term.variables(formula).filter((name) => !numbers.includes(name))
    // Names of numbers that no column has.
    const nameOf = (name: string): string => untaken(name, grammar.features)
    const term = Term.substitute(formula, (name) =>
      Term.variable(numbers.includes(name) ? nameOf(name) : chosen[places.indexOf(name)]!),
    )
    const names = numbers.map(nameOf)
    const rough = roughValues(term, names, few)(random.next)
    const values = Float64Array.from(names, (name) => rough.get(name) ?? 1)
    // The numbers beside it may have overflowed.
    if (!values.every((value) => Number.isFinite(1.5 * value))) continue
    const mean = valuesOf(Term.valued(term, names, values))
    if (!mean.every(Number.isFinite) || !isAllowed(mean)) continue
    const scale = deviationOf(mean)
    const isTold = (j: number): boolean => {
      const moved = valuesOf(Term.valued(term, names, values.with(j, 1.5 * values[j]!)))
      return !(deviationOf(moved.map((value, i) => value - mean[i]!)) < told * scale)
    }
    if (!names.every((_, j) => isTold(j))) continue
    for (const parts of FormulaTerms.parts(term, names, links)) {
      const trees = DeclaredModel.trees({ parts, names, values }, grammar)
      if (Result.isSuccess(trees)) return { link: parts.link, trees: trees.success, mean }
    }
  }
  return undefined
}
