import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as FormulaRows from "../evidence/fitted/FormulaRows.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import { columnOf } from "../expr/columnOf.ts"
import * as Term from "../expr/Term.ts"
import * as Turn from "../infer/Turn.ts"
import * as collinearity from "../numeric/collinearity.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import * as Real from "../numeric/Real.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Link from "../prob/Link.ts"
import type { Observation } from "../prob/Observation.ts"
import type * as Tree from "../prob/Tree.ts"
import * as Rng from "../random/Rng.ts"
import * as Rows from "../search/Rows.ts"
import * as Deadline from "./Deadline.ts"
import * as DeclaredModel from "./DeclaredModel.ts"
import * as Ensembles from "./Ensemble.ts"
import { identified } from "./identified.ts"
import * as Candidates from "./KnownCandidates.ts"
import type { Model } from "./Model.ts"
import { hasPoleAmong } from "./poles.ts"
import type { Scorer } from "./Scorer.ts"
import { totalEffect } from "./totalEffect.ts"
import { isDetermined } from "./Undetermined.ts"

/** The formulas that are fitted, the rows that they are fitted to, the formulas that are scored, and the columns of a table, at most. */
const most = { fitted: 200, rows: 100, scored: 24, columns: 6 } as const
/** Of formulas that are linear in their numbers: those that are fitted, and scored. */
const mostLinear = { fitted: 2000, scored: 12 } as const
/** Formulas that fit worse than the best by more than this, in nats, are not scored. */
const hopeless = 60

/**
 * The shares of the time at which forms with numbers inside of terms are fitted, and scored, and then those whose numbers are coefficients: in a short
 * time fewer are fitted, and the best of these are scored.
 */
const until = { numbers: { fitted: 0.55, scored: 0.9 }, linear: { fitted: 0.95, scored: 1 } } as const

/** A number whose slope has less than this share of its length outside of the span of the others is not told by the rows: the form is a limit. */
const together = 1e-3
/** Sums of squares that agree to as many digits are of one function, which is written in another way. */
const digits = 10

/** What models are made of. */
interface Subject {
  readonly scorer: Scorer
  readonly grammar: Grammar.Grammar
  readonly links: ReadonlyArray<Link.Link>
  readonly data: Dataset
  /** the rows that formulas are fitted to */
  readonly part: Dataset
  /** whether a share of the time for it, from 0 to 1, is over */
  readonly late: (share: number) => boolean
}

/** The number of rows that are taken to be like the part that formulas are fitted to: of more the chance of the part would decide. */
const alike = 400

/** n log (rss) + k log n, half of it, for a part of the rows as if more were like it: a sum of squares with the price of its numbers (Schwarz 1978). */
const priced = ({ part, data }: Pick<Subject, "part" | "data">, rss: number, numbers: number): number =>
  (((part.rows * Real.log(rss) + numbers * Real.log(part.rows)) / 2) * Math.min(data.rows, alike)) / part.rows

/** A form misses a share of the effect of the columns that it leaves out, at least: less than all, since the row beside another is not at its place. */
const missed = 0.25

/** The law that leads: the one whose fit costs least so far. */
interface Leader {
  /** the price of its fit */
  readonly score: number
  /** whether a form over some columns may fit about as well: not where the columns that it leaves out move the law by much more than the law misses */
  readonly mayFit: (columns: ReadonlyArray<string>) => boolean
}

const leader = (subject: Subject, law: Term.Term, score: number): Leader => {
  const effect = totalEffect(law, subject.part)
  const found = new Map<string, boolean>()
  return {
    score,
    mayFit: (columns) => {
      const key = JSON.stringify(columns.toSorted())
      const may = found.get(key) ?? priced(subject, missed * effect(columns), 0) <= score + hopeless
      found.set(key, may)
      return may
    },
  }
}

/** A formula with the price of its fit. */
interface Priced {
  readonly formula: DeclaredModel.Formula
  readonly score: number
}

/**
 * The models of the formulas whose fits cost least.
 *
 * @param bound the price of the fit of the law that leads
 * @param count the number of formulas, at most
 * @param end the share of the time at which they are scored
 * @param model of a formula and the trees of its terms
 */
const ofBest = (
  { grammar, part, late }: Subject,
  bound: number,
  fits: ReadonlyArray<Priced>,
  count: number,
  end: number,
  model: (formula: DeclaredModel.Formula, own: ReadonlyArray<Tree.Tree>) => Model | undefined,
): Effect.Effect<ReadonlyArray<Model>> =>
  Effect.gen(function* () {
    const pause = yield* Turn.Pause
    const least = fits.reduce((least, { score }) => Math.min(least, score), bound)
    const best = fits
      .filter(({ score }) => score <= least + hopeless)
      .sort((a, b) => a.score - b.score)
      .slice(0, count)
    const models: Array<Model> = []
    for (const { formula: read } of best) {
      if (late(end)) break
      yield* pause
      const formula = identified(read, part)
      const own = DeclaredModel.trees(formula, grammar)
      const made = Result.isSuccess(own) ? model(formula, own.success) : undefined
      if (made !== undefined) models.push(made)
    }
    return models
  })

