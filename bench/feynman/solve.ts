/**
 * The search that the benchmark measures, and what it is given: one set of operators for all equations.
 */
import * as Effect from "effect/Effect"
import * as Constant from "../../src/prob/Constant.ts"
import * as Dist from "../../src/prob/Dist.ts"
import * as Infer from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import type { ShippedName } from "../../src/expr/Operator.ts"
import type * as Term from "../../src/expr/Term.ts"
import * as Constants from "../../src/evidence/exact/Constants.ts"
import type { Fitted } from "../../src/models/Fitted.ts"
import * as Ensemble from "../../src/rank/Ensemble.ts"
import type * as Model from "../../src/rank/Model.ts"
import * as Rank from "../../src/rank/Rank.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import type { Dataset } from "../../src/data/Data.ts"
import { optionsOf, type Variant } from "./variants.ts"

/** What the search may use, the same for every equation. `forms.py` computes from it what it cannot express. */
export const grammar = {
  operators: ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"],
  /** numbers that are terminals besides the variables */
  constants: [1, 2, Math.PI],
  /** whether terminals may be numbers that are learned */
  learned: false,
  /** terms in the sum, besides the intercept */
  trees: 3,
  depth: 5,
  /** functions of y that the sum may stand for, besides y itself, as `forms.py` names them */
  links: ["square", "sqrt", "inverse", "inverseSquare", "log", "exp", "sin", "cos", "arcsin"],
} as const satisfies {
  readonly operators: ReadonlyArray<ShippedName>
  readonly constants: ReadonlyArray<number>
  readonly learned: boolean
  readonly trees: number
  readonly depth: number
  readonly links: ReadonlyArray<string>
}

/** How long a search may take, and where its randomness comes from. */
export interface Budget {
  /** wall-clock seconds, all in all */
  readonly seconds: number
  readonly seed: number
}

/** An expression that became the best one, when it did. */
export interface Improvement {
  /** since the start of the search */
  readonly seconds: number
  /** y on the user's scale, over the features of the data, constants and all */
  readonly expression: Term.Term
}

/** How many ensembles that came before the answer are compared with it, and for how many seconds at most. */
const compared = { count: 1000, seconds: 8 }
/** The best law is looked at after `first` seconds, and again when that took no more than a `share` of the time. */
const reports = { first: 0.3, share: 0.05 }

/** A law that was the best for a while. */
interface Report {
  readonly seconds: number
  readonly model: Model.Model
}

/** When a law with the fit of the answer was first the best, as far as reports tell, and first scored. */
const firstSight = async (
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
  // Free constants move a fit by a small part of its residuals: only what is so near is worth rounding.
  const near = tolerance + apart(new Float64Array(goal.length)) / 5
  const kept = (archive?.ensembles() ?? []).toSorted((a, b) => b.score - a.score).slice(0, compared.count)
  const until = performance.now() + 1000 * compared.seconds
  for (const one of kept) {
    // What is not looked at any more can only have come earlier.
    if (performance.now() > until) break
    const seconds = secondsOf(one.found)
    if (!(seconds < first)) continue
    const models = Ensemble.fromArchive(grammar, [one]).flatMap((drawn) => scorer.model(drawn) ?? [])
    for (const model of models) {
      if (model.ensemble.key !== best.ensemble.key) {
        if (!(apart(model.residuals()) <= near)) continue
        const law = model.rounded?.(Constants.defaults) ?? model
        if (!(apart(law.residuals()) <= tolerance)) continue
      }
      first = seconds
    }
  }
  return first
}

/** A search that has ended. Its answer is the expression of the last improvement. */
export interface Solution {
  readonly expression: Term.Term
  readonly complexity: number
  readonly seconds: number
  /** seconds until the search scored, or had as its best, the answer or what has its values; undefined where it cannot tell */
  readonly found: number | undefined
  /** why it ended, in a word */
  readonly stop: string
}

/**
 * Searches for the law behind a data set. It ends by itself within `seconds`.
 *
 * @param variant how it differs from the shipped search; not at all if left out
 * @param onImprovement is told of every expression that becomes the best one, in order; the last is the answer
 */
export const solve = async (
  train: Dataset,
  { seconds, seed }: Budget,
  onImprovement: (improvement: Improvement) => void,
  variant?: Variant,
): Promise<Solution> => {
  const started = performance.now()
  const elapsed = (): number => (performance.now() - started) / 1000
  // The exact ranking at the end takes a second or two.
  const time = Math.max(1, seconds - 2.5)
  const options = {
    trees: grammar.trees,
    depth: grammar.depth,
    time,
    testFraction: 0,
    ...optionsOf(variant, time),
    ...(grammar.learned ? { learned: Constant.learned(Dist.normal(0, 10)) } : {}),
  }
  let next = reports.first
  const reported: Array<Report> = []
  /** how many ensembles had been scored after each step, and when that was */
  const clock: Array<{ readonly scored: number; readonly seconds: number }> = []
  const fitted = await Effect.runPromise(
    Law.fit(train, { ...options, operators: grammar.operators }, ({ best, scored }) => {
      clock.push({ scored, seconds: elapsed() })
      if (elapsed() < next) return
      const began = elapsed()
      const model = best()
      next = elapsed() + (elapsed() - began) / reports.share
      if (model === undefined || model === reported.at(-1)?.model) return
      reported.push({ seconds: elapsed(), model })
      onImprovement({ seconds: elapsed(), expression: model.expression })
    }).pipe(Effect.provide(Infer.seed(seed))),
  )
  const { best, posterior } = fitted
  onImprovement({ seconds: elapsed(), expression: best.expression })
  const end = elapsed()
  const found = await firstSight(
    fitted,
    train,
    reported,
    (count) => clock.find(({ scored }) => scored > count)?.seconds ?? end,
  )
  return {
    expression: best.expression,
    complexity: best.complexity,
    seconds: end,
    found: Number.isFinite(found) ? found : undefined,
    stop: posterior.stopReason,
  }
}
