/**
 * VaSST: variational inference over soft symbolic trees, the model and the method of the paper, written with the public
 * combinators only. It has every constant of the paper's table "Common experimental settings".
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dist from "../prob/Dist.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Model from "../prob/Model.ts"
import * as Operator from "../expr/Operator.ts"
import * as Prior from "../prob/Prior.ts"
import * as Setting from "../errors/Setting.ts"
import * as Tree from "../prob/Tree.ts"
import * as Family from "../vi/Family.ts"
import { Seed } from "../infer/Fit.ts"
import * as Keeper from "../infer/Keeper.ts"
import * as Infer from "../vi/Infer.ts"
import * as Objective from "../vi/Objective.ts"
import * as Optimizer from "../vi/Optimizer.ts"
import * as Stop from "../infer/Stop.ts"
import * as Turn from "../infer/Turn.ts"
import type { Model as Ranked } from "../rank/Model.ts"
import * as Rank from "../rank/Rank.ts"
import * as Relaxation from "../vi/Relaxation.ts"
import * as Schedule from "../vi/Schedule.ts"
import { Backend } from "../vi/Backend.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import * as Deadline from "../rank/Deadline.ts"
import * as Rng from "../random/Rng.ts"
import * as Declared from "./Declared.ts"
import * as Fits from "./Fitted.ts"
import * as Limits from "./Limits.ts"
import * as Source from "./Source.ts"
import * as Subject from "./Subject.ts"

/** The settings of all experiments of the paper. */
export const paper = {
  trees: 3,
  depth: 3,
  split: { alpha: 0.95, delta: 2 },
  concentration: 1,
  coefficients: { mu0: 0, sigma0: 10 },
  noise: { a0: 2, b0: 2 },
  learningRate: 5e-5,
  betas: [0.9, 0.99],
  steps: 2000,
  samples: 8,
  gradientClip: 1,
  temperature: { start: 1, end: 0.5, steps: 1500 },
  valueClip: 200,
  logitsClip: 10,
  draws: 2000,
  top: 10,
  testFraction: 0.1,
} as const

/**
 * The model: K trees with a common prior, their operators and terminals drawn with latent weights, and a linear
 * likelihood over them (Eqs. vasst-model, skeleton-prior and weight-priors). Fitted constants of the grammar have
 * latent values.
 */
