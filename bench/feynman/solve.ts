/** The search that the benchmark measures. */
import type { Dataset } from "../../src/data/Data.ts"
import type * as Term from "../../src/expr/Term.ts"
import type { Model } from "../../src/rank/Model.ts"
import * as Looks from "../../src/infer/Looks.ts"
import { firstSight, type Report } from "../library/firstSight.ts"
import { searchFor } from "../library/law.ts"
import { grammar } from "./grammar.ts"

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

/** A search that has ended. Its answer is the expression of the last improvement. */
export interface Solution {
  readonly expression: Term.Term
  readonly complexity: number
  /** the probability that it is the law, as it is stated */
  readonly probability: number | undefined
  readonly seconds: number
  /** CPU seconds of the process up to the answer: its start, the search, and the ranking */
  readonly cpu: number
  /** seconds until the search scored, or had as its best, the answer or what has its values; undefined where it cannot tell */
  readonly found: number | undefined
  /** why it ended, in a word */
  readonly stop: string
}

/**
 * Searches for the law behind a data set. It ends by itself within `seconds`.
 *
 * @param variant of bench/library/law.ts; the shipped search if left out
 * @param units of the columns; none are used if left out
 * @param onImprovement is told of every expression that becomes the best one, in order; the last is the answer
 */
export const solve = async (
  train: Dataset,
  { seconds, seed }: Budget,
  onImprovement: (improvement: Improvement) => void,
  variant?: string,
  units?: Readonly<Record<string, string>>,
): Promise<Solution> => {
  const started = performance.now()
  const elapsed = (): number => (performance.now() - started) / 1000
  // The exact ranking at the end takes a second or two.
  const time = Math.max(1, seconds - 2.5)
  // The best law is looked at as seldom as by the command line.
  const looks = Looks.make<Model | undefined>()
  const reported: Array<Report> = []
  /** how many ensembles had been scored after each step, and when that was */
  const clock: Array<{ readonly scored: number; readonly seconds: number }> = []
  const { operators, trees, depth, learned } = grammar
  const given = { operators, trees, depth, learned, seed, variant, units }
  const fitted = await searchFor(train, time, given, ({ best, scored }) => {
    clock.push({ scored, seconds: elapsed() })
    const model = looks.at(elapsed(), best)
    if (model === undefined || model === reported.at(-1)?.model) return
    reported.push({ seconds: elapsed(), model })
    onImprovement({ seconds: elapsed(), expression: model.expression })
  })
  const { best, posterior } = fitted
  onImprovement({ seconds: elapsed(), expression: best.expression })
  const end = elapsed()
  // The look for the first hit comes after the answer.
  const { user, system } = process.cpuUsage()
  const found = await firstSight(
    fitted,
    train,
    reported,
    (count) => clock.find(({ scored }) => scored > count)?.seconds ?? end,
  )
  return {
    expression: best.expression,
    complexity: best.complexity,
    probability: best.probability,
    seconds: end,
    cpu: (user + system) / 1e6,
    found: Number.isFinite(found) ? found : undefined,
    stop: posterior.stopReason,
  }
}
