/**
 * The paper's model and inference with every choice open that settings name. The published settings give what `Vasst.fit`
 * gives, seed by seed; a test holds it.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dist from "../../src/prob/Dist.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as Model from "../../src/prob/Model.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Inclusive from "../../src/inclusive/Inclusive.ts"
import * as Objectives from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Vasst from "../../src/models/vasst.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"
import * as Rng from "../../src/random/Rng.ts"
import type { Dataset } from "../../src/data/Data.ts"
import type { FitError } from "../../src/errors/Errors.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Elbo from "../../src/vi/Elbo.ts"
import * as Infer from "../../src/vi/Infer.ts"
import { drawsTogether } from "../../src/infer/Posterior.ts"
import * as Restarts from "../../src/infer/Restarts.ts"
import * as Plan from "../../src/prob/Plan.ts"
import * as Rank from "../../src/rank/Rank.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import * as Backend from "../../src/vi/Backend.ts"
import type { Compiled } from "../../src/vi/engines/Engine.ts"
import * as Simd from "../../src/vi/engines/simd/engine.ts"
import { published, type Settings } from "./settings.ts"

const { paper } = Vasst

/** The grammar of a case. Throws when an operator does not ship. */
export const grammarOf = (
  features: ReadonlyArray<string>,
  operators: ReadonlyArray<string>,
): Grammar.Grammar => {
  const shipped: Readonly<Record<string, Operator.Operator>> = Operator.shipped
  return Grammar.make({
    features,
    operators: operators.map((name) => {
      const found = shipped[name]
      if (found === undefined) throw new Error(`there is no operator ${name}`)
      return found
    }),
  })
}

type Coefficients = { readonly sigma0: number } | "hyperG"

/** The paper's model; with the hyper-g/n prior of coefficients in place of the paper's it can be ranked, not relaxed. */
export const modelOf = (
  grammar: Grammar.Grammar,
  { trees, depth }: Pick<Settings, "trees" | "depth">,
  coefficients: Coefficients,
) =>
  Model.gen(function* () {
    const weights = (length: number) => Dist.dirichlet.symmetric(length, paper.concentration)
    const operators = yield* Model.sample("operatorWeights", weights(grammar.operators.length))
    const features = yield* Model.sample("featureWeights", weights(grammar.terminals.length))
    const split = Prior.depthDecay(paper.split.alpha, paper.split.delta)
    const forest = yield* Model.plate(
      "trees",
      trees,
      Tree.prior({ grammar, depth, split, operators, features }),
    )
    const { mu0 } = paper.coefficients
    yield* Model.observe(
      "y",
      coefficients === "hyperG"
        ? Likelihood.selectedLinear(forest)
        : Likelihood.conjugateLinear(forest, { mu0, sigma0: coefficients.sigma0, ...paper.noise }),
    )
  })

export type Program = ReturnType<typeof modelOf>

/** As a factor maker, but logits start about 0 whatever the prior. */
const fromHalf = (maker: Family.FactorMaker<"binary">, scatter: number): Family.FactorMaker<"binary"> => ({
  ...maker,
  make: (site) => {
    const factor = maker.make(site)
    return {
      ...factor,
      parameters: factor.parameters.map((slot) => ({
        ...slot,
        initialise: (key) => {
          const length = slot.shape.reduce((product, size) => product * size, 1)
          return Rng.normal(key, new Float64Array(length)).map((z) => scatter * z)
        },
      })),
    }
  },
})

/** The mean-field family of a case. */
export const familyOf = (program: Program, settings: Pick<Settings, "logitsClip" | "scatter" | "splits">) => {
  const { logitsClip, scatter, splits } = settings
  // A bound that no logit reaches is none.
  const logits = { logitsClip: logitsClip ?? 1e6, initialScale: scatter }
  const { factors } = Family
  if (splits === "prior") return Family.meanField(program, logits)
  return Family.make(program)({
    operatorWeights: factors.dirichlet(),
    featureWeights: factors.dirichlet(),
    "trees.split": fromHalf(factors.bernoulli(logits), scatter),
    "trees.operator": factors.categorical(logits),
    "trees.terminal": factors.categorical(logits),
  })
}

/**
 * The inference of one restart of a case: as many steps as come to its share.
 */
export const inferenceOf = (program: Program, settings: Settings) => {
  const { rate, restarts, start, end, annealing, samples, valueClip, warmUp, decay } = settings
  const steps = Math.round(settings.steps / restarts)
  return Layer.mergeAll(
    familyOf(program, settings),
    Relaxation.concrete({
      temperature: Schedule.linear(start, end, Math.round(annealing * steps)),
      ...(valueClip === null ? {} : { valueClip }),
    }),
    Objectives.elbo({
      samples,
      ...(warmUp === 0 ? {} : { divergenceWeight: Schedule.warmUp(Math.round(warmUp / restarts)) }),
    }),
    Optimizer.layer(
      Optimizer.chain(
        Optimizer.clipByNorm(paper.gradientClip),
        Optimizer.adamW({ learningRate: rate, betas: paper.betas, weightDecay: decay }),
      ),
    ),
    Stop.layer({ steps }),
  )
}

