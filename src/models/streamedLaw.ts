import * as Effect from "effect/Effect"
import * as Chunks from "../data/Chunks.ts"
import { CompileError, type DataError, type FitError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import { hyperG } from "../evidence/likelihood/hyperG.ts"
import { defaultResolution } from "../evidence/likelihood/selectedLinear.ts"
import * as Noise from "../evidence/Noise.ts"
import * as Fit from "../infer/Fit.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Link from "../prob/Link.ts"
import * as StreamedRanking from "../rank/StreamedRanking.ts"
import * as Rng from "../random/Rng.ts"
import * as Fits from "./Fitted.ts"
import * as Law from "./law.ts"
import type * as LawGrammar from "./LawGrammar.ts"
import * as LawNoise from "./LawNoise.ts"
import * as Limits from "./Limits.ts"
import * as Magnitude from "./Magnitude.ts"
import type * as Naming from "./Naming.ts"

/** Options of a streamed fit: those of `Law.fit` that have a meaning for it. */
export interface Options extends Omit<Law.Options, "likelihood" | "error" | "weights" | "testFraction"> {
  /** the least number of rows that the search and the first ranking look at, 20,000 by default; it grows where the evidence asks for it */
  readonly sample?: number | undefined
  /** the most rows that it may grow to, 16 times as many by default */
  readonly most?: number | undefined
}

/** A finished fit of a table that was read in parts. */
export interface Fitted<F extends string = string> extends Law.Fitted<F> {
  /** of the whole table */
  readonly rows: number
  /** the rows that the search looked at last; models' residuals are theirs */
  readonly sample: Chunks.Sampled["sample"]
  /** the number of times that the table was read */
  readonly passes: number
  /** what terms in single columns would add to the best law, in nats of all rows: more than a sample of this size can tell */
  readonly lacking: number
}

/** The default number of rows of the sample, and the factor of its greatest size. */
const usual = { sample: 20_000, growth: 16 }
/** From this many nats on a term that the best law lacks is asked for, and a sample that shows as many nats of it is large enough. */
const asked = 30

/** What a streamed fit cannot do, by the option that asks for it. */
const unknown = (options: Options): string | undefined => {
  const { noise, links, fitted, ...others } = options
  const declared = noise === undefined ? undefined : LawNoise.of({ noise })
  if (declared !== undefined && !Noise.isPlain(declared))
    return "its noise is additive: leave noise out, or give additive"
  if (links !== undefined && !links.every((link) => link === Link.identity))
    return "its laws are sums of terms, without links: leave links out, or give the identity alone"
  if (fitted !== undefined && fitted !== "none" && fitted.asCoefficient !== true)
    return "its numbers inside of terms have the prior of coefficients: leave their prior out"
  const more = ["likelihood", "error", "weights", "testFraction"].find(
    // A program without types may give any option.
    (name) => name in others && (others as Readonly<Record<string, unknown>>)[name] !== undefined,
  )
  return more === undefined ? undefined : `it has no option ${more}: leave it out`
}

/**
 * From a table that is larger than the memory to laws. A search and a first ranking look at a sample that is stratified along the table; the
 * leading laws are then fitted to all rows and ranked by their evidence on all rows, in closed form, from moments that are summed up part by
 * part: Gram matrices, and cross moments with residuals. Where all rows know of a term that the best law lacks, or have no value of it, the
 * search begins again on a larger sample.
 *
 * Noise is additive and normal of one scale, and laws are sums of terms without links. The table is read three times at least; with constants
 * inside of terms once or twice more.
 *
 * *When to use*: for tables that do not fit into the memory; `Law.fit` for all others, which gives the same laws under the same settings
 * (`noise: "additive"`, `links: [Link.identity]`) and has more of them.
 *
 * @errors CompileError for a setting that cannot be streamed; DataError of the source; FitError as of `Law.fit`
 *
 * @example
 * StreamedLaw.fit(Chunks.make({ features: ["x"], target: "y" }, readParts), { time: 60 })
 */
export const fit = <
  const F extends string = string,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const G extends Grammar.Grammar = Grammar.Grammar,
  const N extends string = never,
>(
  chunks: Chunks.Chunks<F>,
  options: Naming.Others<Options> & Naming.OwnTerms<F, P, G, N> = {},
  onStep: (step: Law.Step) => void = () => undefined,
): Effect.Effect<Fitted<Naming.Features<F, never, G>>, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const started = performance.now()
    const seconds = (): number => (performance.now() - started) / 1000
    const wrong = unknown(options)
    if (wrong !== undefined)
      return yield* new CompileError({
        message: `a fit of a table that is read in parts cannot do this: ${wrong}`,
      })
    const { sample: first = usual.sample, ...rest } = options
    const { most = usual.growth * first, ...given } = rest
    Setting.whole("the rows of the sample", first, 10)
    Setting.whole("the most rows of the sample", most, first)
    const key = Rng.fold(Rng.key(yield* Fit.Seed), "streamed")
    let size = first
    let passes = 0
    for (;;) {
      const begun = seconds()
      const sampled = yield* Chunks.sampled(chunks, size, key)
      const reading = seconds() - begun
      passes++
      const { sample, rows } = sampled
      if (Magnitude.of(sample, undefined) !== Magnitude.asIs)
        return yield* new CompileError({
          message:
            "a fit of a table that is read in parts cannot do this: a column has values beyond 1e100 or all below 1e-100; give it in another unit",
        })
      const time = Limits.ofSearch(options, Law.defaults.time)
      const found = yield* Law.fit(
        sample,
        {
          ...given,
          noise: "additive",
          links: [Link.identity],
          // Later passes take as long as the first.
          spent: time === undefined ? undefined : (options.spent ?? 0) + begun + 4 * reading,
        },
        onStep,
      )
      const streamed = yield* StreamedRanking.make(
        chunks,
        sampled,
        found.posterior.plan,
        { coefficients: hyperG(), resolution: defaultResolution },
        found.ranking,
      )
      passes += streamed.passes
      // A sample that shows a missing term has its share of the nats.
      const needed = streamed.lacking > asked ? Math.ceil((asked * rows) / streamed.lacking) : 0
      const refuted = streamed.undefinedOn.some((model) => model === found.best)
      const next = Math.max(refuted ? 4 * size : 0, needed > 2 * size ? needed : 0)
      if (next > size && next <= most && sample.rows < rows) {
        size = next
        continue
      }
      return {
        ...Fits.make(
          // The names of a grammar or of a table, as types know them.
          (options.grammar?.features ?? sample.features) as ReadonlyArray<Naming.Features<F, never, G>>,
          { ranking: streamed.ranking, posterior: found.posterior, seconds: seconds() },
          { order: sample.features },
        ),
        rows,
        sample,
        passes,
        lacking: streamed.lacking,
      }
    }
  })