export const model = <const G extends Grammar.Grammar>(
  grammar: G,
  trees: number = paper.trees,
  depth: number = paper.depth,
) =>
  Model.gen(function* () {
    const operators = yield* Model.sample(
      "operatorWeights",
      Dist.dirichlet.symmetric(grammar.operators.length, paper.concentration),
    )
    const features = yield* Model.sample(
      "featureWeights",
      Dist.dirichlet.symmetric(grammar.terminals.length, paper.concentration),
    )
    const split = Prior.depthDecay(paper.split.alpha, paper.split.delta)
    const forest = yield* Model.plate(
      "trees",
      trees,
      Tree.prior({ grammar, depth, split, operators, features, values: true }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(forest, { ...paper.coefficients, ...paper.noise }))
  })

/** Settings of the paper's inference. Fields that are left out have the paper's values. */
export interface InferenceSettings {
  readonly learningRate?: number | undefined
  readonly steps?: number | undefined
  /** further stopping rules */
  readonly rules?: ReadonlyArray<Stop.Rule> | undefined
}

/**
 * The paper's inference for any model: mean-field family, Binary-Concrete and Gumbel-Softmax relaxation with a
 * linearly annealed temperature, Monte Carlo ELBO, AdamW with clipped gradients (Algorithm "VaSST").
 */
export const inference = <A, R>(program: Model.Model<A, R>, settings: InferenceSettings = {}) => {
  const { start, end, steps: annealing } = paper.temperature
  const { learningRate = paper.learningRate, steps = paper.steps, rules = [] } = settings
  return Layer.mergeAll(
    Family.meanField(program, { ...Family.paperLogits, logitsClip: paper.logitsClip }),
    Relaxation.concrete({
      temperature: Schedule.linear(start, end, annealing),
      valueClip: paper.valueClip,
    }),
    Objective.elbo({ samples: paper.samples }),
    Optimizer.layer(
      Optimizer.chain(
        Optimizer.clipByNorm(paper.gradientClip),
        Optimizer.adamW({ learningRate, betas: paper.betas }),
      ),
    ),
    Stop.layer({ steps, rules }),
  )
}

/** Options of a fit in one call. Fields that are left out have the paper's values. */
export interface Options extends InferenceSettings {
  /** names of shipped operators, or your own operators; add, sub, mul, div and square by default */
  readonly operators?: ReadonlyArray<Operator.ShippedName | Operator.Operator> | undefined
  /** the number of trees, K */
  readonly trees?: number | undefined
  /** the maximum depth of a tree, D */
  readonly depth?: number | undefined
  /** the number of hard ensembles that are drawn and ranked, H */
  readonly draws?: number | undefined
  /** the share of rows that is set aside for out-of-sample errors, in [0, 1) */
  readonly testFraction?: number | undefined
  /** the limit of time in seconds, the ranking included: then fewer ensembles are drawn, too; none if left out */
  readonly time?: number | undefined
  /** seconds of `time` that have passed before the call, such as those of reading the data; 0 by default */
  readonly spent?: number | undefined
}

/** The default operators of a fit. */
export const defaultOperators: ReadonlyArray<Operator.ShippedName> = ["add", "sub", "mul", "div", "square"]

export type { Source } from "./Source.ts"
/** A finished fit, with the backend that it ran on. */
export interface Fitted<F extends string = string> extends Fits.Fitted<
  Infer.Fitted,
  Ranked,
  Rank.Ranking,
  F
> {
  readonly backend: Backend["Service"]
}

/**
 * The whole method in one call (Algorithm "VaSST"): sets test rows aside, fits the paper's model with the paper's
 * inference, draws hard ensembles and ranks them by log marginal posterior. The seed is that of `Fit.seed`.
 *
 * *When to use*: to reproduce the paper, or compare with it; `Law.fit` for laws of unknown form.
 *
 * @param onStep called after every step
 *
 * @example
 * const fit = yield* Vasst.fit({ X, y }, { operators: ["mul", "sin", "cos"] })
 * fit.best.expression
 */
export const fit = <const F extends string = string>(
  source: Source.Source<F>,
  options: Options = {},
  onStep?: (info: Infer.Step) => void,
): Effect.Effect<Fitted<F>, DataError | CompileError | FitError, Backend> =>
  Effect.gen(function* () {
    const { time, spent } = options
    const clock = Limits.start({ time, spent }, Infinity)
    const backend = yield* Backend
    const { trees = paper.trees, depth = paper.depth, draws = paper.draws } = options
    const seed = yield* Seed
    const [splitKey, drawKey] = Rng.split(Rng.fold(Rng.key(seed), "vasst"), 2)
    const { train, test } = yield* Source.split(source, options.testFraction ?? paper.testFraction, splitKey)
    Setting.whole("the number of draws", draws, 1)
    const operators = Operator.named(options.operators ?? defaultOperators)
    const program = model(Grammar.make({ features: train.features, operators }), trees, depth)
    const limit = time === undefined ? undefined : clock.search(train.rows)
    const rules = [...(options.rules ?? []), ...(limit === undefined ? [] : [Stop.afterSeconds(limit)])]
    const posterior = yield* Infer.fit(program, train, onStep).pipe(
      Effect.provide(inference(program, { ...options, rules })),
      Keeper.part("steps", () => Subject.of(seed, train, options)),
    )
    const used = Deadline.begun(clock.deadline)
    // The other half is for their scores.
    const setting = { train, test, draws, key: drawKey, late: () => used(0.5) }
    const ranking = yield* Turn.pausing(Rank.fromPosterior(setting)(posterior))
    return { ...Fits.make(train.features, { ranking, posterior, seconds: clock.seconds() }), backend }
  }).pipe(Declared.orFail)