/** Models of forms with numbers inside of terms, whose written coefficients are exact, and the law that leads after these. */
const withNumbers = Effect.fnUntraced(function* (
  subject: Subject,
  first: Leader,
  candidates: (mayFit: Leader["mayFit"]) => Iterable<Candidates.Candidate>,
): Effect.fn.Return<{ readonly models: ReadonlyArray<Model>; readonly lead: Leader }> {
  const pause = yield* Turn.Pause
  const { scorer, grammar, links, data, part, late } = subject
  const fits: Array<Priced> = []
  const found = new Set<string>()
  let lead = first
  /** Fits a candidate, and says whether its numbers can give it any unit; undefined where it is not to be scored. */
  const fitted = ({ term, names, laws }: Candidates.Candidate): { readonly anyUnit: boolean } | undefined => {
    // Of more numbers than rows could tell the form says nothing.
    if (2 * names.length > data.rows) return undefined
    const ways = FormulaTerms.parts(term, names, links)
    if (ways.length === 0) return undefined
    const fit = FormulaFit.fit(term, names, part, undefined, undefined, FormulaFit.quick)
    if (fit === undefined) return undefined
    const { values, rss, slopes } = fit
    const law = Term.valued(term, names, values)
    if (hasPoleAmong(law, part)) return undefined
    const column = columnOf(law, part.features, part.columns, part.rows)
    const anyUnit = collinearity.shares([column, ...slopes])[0]! < together
    // Two ways to write one function, such as exp(-c x) and exp(-x / c), count once.
    const key = `${names.length} ${rss.toPrecision(digits)}`
    if (found.has(key) || collinearity.shares(slopes).some((share) => share < together)) return { anyUnit }
    found.add(key)
    const score = priced(subject, rss, names.length) - Real.log(laws)
    for (const parts of ways) fits.push({ formula: { parts, names, values }, score })
    if (score < lead.score) lead = leader(subject, law, score)
    return { anyUnit }
  }
  let tried = 0
  for (const candidate of candidates((columns) => lead.mayFit(columns))) {
    if (tried++ >= most.fitted || late(until.numbers.fitted)) break
    yield* pause
    if (fitted(candidate)?.anyUnit === false) fitted(Candidates.inUnits(candidate, part.features))
  }
  const models = yield* ofBest(subject, lead.score, fits, most.scored, until.numbers.scored, (formula, own) =>
    DeclaredModel.of(scorer, grammar, data, formula, own),
  )
  return { models, lead }
})

/**
 * Models of forms whose numbers are coefficients, and of forms without numbers, which have a scale: which coefficients are exact is a question of the
 * evidence. Forms of all columns come first. Functions that fit alike, such as a product of the same columns in another order, are one.
 */
const ofCoefficients = Effect.fnUntraced(function* (
  subject: Subject,
  lead: Leader,
  candidates: Iterable<Candidates.Candidate>,
): Effect.fn.Return<ReadonlyArray<Model>> {
  const pause = yield* Turn.Pause
  const { scorer, grammar, links, part, late } = subject
  const fits = new Map<string, Priced>()
  let tried = 0
  for (const { term, names, laws } of candidates) {
    if (tried++ >= mostLinear.fitted || late(until.linear.fitted)) break
    yield* pause
    const { residual, slopes } = FormulaRows.make(term, names, part, undefined, "differences")
    const zeros = new Float64Array(names.length)
    const rest = residual(zeros)
    const columns = names.length > 0 ? slopes(zeros) : [rest.map((value, i) => part.y[i]! - value)]
    if (!FormulaRows.areFinite([rest, ...columns])) continue
    const { rss, coefficients } = leastSquares(columns, names.length > 0 ? rest : part.y)
    const key = rss.toPrecision(digits)
    if (fits.has(key)) continue
    const score = priced(subject, rss, columns.length) - Real.log(laws)
    const [parts] = FormulaTerms.parts(term, names, links)
    if (parts !== undefined)
      fits.set(key, { formula: { parts, names, values: coefficients.slice(0, names.length) }, score })
  }
  return yield* ofBest(
    subject,
    lead.score,
    [...fits.values()],
    mostLinear.scored,
    until.linear.scored,
    ({ parts }, own) => {
      const ensemble = Ensembles.ofSet(grammar, own, parts.link)
      return scorer.model({ ensemble, draws: 1 })?.exact?.(Constants.defaults)
    },
  )
})

/**
 * The models of known forms, over each choice of columns: a search may have kept other forms of their size that fit as well, and ranks by the prior of
 * trees alone. Forms of several laws come first, and of these those over the columns of the law that leads; those that fit best for their numbers are scored, and none that fits far worse than the law that leads.
 * Forms of one column whose numbers are coefficients are left to the search. Pauses (`Turn.Pause`) before each form.
 *
 * @param data the rows that the scorer has
 * @param deadline the end of the time for it
 * @param law the law that leads
 */
export const models = Effect.fnUntraced(function* (
  scorer: Scorer,
  { known, forest: { grammar }, link }: Observation,
  data: Dataset,
  deadline: Deadline.Deadline,
  law: Term.Term,
): Effect.fn.Return<ReadonlyArray<Model>> {
  const { features } = grammar
  if (known === undefined || features.length > most.columns) return []
  const links = link?.links ?? [Link.identity]
  const part = data.rows > most.rows ? Rows.some(data, most.rows, Rng.fold(Rng.key(0), "known")) : data
  const led = FormulaRows.make(law, [], part, undefined).residual([])
  const subject: Subject = { scorer, grammar, links, data, part, late: Deadline.begun(deadline) }
  // Without the price of its numbers: a law of exact ones has none.
  const first = leader(subject, law, priced(subject, FormulaRows.square(led), 0))
  const ways = Candidates.ways(known.forms.filter(({ columns }) => columns <= features.length))
  const widest = ways.toSorted((one, other) => other.columns - one.columns)
  const { models: fitted, lead } = Grammar.hasFitted(grammar)
    ? yield* withNumbers(subject, first, (mayFit) => Candidates.ofLawFirst(ways, features, law, mayFit))
    : { models: [], lead: first }
  const linear = yield* ofCoefficients(subject, lead, Candidates.of(widest, features, true, lead.mayFit))
  return [...fitted, ...linear].filter((model) => Number.isFinite(model.lmpse) && isDetermined(model))
})
