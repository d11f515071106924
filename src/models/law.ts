import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Dist from "../prob/Dist.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Link from "../prob/Link.ts"
import * as Model from "../prob/Model.ts"
import type * as Operator from "../expr/Operator.ts"
import * as Prior from "../prob/Prior.ts"
import * as Tree from "../prob/Tree.ts"
import * as Family from "../vi/Family.ts"
import * as Infer from "../infer/Fit.ts"
import * as Objective from "../vi/Objective.ts"
import * as Optimizer from "../vi/Optimizer.ts"
import * as Stop from "../infer/Stop.ts"
import type * as Ranked from "../rank/Model.ts"
import type * as Rank from "../rank/Rank.ts"
import type * as Scorer from "../rank/Scorer.ts"
import * as Relaxation from "../vi/Relaxation.ts"
import { Backend } from "../vi/Backend.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as Declared from "./Declared.ts"
import * as Fitted from "./Fitted.ts"
import * as LawGrammar from "./LawGrammar.ts"
import * as LawRanking from "./LawRanking.ts"
import * as Source from "./Source.ts"

export { make as grammar } from "./LawGrammar.ts"

/** What the model is when nothing is said. */
export const defaults = {
  /** the most terms, K */
  trees: 3,
  /** maximum depth of a term's tree */
  depth: 5,
  /** as in the paper (Chipman, George and McCulloch 1998) */
  split: { alpha: 0.95, delta: 2 },
  /**
   * Of the Dirichlet priors of operator and terminal weights: arithmetic, from which laws are made before anything else,
   * is held for three times as likely as other operators.
   */
  concentration: { arithmetic: 3, other: 1, terminal: 1 },
  /** prior probability that a term is in */
  inclusion: 0.5,
  links: Link.shipped,
  /** prior probability of the first link; the others share the rest */
  firstLink: 0.5,
  /** seconds that a search takes at most */
  time: 60,
} as const

const arithmeticNames: ReadonlySet<string> = new Set([
  "add",
  "sub",
  "mul",
  "div",
  "square",
  "neg",
] satisfies ReadonlyArray<Operator.ShippedName>)

/** What of the model a user changes most. Whatever is left out is in `defaults`. */
export interface Settings {
  readonly trees?: number | undefined
  readonly depth?: number | undefined
  /** The links of the response, the likeliest first; `[Link.identity]` for y itself. */
  readonly links?: ReadonlyArray<Link.Link> | undefined
  /** how closely y is known, in standard deviations; `Likelihood.defaultResolution` if left out */
  readonly resolution?: number | undefined
  readonly coefficients?: Likelihood.HyperG | undefined
}

/** The prior of links: `firstLink` for the first, the rest in equal parts. */
const linkWeights = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => {
    if (count === 1) return 1
    return index === 0 ? defaults.firstLink : (1 - defaults.firstLink) / (count - 1)
  })

/**
 * The law behind data, nothing known of it: at most K terms, each in or out, under a response link, coefficients with a
 * mixture of g-priors.
 *
 *     y = h(b_0 + sum_(k included) b_k f_k(x)) + noise
 *
 * Its sites are `operatorWeights`, `featureWeights`, `trees.split`, `trees.operator`, `trees.terminal`, `trees.included`
 * and `link`. Fit it with `Objective.inclusive`.
 *
 * @throws LikelihoodError when `links` is empty or names a link twice
 */
export const model = (grammar: Grammar.Grammar, settings: Settings = {}) =>
  Model.gen(function* () {
    const { trees = defaults.trees, depth = defaults.depth, links = defaults.links } = settings
    if (links.length === 0)
      throw new Likelihood.LikelihoodError({
        message: "a law has no link; give [Link.identity] where y itself is a sum of terms",
      })
    const { arithmetic, other, terminal } = defaults.concentration
    const operators = yield* Model.sample(
      "operatorWeights",
      Dist.dirichlet(grammar.operators.map(({ name }) => (arithmeticNames.has(name) ? arithmetic : other))),
    )
    const features = yield* Model.sample(
      "featureWeights",
      Dist.dirichlet.symmetric(grammar.terminals.length, terminal),
    )
    const split = Prior.depthDecay(defaults.split.alpha, defaults.split.delta)
    const [forest, included] = yield* Model.plate(
      "trees",
      trees,
      Effect.all([
        Tree.prior({ grammar, depth, split, operators, features }),
        Model.sample("included", Dist.bernoulli(defaults.inclusion)),
      ]),
    )
    const site = yield* Model.sample("link", Dist.categorical(linkWeights(links.length)))
    const { coefficients, resolution } = settings
    yield* Model.observe(
      "y",
      Likelihood.selectedLinear(forest, { coefficients, resolution, included, link: { site, links } }),
    )
  })

/** What the search asks for: the sites of the model, the objective, and what other objectives need. */
export type Inference<R> =
  R | Objective.Objective | Stop.Stop | Relaxation.Relaxation | Optimizer.Optimizer | Backend

