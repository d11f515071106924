import * as Effect from "effect/Effect"
import type * as Data from "../data/Data.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import * as Fit from "../infer/Fit.ts"
import * as Law from "../models/law.ts"
import * as Plan from "../prob/Plan.ts"
import * as Declared from "../models/Declared.ts"
import * as Rng from "../random/Rng.ts"
import type * as Prediction from "../rank/Prediction.ts"
import * as Signs from "../rank/Signs.ts"
import { levels } from "./calibration.ts"
import { numberPlaces } from "./numberPlaces.ts"
import * as PriorData from "./priorData.ts"
import * as SameLaw from "./sameLaw.ts"
import { pow } from "../numeric/Power.ts"

/** A fit of data whose law was drawn from the prior of the model, and whether its statements are right. */
export interface Simulated {
  readonly seed: number
  readonly effort: number
  /** the relative noise of the data, 0 of a part of them */
  readonly noise: number
  readonly signs: Signs.Signs
  readonly stop: string
  /** for each of the first models, best first: its share among the models ranked, and whether it is the law */
  readonly answers: ReadonlyArray<{
    readonly share: number
    readonly probability: number
    readonly right: boolean
  }>
  /** the shares of new rows whose response is in the predictive band of a level, and whose value of the true law in the credible band */
  readonly bands: ReadonlyArray<{
    readonly level: number
    readonly predictive: number
    readonly credible: number
  }>
  /** the places of the true numbers in the posterior of the fitted ones (`numberPlaces`); none where the first law is not right, or there is no noise */
  readonly numbers: ReadonlyArray<number>
}

/** Rows that the law is judged on beside those of the fit, and the models that are judged. */
const [fresh, judged] = [200, 5]

/** Columns as tables have them: uniform, over decades, or around 0. */
const column = (rows: number, random: Rng.Generator): Float64Array => {
  const kind = random.next()
  const [low, width] = [0.2 + random.next(), 1 + 5 * random.next()]
  return Float64Array.from({ length: rows }, () => {
    const u = random.next()
    if (kind < 0.5) return low + width * u
    return kind < 0.8 ? low * pow(10, 2 * u) : width * (u - 0.5)
  })
}

export interface Settings {
  readonly seed: number
  /** the number of ensembles that the fit scores */
  readonly effort: number
  /** the model whose prior the law is drawn from, and which is fitted; the default model if left out */
  readonly options?: Omit<Law.Options, "error" | "weights" | "likelihood" | "grammar"> | undefined
}

/** A table of 10 to 200 rows and one to three columns, whose law is drawn from the prior of the model. */
const table = ({ seed, options = {} }: Settings) =>
  Effect.gen(function* () {
    const key = Rng.fold(Rng.key(seed), "simulation")
    const random = Rng.generator(key)
    const rows = Math.round(10 * pow(20, random.next()))
    const features = Array.from({ length: 1 + Math.floor(3 * random.next()) }, (_, j) => `x${j}`)
    const all = rows + fresh
    const data: Data.Dataset = {
      features,
      columns: features.map(() => column(all, random)),
      target: "y",
      y: new Float64Array(all),
      rows: all,
    }
    const plan = yield* Plan.declared(Law.programOf(data, options))
    const law = yield* PriorData.draw(plan, data, Rng.fold(key, "prior"))
    const level = law.mean.reduce((sum, value) => sum + value, 0) / all
    const scale =
      law.trees.length === 0
        ? 1
        : Math.sqrt(law.mean.reduce((sum, value) => sum + (value - level) ** 2, 0) / all)
    const noise = random.next() < 0.2 && law.trees.length > 0 ? 0 : pow(10, -3 + 3 * random.next())
    const y = law.mean.map((value) => value + noise * scale * random.normal())
    return { plan, law, noise, rows, data: { ...data, y } }
  })

const first = (data: Data.Dataset, rows: number): Data.Dataset => ({
  ...data,
  columns: data.columns.map((values) => values.slice(0, rows)),
  y: data.y.slice(0, rows),
  rows,
})

const placesOf = (model: Law.Fitted["best"], truth: Data.Dataset): ReadonlyArray<number> => {
  const fitted = model.law()
  return (fitted && numberPlaces(fitted, truth)) ?? []
}

/**
 * Draws a law from the prior of a model and data from it, fits the data, and judges the laws that are stated.
 *
 * *When to use*: for the calibration of stated probabilities (`calibration.diagram`).
 */
export const simulate = (
  settings: Settings,
): Effect.Effect<Simulated & { readonly best: Law.Fitted["best"] }, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const { seed, effort, options } = settings
    const { plan, law, noise, rows, data } = yield* table(settings)
    const train = first(data, rows)
    const fit = yield* Law.fit(train, { ...options, effort, workers: 1 }).pipe(Effect.provide(Fit.seed(seed)))
    const isLaw = yield* SameLaw.judge(plan, { ...data, y: law.mean }, law.numbers)
    // A law that is constant has no standard deviation to judge by.
    const right = (model: Law.Fitted["best"]): boolean =>
      law.trees.length === 0 ? model.ensemble.trees.length === 0 : isLaw(model)
    const [best] = fit.models
    const predicted = fit.predict(
      Array.from({ length: fresh }, (_, i) => data.columns.map((values) => values[rows + i]!)),
      { bands: levels },
    )
    const inside = (values: Float64Array, { low, high }: Prediction.Interval): number =>
      low.reduce(
        (sum, least, i) => sum + Number(values[rows + i]! >= least && values[rows + i]! <= high[i]!),
        0,
      ) / fresh
    return {
      seed,
      effort,
      noise,
      signs: Signs.of(fit.posterior, [best!, ...fit.models.slice(1)], train),
      stop: fit.posterior.stopReason,
      answers: fit.models.slice(0, judged).map((model) => ({
        share: model.posterior,
        probability: model.probability ?? model.posterior,
        right: right(model),
      })),
      bands: predicted.bands.map(({ level, predictive, credible }) => ({
        level,
        predictive: inside(data.y, predictive),
        credible: inside(law.mean, credible),
      })),
      numbers: noise > 0 && right(best!) ? placesOf(best!, { ...train, y: law.mean.slice(0, rows) }) : [],
      best: best!,
    }
  }).pipe(Declared.orFail)