const go = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

/** Fits the model once on the simd engine, with the steps of one restart. */
const fitOnce = (program: Program, train: Dataset, settings: Settings, seed: number) =>
  Infer.fit(program, train).pipe(
    Effect.provide(inferenceOf(program, settings)),
    Effect.provide(Layer.mergeAll(Backend.layer("simd"), Fit.seed(seed))),
  )

/** Searches hard trees with the family of a case taking part. */
const searchOnce = (program: Program, train: Dataset, settings: Settings, seed: number) =>
  Inclusive.fit(program, train).pipe(
    Effect.provide([familyOf(program, settings), Stop.layer({ steps: settings.steps }), Fit.seed(seed)]),
  )

/** Fits the model once. */
export const fit = (
  program: Program,
  train: Dataset,
  settings: Settings,
  seed: number,
): Promise<Infer.Fitted> => go(fitOnce(program, train, settings, seed))

/** Where the fit of a seed starts. */
export const initialParameters = (plan: Plan.Plan, seed: number): Float64Array =>
  Elbo.initialParameters(plan, Rng.split(Rng.key(seed), 2)[0])

/** Fits of all restarts, and the ranking of the ensembles that they found. */
export interface Trained {
  /** of the first restart */
  readonly posterior: Infer.Fitted
  /** undefined where no ensemble is a model: each has a column that is not finite */
  readonly ranking: Rank.Ranking | undefined
  /** The ranking of the same draws with the hyper-g/n prior of coefficients; undefined where the method draws none. */
  readonly otherwise: (() => Promise<Rank.Ranking | undefined>) | undefined
}

const ranked = <R>(
  ranking: Effect.Effect<Rank.Ranking, FitError, R>,
): Effect.Effect<Rank.Ranking | undefined, never, R> =>
  Effect.catchTag(ranking, "FitError", () => Effect.succeed(undefined))

/**
 * Fits the model with all restarts, and ranks their draws, or the ensembles that a search archived.
 *
 * @param seed of the fits
 * @param key of the draws
 */
export const train = (
  grammar: Grammar.Grammar,
  settings: Settings,
  data: { readonly train: Dataset; readonly test: Dataset },
  seed: number,
  key: Rng.Key,
): Promise<Trained> =>
  go(
    Effect.gen(function* () {
      const program = modelOf(grammar, settings, { sigma0: settings.sigma0 })
      const { restarts, draws } = settings
      if (settings.method === "collapsed") {
        const posterior = yield* searchOnce(program, data.train, settings, seed)
        const ranking = yield* Rank.fromPosterior({ ...data, draws, key })(posterior)
        return { posterior, ranking, otherwise: undefined }
      }
      const posteriors = yield* Effect.forEach(Restarts.seeds(seed, restarts), (one) =>
        fitOnce(program, data.train, settings, one),
      )
      const posterior = posteriors[0]!
      const { plan } = posterior
      const scorer = yield* Scorer.make(plan, data)
      const drawn = drawsTogether(posteriors, plan.likelihood.forest, key, draws)
      const ranking = yield* ranked(Rank.fromDraws(scorer, plan.likelihood, drawn))
      const selected = modelOf(grammar, settings, "hyperG")
      const otherwise = () =>
        go(
          Effect.gen(function* () {
            const plan = yield* Plan.trace(selected).pipe(Effect.provide(familyOf(selected, settings)))
            const scorer = yield* Scorer.make(plan, data)
            return yield* ranked(Rank.fromDraws(scorer, plan.likelihood, drawn))
          }),
        )
      return { posterior, ranking, otherwise }
    }),
  )

/** The value of the objective and its gradient, at given parameters and noise. */
export type Objective = Pick<Compiled, "valueAndGradient">

/** The relaxed objective of the published model on the simd engine, with S samples, while `use` lasts. */
export const objectiveOf = <A>(
  plan: Plan.Plan,
  train: Dataset,
  samples: number,
  use: (objective: Objective) => A,
): Promise<A> => {
  const program = modelOf(plan.likelihood.forest.grammar, published, { sigma0: published.sigma0 })
  return go(
    Effect.gen(function* () {
      const { soft } = yield* Relaxation.Relaxation
      const objective = yield* Objectives.Objective
      return use(yield* Simd.engine.compile(plan, train, soft, objective.form))
    }).pipe(Effect.scoped, Effect.provide(inferenceOf(program, { ...published, samples }))),
  )
}
