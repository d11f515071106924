import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import * as collinearity from "../numeric/collinearity.ts"
import * as Real from "../numeric/Real.ts"
import * as Grammar from "../prob/Grammar.ts"
import type { KnownForm } from "../prob/KnownForms.ts"
import * as Link from "../prob/Link.ts"
import type { Observation } from "../prob/Observation.ts"
import * as Rng from "../random/Rng.ts"
import * as Rows from "../search/Rows.ts"
import { choices } from "../internal/choices.ts"
import * as DeclaredModel from "./DeclaredModel.ts"
import type { Model } from "./Model.ts"
import type { Scorer } from "./Scorer.ts"
import { isDetermined } from "./Undetermined.ts"

/** A known form over columns of a table, with its free numbers. */
interface Candidate {
  readonly term: Term.Term
  readonly names: ReadonlyArray<string>
  readonly laws: number
}

/** The formulas that are fitted, the rows that they are fitted to, the formulas that are scored, and the columns of a table, at most. */
const most = { fitted: 150, rows: 100, scored: 24, columns: 6 } as const
/** Formulas that fit worse than the best by more than this, in nats, are not scored. */
const hopeless = 60

/** A number whose slope has less than this share of its length outside of the span of the others is not told by the rows: the form is a limit. */
const together = 1e-3

/** A form over each choice of columns, each function once; none for a form whose numbers are coefficients, which the search scores by itself. */
function* over(
  { formula, numbers, columns, laws }: KnownForm,
  features: ReadonlyArray<string>,
): Generator<Candidate> {
  const read = parse(formula)
  if (Result.isFailure(read) || columns > features.length) return
  const term = Term.meaning(read.success)
  const isInside = (name: string): boolean =>
    Term.variables(Term.derivative(term, name)).some((other) => numbers.includes(other))
  if (!numbers.some(isInside)) return
  const places = Term.variables(term).filter((name) => !numbers.includes(name))
  // Names of numbers that no column has.
  const nameOf = (name: string): string => (features.includes(name) ? nameOf(`${name}'`) : name)
  const found = new Set<string>()
  for (const chosen of choices(features, columns)) {
    const placed = Term.substitute(term, (name) =>
      Term.variable(numbers.includes(name) ? nameOf(name) : chosen[places.indexOf(name)]!),
    )
    const key = Term.skeleton(placed)
    if (found.has(key)) continue
    found.add(key)
    yield { term: placed, names: numbers.map(nameOf), laws: laws.length }
  }
}

/** Candidates of all forms, those of more laws first. */
function* candidates(forms: ReadonlyArray<KnownForm>, features: ReadonlyArray<string>): Generator<Candidate> {
  for (const form of forms.toSorted((one, other) => other.laws.length - one.laws.length))
    yield* over(form, features)
}

/** n log (rss) + k log n, half of it: a sum of squares with the price of its numbers (Schwarz 1978). */
const priced = (rows: number, rss: number, numbers: number): number =>
  (rows * Real.log(rss) + numbers * Real.log(rows)) / 2

/**
 * The models of known forms with numbers inside of terms, over each choice of columns: a search may have kept other forms of their size that fit
 * as well. Forms of more laws come first; those that fit best for their numbers are scored.
 *
 * @param data the rows that the scorer has
 * @param late whether the time for it is over
 */
export const models = (
  scorer: Scorer,
  { known, forest: { grammar }, link }: Observation,
  data: Dataset,
  late: () => boolean,
): ReadonlyArray<Model> => {
  const isWide = grammar.features.length > most.columns
  if (known === undefined || !Grammar.hasFitted(grammar) || isWide) return []
  const links = link?.links ?? [Link.identity]
  const part = data.rows > most.rows ? Rows.some(data, most.rows, Rng.fold(Rng.key(0), "known")) : data
  const fits: Array<{ readonly formula: DeclaredModel.Formula; readonly score: number }> = []
  let tried = 0
  for (const { term, names, laws } of candidates(known.forms, grammar.features)) {
    if (tried++ >= most.fitted || late()) break
    // Of more numbers than rows could tell the form says nothing.
    if (2 * names.length > data.rows) continue
    const ways = FormulaTerms.parts(term, names, links)
    const fitted =
      ways.length === 0
        ? undefined
        : FormulaFit.fit(term, names, part, undefined, undefined, FormulaFit.quick)
    if (fitted === undefined) continue
    const { values, rss, slopes } = fitted
    if (collinearity.shares(slopes).some((share) => share < together)) continue
    const score = (priced(part.rows, rss, names.length) * data.rows) / part.rows - Real.log(laws)
    for (const parts of ways) fits.push({ formula: { parts, names, values }, score })
  }
  const best = fits.reduce((least, { score }) => Math.min(least, score), Infinity)
  return fits
    .filter(({ score }) => score <= best + hopeless)
    .sort((a, b) => a.score - b.score)
    .slice(0, most.scored)
    .flatMap(({ formula }) => {
      const own = late() ? undefined : DeclaredModel.trees(formula, grammar)
      return own !== undefined && Result.isSuccess(own)
        ? (DeclaredModel.of(scorer, grammar, data, formula, own.success) ?? [])
        : []
    })
    .filter((model) => Number.isFinite(model.lmpse) && isDetermined(model))
}
