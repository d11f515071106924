import * as Effect from "effect/Effect"
import type { Dataset } from "../../src/data/Data.ts"
import * as Constants from "../../src/evidence/exact/Constants.ts"
import type { Fitted } from "../../src/models/law.ts"
import * as Ensemble from "../../src/rank/Ensemble.ts"
import type { Model } from "../../src/rank/Model.ts"
import * as Rank from "../../src/rank/Rank.ts"
import * as Scorer from "../../src/rank/Scorer.ts"

/** How many ensembles that came before the answer are compared with it, and for how many seconds at most. */
const compared = { count: 1000, seconds: 8 }

/** A law that was the best for a while. */
export interface Report {
  readonly seconds: number
  readonly model: Model
}

/**
 * When a law with the fit of the answer was first the best, as far as reports tell, and first scored; Infinity where neither
 * is known.
 *
 * @param secondsOf the seconds after which a number of ensembles had been scored
 */
export const firstSight = async (
  { best, posterior }: Fitted,
  train: Dataset,
  reported: ReadonlyArray<Report>,
  secondsOf: (scored: number) => number,
): Promise<number> => {
  const { plan, archive } = posterior
  const { grammar } = plan.likelihood.forest
  const scorer = await Effect.runPromise(Scorer.make(plan, { train }))
  const tolerance = Rank.sameFit * scorer.scale
  const goal = best.residuals()
  const apart = (values: Float64Array): number =>
    Math.sqrt(values.reduce((sum, value, i) => sum + (value - goal[i]!) ** 2, 0) / values.length)
  let first = reported.find(({ model }) => apart(model.residuals()) <= tolerance)?.seconds ?? Infinity
  // Free constants move a fit by a small part of its residuals: only fits this near are worth rounding.
  const near = tolerance + apart(new Float64Array(goal.length)) / 5
  const kept = archive.ensembles.toSorted((a, b) => b.score - a.score).slice(0, compared.count)
  const until = performance.now() + 1000 * compared.seconds
  for (const one of kept) {
    // Time is short: ensembles that are left out could only have come earlier.
    if (performance.now() > until) break
    const seconds = secondsOf(one.found)
    if (!(seconds < first)) continue
    const models = Ensemble.fromArchive(grammar, [one]).flatMap((drawn) => scorer.model(drawn) ?? [])
    for (const model of models) {
      if (model.ensemble.key !== best.ensemble.key) {
        if (!(apart(model.residuals()) <= near)) continue
        const law = model.exact?.(Constants.defaults) ?? model
        if (!(apart(law.residuals()) <= tolerance)) continue
      }
      first = seconds
    }
  }
  return first
}
