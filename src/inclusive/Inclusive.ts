import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import type * as Algorithm from "../infer/Algorithm.ts"
import * as Fit from "../infer/Fit.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import * as Moves from "../search/Moves.ts"
import * as Search from "../search/Search.ts"
import type * as SearchSettings from "../search/Settings.ts"
import type * as Variational from "../infer/Posterior.ts"
import * as FamilyDraws from "./FamilyDraws.ts"
import * as Projection from "./Projection.ts"

/** The settings of a search, and the share of its work that draws from the family have. */
export interface Settings extends SearchSettings.Settings {
  /** the share of the search's work that goes into trees drawn from the family, in [0, 1); 0.1 by default */
  readonly share: number
}

/** The archive of scored ensembles, and the member of the family with the smallest inclusive divergence from them. */
export interface Posterior extends Search.Posterior, Variational.Posterior {
  readonly plan: Plan.Plan
}

/** A search for hard ensembles, in which a family proposes trees and moves towards the best ensembles. */
export type Inclusive = Algorithm.Algorithm<Search.State, Search.Info, Posterior>

/**
 * Collapsed coordinate VI: it minimises the inclusive divergence KL(p || q) from the posterior p over hard ensembles to the
 * family. No tree is relaxed. The search scores hard ensembles with coefficients integrated out. A share of the trees that
 * it tries is drawn from q, and q moves towards the best ensembles by the M-projection, site by site. At the end q is the
 * M-projection of the archive, weighted by posterior probabilities (Koller and Friedman 2009, section 8.5).
 *
 * *When to use*: if a variational posterior over hard trees is needed. For the ranked laws alone use `Search.make`, which
 * needs no family.
 *
 * Fails with a `CompileError` as of `Search.make`, and when a factor of the family cannot be moved (`Projection.make`).
 *
 * @throws SettingError when a setting is not allowed
 */
export const make = (
  plan: Plan.Plan,
  data: Dataset,
  { share = FamilyDraws.usual, ...settings }: Partial<Settings> = {},
): Effect.Effect<Inclusive, CompileError> =>
  Effect.gen(function* () {
    Setting.share("the share of draws", share)
    const projection = yield* Projection.make(plan)
    const moves = settings.moves ?? Moves.all
    const draws = FamilyDraws.make(plan, projection, share)
    const search = yield* Search.make(plan, data, { ...settings, moves: [...moves, draws] })
    return {
      init: search.init,
      step: search.step,
      posterior: (state) => {
        const { archive } = search.posterior(state)
        // The family's move is the last one of the list, so that the last memory is a `FamilyDraws.Memory`.
        const { parameters } = state.core.memories.at(-1) as FamilyDraws.Memory
        return {
          plan,
          archive,
          parameters: FamilyDraws.moved(projection, parameters, archive.ensembles, 1, 1).slice(),
          skipped: 0,
        }
      },
    }
  })

/** `make` of a model. The requirement is the model's own: provide a family. */
export const algorithm = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  settings: Partial<Settings> = {},
): Effect.Effect<Inclusive, CompileError, R> =>
  Effect.flatMap(Plan.trace(model), (plan) => make(plan, data, settings))

/** The posterior at the end of a fit, and the fit's summary. */
export type Fitted = Fit.Fitted<Posterior>

/**
 * Fits a family to the hard ensembles of a model.
 *
 * @param onStep called after every step
 *
 * @example
 * Inclusive.fit(model, data).pipe(Effect.provide([Family.treeConditional(model), Stop.layer({ rules: [Stop.afterSeconds(10)] })]))
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  settings: Partial<Settings> = {},
  onStep: (info: Search.Step) => void = () => undefined,
): Effect.Effect<Fitted, CompileError, R | Stop> =>
  Effect.flatMap(algorithm(model, data, settings), (inclusive) => Fit.fit(inclusive, onStep))

/** A running fit: its algorithm, its seed, and the stream of its steps. */
export type Running = Fit.Running<Search.State, Search.Info, Posterior>

/**
 * A fit as a stream of steps (`Fit.run`).
 *
 * *When to use*: to stop at any step, to look at states, or to write checkpoints. `fit` returns the end only.
 */
export const run = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  settings: Partial<Settings> = {},
  from?: Fit.State<Search.State>,
): Effect.Effect<Running, CompileError, R | Stop> =>
  Effect.flatMap(algorithm(model, data, settings), (inclusive) => Fit.run(inclusive, from))
