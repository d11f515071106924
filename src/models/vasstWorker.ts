/** VaSST in workers: what of a fit is data, and the module that workers build it by. */
import * as Grammar from "../prob/Grammar.ts"
import type * as Operator from "../expr/Operator.ts"
import * as Layer from "effect/Layer"
import * as Restarts from "../infer/Restarts.ts"
import * as Stop from "../infer/Stop.ts"
import * as Backend from "../vi/Backend.ts"
import * as Infer from "../vi/Infer.ts"
import * as Vasst from "./vasst.ts"

/** The shipped model and its inference as plain data. Whatever is left out is the paper's. */
export interface Spec extends Pick<Vasst.Options, "trees" | "depth" | "learningRate" | "steps"> {
  readonly features: ReadonlyArray<string>
  readonly operators: ReadonlyArray<Operator.Operator>
  /** wall-clock seconds after which a fit stops (`Stop.afterSeconds`) */
  readonly seconds?: number | undefined
  /** what fits run on; the fastest that works if left out */
  readonly backend?: Backend.BackendRequest | undefined
  /** when a fit has converged (`Stop.whenConverged`) */
  readonly converged?: { readonly window: number; readonly tolerance: number } | undefined
}

/**
 * The paper's model and inference from several seeds.
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
