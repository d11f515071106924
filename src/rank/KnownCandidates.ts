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

/** A way to write a form of some columns. */
export interface Way {
  readonly written: KnownFormula
  readonly columns: number
}

/** The ways to write forms, those of most laws first. */
export const ways = (forms: ReadonlyArray<KnownForm>): ReadonlyArray<Way> =>
  forms
    .flatMap(({ formulas, columns }) => formulas.map((written): Way => ({ written, columns })))
    .sort((one, other) => other.written.laws.length - one.written.laws.length)

/** Whether all numbers of a formula are coefficients. */
const isLinear = memo((written: KnownFormula): boolean => {
  const term = termOf(written)
  return term !== undefined && linearNames(term, written.numbers).length === written.numbers.length
})

/** A form, written in one way, over each choice of columns, each function once; nothing where the formula cannot be read. */
function* over(
  { written, columns }: Way,
  features: ReadonlyArray<string>,
  mayFit: MayFit,
): Generator<Candidate> {
  const term = termOf(written)
  if (term === undefined) return
  const { numbers, laws } = written
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

/** The candidates of ways whose numbers are all coefficients, or of the other ways: formulas are read when they are asked for. */
export function* of(
  all: ReadonlyArray<Way>,
  features: ReadonlyArray<string>,
  linear: boolean,
  mayFit: MayFit,
): Generator<Candidate> {
  for (const way of all) if (isLinear(way.written) === linear) yield* over(way, features, mayFit)
}

/**
 * The candidates of some ways: those of several laws before those of one, and of either those over all columns of a law first, since a law that fits
 * well has its columns.
 */
export function* ofLawFirst(
  all: ReadonlyArray<Way>,
  features: ReadonlyArray<string>,
  law: Term.Term,
  mayFit: MayFit,
): Generator<Candidate> {
  const own = features.filter((name) => Term.variables(law).includes(name))
  const isCommon = ({ written: { laws } }: Way): boolean => laws.length > 1
  for (const some of [all.filter(isCommon), all.filter((way) => !isCommon(way))]) {
    yield* of(
      some.filter(({ columns }) => columns === own.length),
      own,
      false,
      mayFit,
    )
    for (const candidate of of(some, features, false, mayFit)) {
      const columns = Term.variables(candidate.term).filter((name) => features.includes(name))
      if (columns.length !== own.length || !columns.every((name) => own.includes(name))) yield candidate
    }
  }
}

/** A candidate with one number more, its unit, as it has where columns have other units than those of the law. */
export const inUnits = ({ term, names, laws }: Candidate, features: ReadonlyArray<string>): Candidate => {
  const unit = untaken("unit", [...features, ...names])
  return { term: Term.mul(Term.variable(unit), term), names: [unit, ...names], laws }
}
