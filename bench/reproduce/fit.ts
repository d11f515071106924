import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { infix } from "../../src/expr/text/infix.ts"
import * as Plan from "../../src/prob/Plan.ts"
import * as Infer from "../../src/infer/Fit.ts"
import type { Posterior } from "../../src/infer/Posterior.ts"
import * as Restarts from "../../src/infer/Restarts.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Law from "../../src/models/law.ts"
import { rmse } from "../../src/evidence/Law.ts"
import type { Model } from "../../src/rank/Model.ts"
import * as Rank from "../../src/rank/Rank.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import * as Backend from "../../src/vi/Backend.ts"
import type { FitError } from "../../src/errors/Errors.ts"
import * as Rng from "../../src/random/Rng.ts"
import { type Judge, judge } from "../recovery.ts"
import { type FitCase, type FitResult, type Found, published, type Settings } from "./case.ts"
import { keysOf, type Sample, sampleOf } from "./data.ts"
import { familyOf, go, grammarOf, inferenceOf, modelOf } from "./method.ts"

/** CPU seconds of this process since some time. */
export const cpuSeconds = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

const describe = (model: Model, by: Judge): Found => ({
  expression: infix(model.expression, { precision: 10 }),
  ...by.recovery(model.terms, model.link.forward),
  lmpse: model.lmpse,
  complexity: model.complexity,
  rmseTrain: model.rmseTrain,
  rmseTest: model.rmseTest ?? Number.NaN,
})

/** What a ranking says, best first; it looks for the law among all that was ranked. */
const report = (
  models: ReadonlyArray<Model>,
  by: Judge,
  top: number,
): Pick<FitResult, "best" | "within" | "top"> => ({
  best: describe(models[0]!, by),
  within: models.some(({ terms, link }) => by.recovery(terms, link.forward).found),
  ...(top > 1 ? { top: models.slice(0, top).map((model) => describe(model, by)) } : {}),
})

/** What there is where none of the drawn ensembles is a model: the mean of y. */
const nothing = ({ train, test }: Sample): Found => {
  const mean = meanOf([...train.y])
  const rmseOf = (y: Float64Array): number => rmse(y, new Float64Array(y.length).fill(mean))
  return {
    expression: mean.toPrecision(10),
    found: false,
    alone: false,
    lmpse: null,
    complexity: 0,
    rmseTrain: rmseOf(train.y),
    rmseTest: rmseOf(test.y),
  }
}

/** A ranking; undefined where every ensemble has a column that is not finite. */
const ranked = <R>(
  ranking: Effect.Effect<Rank.Ranking, FitError, R>,
): Effect.Effect<Rank.Ranking | undefined, never, R> =>
  Effect.catchTag(ranking, "FitError", () => Effect.succeed(undefined))

const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The largest change of a logit of the trees. */
const moved = ({ plan, parameters }: Posterior, seed: number): number => {
  const before = Infer.initialParameters(plan, Rng.split(Rng.key(seed), 2)[0])
  return plan.parameters
    .filter(({ site }) => site.startsWith("trees."))
    .flatMap(({ offset, length }) =>
      Array.from({ length }, (_, i) => Math.abs(parameters[offset + i]! - before[offset + i]!)),
    )
    .reduce((largest, change) => Math.max(largest, change), 0)
}

/** A fit of the paper's model, relaxed or searched. */
const ensemble = async (
  { seed, features, top = 1 }: FitCase,
  settings: Settings,
  sample: Sample,
): Promise<FitResult> => {
  const { train, test } = sample
  const grammar = grammarOf(train.features, sample.operators)
  const program = modelOf(grammar, settings, { sigma0: settings.sigma0 })
  const { restarts, draws: count } = settings
  const [, key] = keysOf(seed)
  const started = process.cpuUsage()
  const fits = Effect.forEach(Restarts.seeds(seed, restarts), (one) =>
    Infer.fit(program, train).pipe(
      Effect.provide(inferenceOf(program, settings)),
      Effect.provide(Layer.mergeAll(Backend.layer("simd"), Infer.seed(one))),
    ),
  )
  const { posteriors, drawn, ranking } = await go(
    Effect.gen(function* () {
      const posteriors = yield* fits
      const { plan, archive } = posteriors[0]!
      if (archive !== undefined) {
        const ranking = yield* Rank.fromPosterior({ train, test, draws: count, key })(posteriors[0]!)
        return { posteriors, drawn: undefined, ranking }
      }
      const scorer = yield* Scorer.make(plan, { train, test })
      const drawn = Restarts.draws(posteriors, plan.likelihood.forest, key, count)
      return { posteriors, drawn, ranking: yield* ranked(Rank.fromDraws(scorer, plan.likelihood, drawn)) }
    }),
  )
  const cpu = cpuSeconds(started)
  const by = judge(sample.problem, features)
  const [first] = posteriors
  const result =
    ranking === undefined
      ? { best: nothing(sample), within: false, distinct: 0, cpu }
      : { ...report(ranking.models, by, top), distinct: ranking.distinct, cpu }
  if (drawn === undefined) return result
  // The same draws with another prior of the coefficients; not part of the method, so that its time does not count.
  const selected = modelOf(grammar, settings, "hyperG")
  const other = await go(
    Effect.gen(function* () {
      const plan = yield* Plan.trace(selected).pipe(Effect.provide(familyOf(selected, settings)))
      const scorer = yield* Scorer.make(plan, { train, test })
      return yield* ranked(Rank.fromDraws(scorer, plan.likelihood, drawn))
    }),
  )
  const steps = first!.elbo.length
  return {
    ...result,
    other: other === undefined ? nothing(sample) : describe(other.models[0]!, by),
    ...(steps > 0
      ? {
          moved: moved(first!, seed),
          elbo: [meanOf(first!.elbo.slice(0, 50)), meanOf(first!.elbo.slice(-50))] as const,
        }
      : {}),
  }
}

/** A fit of `models/law` with the operators of the problem. */
const law = async (
  { seed, features, top = 1 }: FitCase,
  settings: Settings,
  sample: Sample,
): Promise<FitResult> => {
  const { train, test, problem } = sample
  const { operators } = grammarOf(train.features, sample.operators)
  const { trees, depth, steps } = settings
  const started = process.cpuUsage()
  const fitted = await go(
    Law.fit(train, {
      operators,
      trees,
      depth,
      testFraction: 0,
      inference: (program) => Layer.mergeAll(Law.inference(program), Stop.layer({ steps })),
    }).pipe(Effect.provide(Infer.seed(seed))),
  )
  const cpu = cpuSeconds(started)
  const rows = Array.from({ length: test.rows }, (_, i) => test.columns.map((column) => column[i]!))
  const rmseTest = rmse(test.y, fitted.predict(rows))
  const by = judge(problem, features)
  const said = report(fitted.models, by, top)
  return { ...said, best: { ...said.best, rmseTest }, distinct: fitted.ranking.distinct, cpu }
}

/** Runs a fit of VaSST. */
export const runFit = (one: FitCase): Promise<FitResult> => {
  const settings = { ...published, ...one.settings }
  return (settings.method === "law" ? law : ensemble)(one, settings, sampleOf(one))
}
