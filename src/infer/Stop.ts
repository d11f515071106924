import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Setting from "../errors/Setting.ts"

/** Why a fit ended. */
export type StopReason =
  /** it took the largest number of steps */
  | "steps"
  /** the objective stopped rising, or the algorithm has converged */
  | "converged"
  /** it scored the largest number of ensembles */
  | "effort"
  /** it reached its time limit */
  | "time"
  /** a stop was requested; the posterior is valid */
  | "interrupted"
  /** it reached its limit of memory; the posterior is valid */
  | "memory"
  /** too many consecutive steps were not finite */
  | "diverged"

/**
 * Whether a fit was ended at a place that is another at every run.
 *
 * *When to use*: before results are compared between runs or machines: those of such fits differ.
 */
export const isLate = (reason: StopReason | undefined): boolean =>
  reason === "time" || reason === "interrupted" || reason === "memory"

/** The progress of a fit after a step, which a rule decides by. */
export interface Progress {
  readonly step: number
  /** wall-clock seconds since the start of the fit */
  readonly seconds: number
  /** the objective of every finite step so far, in order: the ELBO, or the score of the best ensemble */
  readonly trace: ReadonlyArray<number>
  /** the number of consecutive steps, the last one included, that were not finite */
  readonly failures: number
  /** the number of ensembles scored so far; 0 for an algorithm that scores none */
  readonly scored: number
}

/**
 * A stopping rule: the reason to stop, or undefined to continue.
 *
 * *When to use*: write one where the end depends on the objective, as a score that is reached; the rules below see steps, seconds and
 * ensembles.
 */
export type Rule = (progress: Progress) => StopReason | undefined

/**
 * The rules of a fit; the first reason counts.
 *
 * *When to use*: provide it by `layer`; by itself for rules without the check for divergence.
 */
export class Stop extends Context.Service<
  Stop,
  { readonly rule: Rule; readonly steps: number | undefined }
>()("vasst/infer/Stop") {}

/**
 * After a number of steps.
 *
 * *When to use*: for ELBO descent, whose steps cost alike. Steps of a search do not: `afterEffort` there.
 */
export const afterSteps =
  (steps: number): Rule =>
  ({ step }) =>
    step >= steps ? "steps" : undefined

/**
 * After a number of wall-clock seconds.
 *
 * *When to use*: where somebody waits for the answer. Two runs have different results: `afterEffort` where they must not.
 *
 * @throws SettingError when the limit is not greater than 0
 */
export const afterSeconds = (limit: number): Rule => {
  Setting.positive("the time limit", limit)
  return ({ seconds }) => (seconds >= limit ? "time" : undefined)
}

/**
 * After a number of scored ensembles, at the end of the step that reaches it. Unlike a time limit it gives the same result on every machine.
 *
 * *When to use*: for results that others can repeat; `afterSeconds` for an answer in time.
 *
 * @throws SettingError when the number is not a whole number from 1 on
 */
export const afterEffort = (scoredMost: number): Rule => {
  Setting.whole("the effort", scoredMost, 1)
  return ({ scored }) => (scored >= scoredMost ? "effort" : undefined)
}

/**
 * When the mean objective of the last `window` steps exceeds that of the previous `window` steps by at most `tolerance`
 * times their pooled standard error, so that no rise is detectable in the noise of the estimate.
 *
 * *When to use*: for ELBO descent. A search reports its own convergence.
 */
export const whenConverged =
  ({ window, tolerance }: { readonly window: number; readonly tolerance: number }): Rule =>
  ({ trace }) => {
    if (trace.length < 2 * window || trace.length % window !== 0) return undefined
    const last = moments(trace.slice(-window))
    const before = moments(trace.slice(-2 * window, -window))
    const error = Math.sqrt((last.variance + before.variance) / window)
    return last.mean - before.mean <= tolerance * error ? "converged" : undefined
  }

/**
 * After `limit` consecutive steps with a value or gradient that is not finite.
 *
 * *When to use*: in rules that are provided without `layer`, which has it already; a smaller limit where a step takes seconds.
 */
export const whenDiverged =
  (limit: number): Rule =>
  ({ failures }) =>
    failures >= limit ? "diverged" : undefined

/**
 * The first of several rules that gives a reason.
 *
 * *When to use*: to give limits of time and effort together as one rule; `layer` joins its `rules` by itself.
 */
export const first =
  (...rules: ReadonlyArray<Rule>): Rule =>
  (progress) => {
    for (const rule of rules) {
      const reason = rule(progress)
      if (reason !== undefined) return reason
    }
    return undefined
  }

const moments = (values: ReadonlyArray<number>): { mean: number; variance: number } => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  return { mean, variance }
}

/**
 * A layer with stopping rules: after `steps` steps if given, when the fit diverges (100 consecutive steps that are not
 * finite), and by the further `rules`. A fit also ends when its algorithm has converged.
 *
 * *When to use*: for `Infer`, `Search` and algorithms of your own. `Law.fit` has `seconds` and `effort` among its settings.
 *
 * @throws SettingError when `steps` is not a whole number from 0 on
 */
export const layer = ({
  steps,
  rules = [],
}: {
  readonly steps?: number | undefined
  readonly rules?: ReadonlyArray<Rule> | undefined
}): Layer.Layer<Stop> => {
  if (steps !== undefined) Setting.whole("the number of steps", steps, 0)
  const limit = steps === undefined ? [] : [afterSteps(steps)]
  return Layer.succeed(Stop, { steps, rule: first(...rules, whenDiverged(100), ...limit) })
}
