import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import type { Algorithm, Info } from "../infer/Algorithm.ts"
import type { Archive } from "../infer/Archive.ts"
import * as Fit from "../infer/Fit.ts"
import * as Turn from "../infer/Turn.ts"
import * as Keeper from "../infer/Keeper.ts"
import type * as Grammar from "../prob/Grammar.ts"
import type * as Noise from "../evidence/Noise.ts"
import * as Plan from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import * as ArchiveRanking from "../rank/ArchiveRanking.ts"
import type * as Ranked from "../rank/Model.ts"
import type * as Rank from "../rank/Rank.ts"
import type * as Scorer from "../rank/Scorer.ts"
import type { Searched } from "../rank/Searched.ts"
import type { Unseen } from "../rank/Unseen.ts"
import type * as Search from "../search/Search.ts"
import * as Declared from "./Declared.ts"
import * as Fits from "./Fitted.ts"
import * as LawGrammar from "./LawGrammar.ts"
import * as LawNoise from "./LawNoise.ts"
import * as LawSearch from "./LawSearch.ts"
import * as Limits from "./Limits.ts"
import { defaults, type Law, model, type Settings } from "./LawModel.ts"
import * as Magnitude from "./Magnitude.ts"
import type * as Naming from "./Naming.ts"
import * as Source from "./Source.ts"
import * as Subject from "./Subject.ts"

export { make as grammar } from "./LawGrammar.ts"
export { defaults, model, type Law, type Settings } from "./LawModel.ts"

/**
 * Ranks the archive of a search, best first. Its best ensembles are scored exactly on all rows, constants are exact
 * where prior and data support it (`Rank.exactConstants`), and equivalent models are one, shown by the simplest. Posterior
 * probabilities are normalised over the ranked models. It ranks more than the archive: other parametrisations, laws with terms removed, exact
 * constants and known forms are models as well, so that its best law may differ from that of `Rank.fromPosterior`, which scores the archive's
 * ensembles as they are.
 *
 * *When to use*: for the law of a search, as `fit` ranks it; `Rank.fromPosterior` to compare inferences of one model.
 *
 * @errors CompileError as of `Scorer.make`; FitError when the data rule out every ensemble
 */
export const rank =
  (data: Parameters<typeof Scorer.make>[1]) =>
  ({ plan, archive }: Searched): Effect.Effect<Rank.Ranking, CompileError | FitError> =>
    Effect.flatMap(ArchiveRanking.make(plan, data), ({ ranking }) => ranking(archive))

/**
 * A step of a fit: its report, and the best law so far.
 *
 * @typeParam I the report of the inference, that of the search by default
 */
export type Step<I extends Info = Search.Info> = Fit.Step<I> & {
  /**
   * The best law so far, scored exactly on the training rows, or on a sample of 4,000 of more than 20,000 rows. It is
   * computed when called, and again after the search has found a better one. Call it before the next step.
   */
  readonly best: () => Ranked.Model | undefined
  /** The mass of laws that are not seen so far, as a ranking of the best laws so far has it. Call it before the next step. */
  readonly unseen: () => Unseen | undefined
  /**
   * The posterior over laws so far, with the probability of the unseen: the ranking of the search's archive, as `fit` ranks it at its end.
   * It takes about as long as that. Run it before the next step.
   *
   * *When to use*: to show a posterior while the search runs; `best` for a progress line.
   *
   * @param late whether the time for it is over: then only the first few laws are scored; never by default
   */
  readonly ranking: (late?: () => boolean) => Effect.Effect<Rank.Ranking, CompileError | FitError>
}

/**
 * An inference over the hard ensembles of a law, with its own state: the search, `Inclusive`, or a user's.
 *
 * @typeParam S its state
 * @typeParam I the report of its steps; its `objective` is the score of its best ensemble, which tells when the best law is another
 */
export type Inference<S, I extends Info = Search.Info> = (
  program: Law,
  data: Dataset,
) => Effect.Effect<Algorithm<S, I, Searched>, CompileError>

/** Options of a fit in one call. Fields that are left out have default values. */
export interface Options
  extends
    Pick<Settings, "trees" | "depth" | "links" | "restrictions" | "units" | "likelihood" | "known">,
    LawGrammar.Settings,
    Limits.Limits,
    LawSearch.Settings {
  /** the kind of noise, or several that are possible, by name, or as a value; latent if left out: the evidence decides */
  readonly noise?: Noise.Name | ReadonlyArray<Noise.Name> | Noise.Noise | undefined
  /** the column with the standard error of each row, above 0, in units of y; it is no feature */
  readonly error?: string | undefined
  /** the column with the weight of each row, at least 0: the variance of its noise is in inverse proportion to it; it is no feature */
  readonly weights?: string | undefined
  /** in place of `operators` and `constants`: over features of the data */
  readonly grammar?: Grammar.Grammar | undefined
  /** the share of rows that is set aside for out-of-sample errors, in [0, 1); none by default: models have leave-one-out errors */
  readonly testFraction?: number | undefined
}

export type { Source } from "./Source.ts"
/** A finished fit. @typeParam F the names of the features */
export type Fitted<F extends string = string> = Fits.Fitted<
  Fit.Fitted<Searched>,
  Ranked.Model,
  Rank.Ranking,
  F
>

