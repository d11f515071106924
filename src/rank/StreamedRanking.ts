import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Chunks, Sampled } from "../data/Chunks.ts"
import { DataError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import { describe } from "../evidence/exact/ConstantSelection.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as GPriorFit from "../evidence/fitted/gPriorFit.ts"
import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import * as GPrior from "../evidence/gPrior.ts"
import * as StreamedExact from "../evidence/streamed/StreamedExact.ts"
import * as StreamedFit from "../evidence/streamed/StreamedFit.ts"
import * as StreamedNumbers from "../evidence/streamed/StreamedNumbers.ts"
import { normalised } from "../numeric/logSum.ts"
import * as Real from "../numeric/Real.ts"
import type { Declared } from "../prob/Plan.ts"
import * as Tree from "../prob/Tree.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as FittedNumbers from "./FittedNumbers.ts"
import * as Known from "./Known.ts"
import { constantAmong } from "./Ensemble.ts"
import { type Model, replace } from "./Model.ts"
import { type Ranking, withModels, withUnseen } from "./Ranking.ts"
import * as Scorer from "./Scorer.ts"

/** A ranking of laws by all rows of a table that is read in parts. */
export interface Streamed {
  readonly ranking: Ranking
  /** the number of times that the table was read for it */
  readonly passes: number
  /** the laws of the ranking of the sample that have no value on some row of the table */
  readonly undefinedOn: ReadonlyArray<Model>
  /** what terms in single columns would add to the best law on all rows, in nats; 0 where there is nothing */
  readonly lacking: number
}

/** The settings of the evidence. */
export interface Prior {
  readonly coefficients: { readonly a: number }
  readonly resolution: number
}

/** The most laws of a sample that are scored on all rows. One that is further below the best on the sample, in nats, is still further below it on all rows. */
const [most, hopeless] = [10, 50]
/** A law that is this far behind after two passes, in nats, has a probability of nothing: its numbers may stay as they are. */
const behind = 25
/** The most passes for the numbers of a law, and the nats that a further one may gain at the end. */
const [passes, settled] = [6, 1e-3]

/** A law while its numbers are fitted to all rows. */
interface Fit {
  readonly form: StreamedFit.Form
  readonly values: Float64Array
  readonly best: StreamedFit.Passed | undefined
  readonly state: "open" | "settled" | "undefined"
}

/** The numbers of a law after a pass: where it is no better than before, half of the step is taken back. */
const stepped = (fit: Fit, passed: StreamedFit.Passed | undefined, rows: number): Fit => {
  const { best, values, form } = fit
  if (passed === undefined) {
    if (best === undefined) return { ...fit, state: "undefined" }
    return { ...fit, values: values.map((value, j) => (value + best.values[j]!) / 2) }
  }
  const worse = best !== undefined && passed.all.square > best.all.square * (1 + 1e-12)
  if (worse) return { ...fit, values: values.map((value, j) => (value + best.values[j]!) / 2) }
  const gain = passed.linear.rss - passed.all.rss
  const nats = gain > 0 ? (rows / 2) * Real.log1p(gain / Math.max(passed.all.rss, Number.MIN_VALUE)) : 0
  const done = form.names.length === form.coefficients || nats < settled || gain <= 1e-14 * passed.all.square
  return {
    form,
    values: values.map((value, j) => value + passed.all.change[j]!),
    best: passed,
    state: done ? "settled" : "open",
  }
}

/**
 * Fits that a further pass would hardly bring near the best are not followed: their next sum of squares is known to first order. From the
 * second pass on this is near, and the prior and the price of numbers (Schwarz 1978) count as well.
 *
 * @param logPriors of the laws of the fits
 */
const withoutHopeless = (
  fits: ReadonlyArray<Fit>,
  logPriors: ReadonlyArray<number>,
  rows: number,
  count: number,
): ReadonlyArray<Fit> => {
  const squares = fits.flatMap(({ best }) => (best === undefined ? [] : [best.linear.rss]))
  const least = Math.min(...squares)
  /** Nats of a law at a sum of squares, up to what all laws have. */
  const height = (rss: number, rank: number, k: number): number =>
    logPriors[k]! - (rows / 2) * Real.log(rss / least) - (rank / 2) * Real.log(rows)
  const highest = Math.max(
    ...fits.map(({ best }, k) => (best === undefined ? -Infinity : height(best.linear.rss, best.rank, k))),
  )
  return fits.map((fit, k) => {
    const { best } = fit
    if (best === undefined) return fit
    const isFar = (rows / 2) * Real.log(best.all.rss / least) > 2 * hopeless
    const isBehind = count > 0 && height(best.all.rss, best.rank, k) < highest - behind
    return isFar || isBehind ? { ...fit, state: "settled" } : fit
  })
}

/** Runs a pass of some readers over all rows. */
const read = (
  chunks: Chunks,
  readers: ReadonlyArray<{ readonly add: StreamedFit.Pass["add"] }>,
): Effect.Effect<void, DataError> =>
  Stream.runForEach(chunks.chunks, (chunk) => Effect.sync(() => readers.forEach((one) => one.add(chunk))))

/**
 * Ranks the best laws of a sample by all rows: their numbers are fitted anew by Gauss-Newton steps from moments of all rows, their evidence
 * and their exact constants are those of all rows, in closed form (`GPrior`). Noise is additive and normal, of one scale, and the link is
 * the identity.
 *
 * @param found the ranking of the sample
 * @errors DataError of the source; CompileError as of `Scorer.make`
 */
export const make = (
  chunks: Chunks,
  { sample, rows }: Sampled,
  plan: Declared,
  { coefficients: { a }, resolution }: Prior,
  found: Ranking,
): Effect.Effect<Streamed, DataError | CompileError> =>
  Effect.gen(function* () {
    const scorer = yield* Scorer.make(plan, { train: sample })
    const forms = yield* Known.make(plan, sample)
    const { grammar } = plan.likelihood.forest
    const columns = yield* Columns.make(grammar, sample)
    const exactNumbers = FittedLaw.exactNumbers(grammar)
    const constant = scorer.model({ ensemble: { trees: [], link: 0, key: "" }, draws: 1 })
    const first = Math.max(...found.models.map(({ lmpse }) => lmpse))
    const leading = found.models.slice(0, most).filter(({ lmpse }) => lmpse > first - hopeless)
    const laws =
      constantAmong(leading) !== undefined
        ? leading
        : // The sample gave it no probability.
          [...leading, ...(constant === undefined ? [] : [replace(constant, { posterior: 0 })])]
    const candidates = laws.flatMap((model, law) => {
      const { trees } = model.ensemble
      const terms = trees.map((tree) => Tree.toNamedTerm(grammar, tree))
      const own = StreamedFit.form(terms, sample, exactNumbers)
      // With an intercept of 0 constants inside of terms have other values.
      const tied =
        own.names.length > own.coefficients ? [StreamedFit.form(terms, sample, exactNumbers, false)] : []
      const sharing = ParametricTrees.any(grammar, trees)
        ? GPriorFit.sharing(ParametricTrees.make(columns)(trees))
        : 0
      const free = scorer.model({ ensemble: model.ensemble, draws: model.draws }) ?? model
      return [own, ...tied].map((form) => ({ law, model, sharing, logPrior: free.logPrior, form }))
    })
    let fits: ReadonlyArray<Fit> = candidates.map(({ form }) => ({
      form,
      values: form.values,
      best: undefined,
      state: "open",
    }))
    let count = 0
    while (count < passes && fits.some(({ state }) => state === "open")) {
      const runs = fits.map(({ form, values, state }) =>
        state === "open" ? StreamedFit.pass(form, values, sample) : undefined,
      )
      yield* read(
        chunks,
        runs.flatMap((run) => run ?? []),
      )
      fits = withoutHopeless(
        fits.map((fit, k) => {
          const run = runs[k]
          return run === undefined ? fit : stepped(fit, run.done(), rows)
        }),
        candidates.map(({ logPrior }) => logPrior),
        rows,
        count,
      )
      count++
    }
    const nothing = fits.find((_, k) => laws[candidates[k]!.law]!.ensemble.trees.length === 0)?.best
    if (nothing === undefined)
      return yield* new DataError({ message: "the target has values whose squares are beyond float64" })
    const tss = nothing.linear.rss
    const target: GPrior.Target = {
      rows,
      tss,
      rounding: Math.max(resolution, Number.EPSILON) ** 2 * tss,
      a,
    }
    const scored = candidates.flatMap(({ law, model, sharing, logPrior, form }, k) => {
      const { best } = fits[k]!
      if (best === undefined) return []
      const exact = StreamedExact.make(
        best,
        StreamedFit.termsAt(form, best.values),
        target,
        Constants.defaults,
      )
      if (exact === undefined) return []
      const logEvidence = exact.logEvidence + exact.logVolume + sharing
      const lmpse = logEvidence + logPrior + exact.logMass
      return [{ law, model, exact, logEvidence, logPrior: logPrior + exact.logMass, lmpse }]
    })
    const chosen = laws.flatMap(
      (_, law) =>
        scored
          .filter((one) => one.law === law)
          .sort(
            (one, other) => other.lmpse - other.exact.logThreshold - (one.lmpse - one.exact.logThreshold),
          )[0] ?? [],
    )
    const written = chosen.map(({ exact }) => StreamedNumbers.pass(exact.expression, sample, exactNumbers))
    const order = chosen.map((_, k) => k).sort((i, j) => chosen[j]!.lmpse - chosen[i]!.lmpse)
    const lack = StreamedNumbers.lacking(chosen[order[0]!]!.exact.expression, sample)
    yield* read(chunks, [...written, lack])
    count++
    const described = chosen.map(({ model, exact, logEvidence, logPrior, lmpse }, k): Model => {
      const law = written[k]!.law(rows)
      const error = Math.sqrt(law.square / rows)
      const own = FittedNumbers.of(
        exact.expression,
        sample,
        new Float64Array(sample.rows).fill(law.fitted.sigma),
        exactNumbers,
      )
      const errors = FittedLaw.errors(law.fitted)
      return replace(model, {
        logEvidence,
        linkEvidence: logEvidence,
        logPrior,
        lmpse,
        sigma2: exact.sigma2,
        coefficients: exact.coefficients,
        states: exact.states,
        constants: exact.states.map(describe),
        hypothesis: exact,
        expression: exact.expression,
        numbers: own.map((one, j) => ({ ...one, error: errors[j] ?? one.error })),
        law: () => law.fitted,
        bic: GPrior.deviance(target, exact.rss) + exact.fitted * Real.log(rows),
        rmseTrain: error,
        // The error of a row that is left out, for many rows of which none has much of a say (Golub, Heath and Wahba 1979).
        rmseLoo: (error * rows) / law.fitted.freedom,
        rmseTest: undefined,
        exact: undefined,
      })
    })
    const models = forms.all(described)
    const weights = models.map(
      (model, k) => Real.log(chosen[k]!.model.posterior) + model.lmpse - chosen[k]!.model.lmpse,
    )
    // A law that the sample gave no probability to may have all of it.
    const shares = normalised(
      weights.map((weight, k) =>
        Number.isFinite(weight) ? weight : models[k]!.lmpse - (models[0]!.lmpse - weights[0]!),
      ),
    )
    const ranked = withModels(
      { ...found, scale: Math.sqrt(tss / rows) },
      order
        .toSorted((i, j) => shares[j]! - shares[i]!)
        .map((k) => replace(models[k]!, { posterior: shares[k]!, probability: undefined })),
    )
    const known = new Set(chosen.map(({ law }) => law))
    return {
      ranking: found.unseen === undefined ? ranked : withUnseen(ranked, found.unseen),
      passes: count,
      undefinedOn: laws.filter((_, law) => !known.has(law)),
      lacking: lack.gain(rows),
    }
  })
