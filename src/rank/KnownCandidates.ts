import { linearNames } from "../evidence/fitted/linearNames.ts"
import * as Term from "../expr/Term.ts"
import { choices } from "../internal/choices.ts"
import { memo } from "../internal/memo.ts"
import { untaken } from "../internal/untaken.ts"
import type { KnownForm, KnownFormula } from "../prob/KnownForms.ts"
import { termOf } from "./knownTerm.ts"

/** A known form over columns of a table, with its free numbers. */
export interface Candidate {
  readonly term: Term.Term
  readonly names: ReadonlyArray<string>
  readonly laws: number
}

/** Whether a form over some columns may fit: candidates of others are not made. */
type MayFit = (columns: ReadonlyArray<string>) => boolean

/** A way to write a form, as a term over as many columns. */
interface Way extends KnownFormula {
  readonly term: Term.Term
  readonly columns: number
  /** whether all of its numbers are coefficients */
  readonly isLinear: boolean
}

/** The ways to write a form, without those that cannot be read. */
const waysOf = memo(({ formulas, columns }: KnownForm): ReadonlyArray<Way> =>
  formulas.flatMap((one) => {
    const term = termOf(one)
    if (term === undefined) return []
    const isLinear = linearNames(term, one.numbers).length === one.numbers.length
    return [{ ...one, term, columns, isLinear }]
  }),
)

/** A form, written in one way, over each choice of columns, each function once. */
function* over(
  { term, numbers, columns, laws }: Way,
  features: ReadonlyArray<string>,
  mayFit: MayFit,
): Generator<Candidate> {
  const places = Term.variables(term).filter((name) => !numbers.includes(name))
  // Names of numbers that no column has.
  const nameOf = (name: string): string => untaken(name, features)
  const found = new Set<string>()
  for (const chosen of choices(features, columns)) {
    if (!mayFit(chosen)) continue
    const placed = Term.substitute(term, (name) =>
      Term.variable(numbers.includes(name) ? nameOf(name) : chosen[places.indexOf(name)]!),
    )
    const key = Term.skeleton(placed)
    if (found.has(key)) continue
    found.add(key)
    yield { term: placed, names: numbers.map(nameOf), laws: laws.length }
  }
}

/** The candidates of forms whose numbers are all coefficients, or of the other forms: formulas are read when they are asked for. */
export function* of(
  forms: ReadonlyArray<KnownForm>,
  features: ReadonlyArray<string>,
  linear: boolean,
  mayFit: MayFit,
): Generator<Candidate> {
  for (const known of forms)
    for (const way of waysOf(known)) if (way.isLinear === linear) yield* over(way, features, mayFit)
}

/** The candidates of some forms, those over all columns of a law first: a law that fits well has its columns. */
export function* ofLawFirst(
  forms: ReadonlyArray<KnownForm>,
  features: ReadonlyArray<string>,
  law: Term.Term,
  mayFit: MayFit,
): Generator<Candidate> {
  const own = features.filter((name) => Term.variables(law).includes(name))
  yield* of(
    forms.filter(({ columns }) => columns === own.length),
    own,
    false,
    mayFit,
  )
  for (const candidate of of(forms, features, false, mayFit)) {
    const columns = Term.variables(candidate.term).filter((name) => features.includes(name))
    if (columns.length !== own.length || !columns.every((name) => own.includes(name))) yield candidate
  }
}

/** A candidate with one number more, its unit, as it has where columns have other units than those of the law. */
export const inUnits = ({ term, names, laws }: Candidate, features: ReadonlyArray<string>): Candidate => {
  const unit = untaken("unit", [...features, ...names])
  return { term: Term.mul(Term.variable(unit), term), names: [unit, ...names], laws }
}