/**
 * From a table to laws in one call: sets test rows aside, searches for the model's most probable ensembles until its
 * stopping rule or the time limit, and ranks them exactly (`rank`). The seed is that of `Fit.seed`. Needs WebAssembly
 * SIMD.
 *
 * *When to use*: the default for data; `fitBy` for another inference, `Vasst.fit` for the paper's method.
 *
 * @param onStep called after every step
 *
 * @example
 * const fit = yield* Law.fit({ X, y })
 * infix(fit.best.expression)
 */
export const fit = <
  const F extends string = string,
  const E extends string = never,
  const W extends string = never,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const G extends Grammar.Grammar = Grammar.Grammar,
  const N extends string = never,
>(
  source: Source.Source<F>,
  options: Naming.Others<Options> & Naming.Options<F, E, W, P, G, N> = {},
  onStep: (step: Step) => void = () => undefined,
): Effect.Effect<Fitted<Naming.Features<F, E | W, G>>, DataError | CompileError | FitError> =>
  fitWith((program, data) => LawSearch.make(program, data, options), source, options, onStep)

/** The model of laws over columns of data, by the options of a fit. */
export const programOf = (
  { features, target }: Pick<Dataset, "features" | "target">,
  options: Omit<Options, "search">,
): Law =>
  model(options.grammar ?? LawGrammar.make(explaining(features, options), options), {
    ...options,
    units: options.units && { target, ...options.units },
    noise: LawNoise.of(options),
  })

/** The columns that may explain the response: the noise reads the others. */
export const explaining = (
  columns: ReadonlyArray<string>,
  options: Omit<Options, "search">,
): ReadonlyArray<string> => {
  const noise = LawNoise.of(options)
  const read = [noise?.error, noise?.weights, ...(options.likelihood?.columns ?? [])]
  return columns.filter((name) => !read.includes(name))
}

/**
 * `fit` by another inference. *When to use*: with a family (`Inclusive`), or your own algorithm of the contract
 * `Algorithm`.
 *
 * @example
 * Law.fitBy(
 *   (law, data) => Inclusive.algorithm(law, data).pipe(Effect.provide(Family.treeConditional(law))),
 *   { X, y },
 * )
 */
export const fitBy = <
  S,
  I extends Info = Search.Info,
  const F extends string = string,
  const E extends string = never,
  const W extends string = never,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const G extends Grammar.Grammar = Grammar.Grammar,
  const N extends string = never,
>(
  inference: Inference<S, I>,
  source: Source.Source<F>,
  options: Naming.Others<Omit<Options, "search" | "start" | "workers">> &
    Naming.Options<F, E, W, P, G, N> = {},
  // The inference says what its report is, not a function that hears of it.
  onStep: NoInfer<(step: Step<I>) => void> = () => undefined,
): Effect.Effect<Fitted<Naming.Features<F, E | W, G>>, DataError | CompileError | FitError> =>
  fitWith(
    (program, data) =>
      Effect.map(inference(program, data), (algorithm) => ({
        algorithm,
        drive: (tell: LawSearch.Tell<S, I>) => Fit.last(algorithm, tell),
      })),
    source,
    options,
    onStep,
  )

const fitWith = <S, I extends Info, F extends string>(
  driven: (program: Law, data: Dataset) => Effect.Effect<LawSearch.Driven<S, I>, CompileError>,
  source: Source.Source,
  options: Omit<Options, "search">,
  onStep: (step: Step<I>) => void,
): Effect.Effect<Fitted<F>, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const clock = Limits.start(options, defaults.time)
    const seed = yield* Fit.Seed
    const data = yield* Source.split(source, options.testFraction, Rng.fold(Rng.key(seed), "law"))
    const { likelihood } = options
    // A likelihood of the user's has the units of its own.
    const units = likelihood === undefined ? Magnitude.of(data.train, LawNoise.of(options)) : Magnitude.asIs
    const [train, test] = [units.divided(data.train), units.divided(data.test)]
    const program = programOf(train, options)
    const search = yield* driven(program, train)
    const ranker = yield* ArchiveRanking.make(yield* Plan.declared(program), {
      train,
      test: test.rows === 0 ? undefined : test,
    })
    const posterior = yield* LawSearch.posterior(
      search,
      clock.rules(train.rows),
      (info, { algorithm: state }) => {
        const archive = (): Archive => search.algorithm.posterior(state).archive
        const best = (): Ranked.Model | undefined => {
          const model = ranker.best(info.objective, archive)
          return model && units.restored(model)
        }
        const ranking: Step["ranking"] = (late) =>
          Effect.map(
            ranker.ranking(archive(), late && { left: () => (late() ? 0 : Infinity) }),
            units.ranking,
          )
        onStep({ ...info, best, ranking, unseen: () => ranker.unseen(info.objective, archive) })
      },
    ).pipe(Keeper.part("search", () => Subject.of(seed, train, options)))
    const ranking = units.ranking(yield* Turn.pausing(ranker.ranking(posterior.archive, clock.deadline)))
    // The search may have begun before an interruption.
    const seconds = Math.max(clock.seconds(), posterior.seconds)
    const order = explaining(train.features, options)
    // The names of a grammar or of a table, as types know them.
    const features = (options.grammar?.features ?? order) as ReadonlyArray<F>
    return Fits.make(features, { ranking, posterior, seconds }, { order })
  }).pipe(Declared.orFail)