/**
 * The inference for any model: mean-field family, `Objective.inclusive`, and an end after `time` seconds unless the
 * search settles before. It runs on the project's own kernels whatever the backend. What is provided before it counts:
 *
 * @example
 * Infer.fit(law, data).pipe(
 *   Effect.provide(Objective.inclusive({ rows: 2000 })),
 *   Effect.provide(Law.inference(law, { time: 10 })),
 * )
 *
 * @param settings.time seconds, 60 by default
 */
export const inference = <A, R>(
  program: Model.Model<A, R>,
  settings: { readonly time?: number | undefined } = {},
): Layer.Layer<Inference<R>> =>
  Layer.mergeAll(
    Family.meanField(program),
    Objective.inclusive(),
    Layer.succeed(Stop.Stop, {
      steps: undefined,
      rule: Stop.afterSeconds(settings.time ?? defaults.time),
    }),
    // Objectives over relaxed trees need these; this one does not look at them.
    Relaxation.concrete({ temperature: () => 1 }),
    Optimizer.layer(Optimizer.adamW({ learningRate: 0 })),
    Layer.succeed(Backend, { name: "simd", note: undefined }),
  )

/**
 * Ranks what a search has found: its best ensembles exactly on all rows, constants that are exact numbers as such
 * (`Rank.rounded`), equivalent models as one that is shown by the simplest. Best first; posterior probabilities are
 * among what is ranked.
 *
 * @param posterior of a fit with `Objective.inclusive`, or a running one
 * @errors CompileError as of `Scorer.make`; FitError when the data rule out every ensemble
 */
export const rank =
  (data: Parameters<typeof Scorer.make>[1]) =>
  (posterior: LawRanking.Searched): Effect.Effect<Rank.Ranking, CompileError | FitError> =>
    Effect.flatMap(LawRanking.make(posterior, data), ({ ranking }) => ranking)

/** A step of a search. */
export interface Step extends Infer.StepInfo {
  /** how many ensembles have been scored */
  readonly scored: number
  /**
   * The best law so far, scored exactly on the training rows, or some of them where there are very many: worked out when
   * asked for, and again when the search has found a better one.
   */
  readonly best: () => Ranked.Model | undefined
}

/** What a user may choose for a fit in one call. Whatever is left out is general. */
export interface Options extends Pick<Settings, "trees" | "depth" | "links">, LawGrammar.Settings {
  /** in place of `operators` and `constants`: over features of the data */
  readonly grammar?: Grammar.Grammar | undefined
  /** seconds that the search takes at most; 60 by default */
  readonly time?: number | undefined
  /** the share of rows that is set aside for out-of-sample errors, in [0, 1); 0.1 by default */
  readonly testFraction?: number | undefined
  /** another inference in place of `inference`, which then says itself how long it takes */
  readonly inference?: ((program: Law) => Layer.Layer<Inference<Model.SitesOf<Law>>>) | undefined
}

export type Law = ReturnType<typeof model>
export type { Source } from "./Source.ts"
export type { Fitted } from "./Fitted.ts"

/**
 * From a table to laws in one call: sets test rows aside, searches for the model's most probable ensembles until nothing
 * better comes or time is up, and ranks them exactly (`rank`). The seed is that of `Infer.seed`. Needs WebAssembly SIMD.
 *
 * @param onStep is told of every step
 *
 * @example
 * const fit = yield* Law.fit({ X, y })
 * infix(fit.best.expression)
 */
export const fit = (
  source: Source.Source,
  options: Options = {},
  onStep: (step: Step) => void = () => undefined,
): Effect.Effect<Fitted.Fitted, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const started = performance.now()
    const key = Rng.fold(Rng.key(yield* Infer.Seed), "law")
    const data = yield* Source.split(source, options.testFraction, key)
    const { features } = data.train
    const program = model(options.grammar ?? LawGrammar.make(features, options), options)
    const layer = (options.inference ?? ((law) => inference(law, options)))(program)
    const [running, backend] = yield* Effect.all([Infer.run(program, data.train), Backend]).pipe(
      Effect.provide(layer),
    )
    const ranker = yield* LawRanking.make(running, {
      train: data.train,
      test: data.test.rows === 0 ? undefined : data.test,
    })
    let last = running.initial
    yield* Stream.runForEach(running.steps, ({ info, state }) =>
      Effect.sync(() => {
        last = state
        onStep({ ...info, scored: running.archive?.scored() ?? 0, best: () => ranker.best(info.elbo) })
      }),
    )
    const seconds = (): number => (performance.now() - started) / 1000
    const posterior = Infer.posterior(running, last, seconds())
    const ranking = yield* ranker.ranking
    return Fitted.make(features, { ranking, posterior, backend, seconds: seconds() })
  }).pipe(Effect.scoped, Declared.orFail)
