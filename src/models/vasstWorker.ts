/** VaSST in workers: the settings of a fit as plain data, and the module from which workers build the fit. */
import * as Grammar from "../prob/Grammar.ts"
import type * as Operator from "../expr/Operator.ts"
import * as Layer from "effect/Layer"
import * as Restarts from "../infer/Restarts.ts"
import * as Stop from "../infer/Stop.ts"
import * as Backend from "../vi/Backend.ts"
import * as Infer from "../vi/Infer.ts"
import * as Vasst from "./vasst.ts"

/** The paper's model and inference as plain data. Fields that are left out have the paper's values. */
export interface Spec extends Pick<Vasst.Options, "trees" | "depth" | "learningRate" | "steps"> {
  readonly features: ReadonlyArray<string>
  readonly operators: ReadonlyArray<Operator.Operator>
  /** wall-clock seconds after which a fit stops (`Stop.afterSeconds`) */
  readonly seconds?: number | undefined
  /** the backend of the fits; the fastest that works if left out */
  readonly backend?: Backend.BackendRequest | undefined
  /** the stopping rule `Stop.whenConverged`; none if left out */
  readonly converged?: { readonly window: number; readonly tolerance: number } | undefined
}

/**
 * Fits of the paper's model and inference from several seeds, in workers.
 *
 * @example
 * const posteriors = yield* Restarts.run(restarts, { spec: { features, operators }, data, restarts: 4 })
 */
export const restarts = Restarts.serve(import.meta.url, (spec: Spec) => {
  const { features, operators, trees, depth, learningRate, steps, seconds, converged, backend } = spec
  const model = Vasst.model(Grammar.make({ features, operators }), trees, depth)
  const rules = [
    ...(seconds === undefined ? [] : [Stop.afterSeconds(seconds)]),
    ...(converged === undefined ? [] : [Stop.whenConverged(converged)]),
  ]
  return Infer.recipe(
    model,
    Layer.merge(Vasst.inference(model, { learningRate, steps, rules }), Backend.layer(backend)),
  )
})
