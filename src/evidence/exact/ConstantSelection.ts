import type { Target } from "../gPrior.ts"
import type { Regression } from "../responseFit.ts"
import { free as fitFree, refit } from "./restrictedFit.ts"
import * as Restricted from "./restricted.ts"
import * as Exact from "./Exact.ts"
import { type Coefficient, hypothesis } from "./Declared.ts"
import * as State from "./Hypothesis.ts"
import { search } from "./HypothesisSearch.ts"
import { logDensity, logMassFree, logMassOfValues, logThreshold } from "./hypothesisPrior.ts"

/** A fitted model under a hypothesis about its exact constants. */
export interface ConstantSelection {
  /** the hypothesis about each coefficient, intercept first; undefined for columns that lie in the span of others */
  readonly states: ReadonlyArray<State.State | undefined>
  /**
   * Posterior means under the hypothesis, intercept first; 0 for columns in the span of others, exact values for exact
   * constants.
   */
  readonly coefficients: Float64Array
  /** least squares under the hypothesis, in the same order: the coefficients at `rss` */
  readonly leastSquares: Float64Array
  /** the shared scale of ratios, 1 if there are none */
  readonly scale: number
  /**
   * log p(y | hypothesis) up to the constants of the response (the Jacobian of a link with noise on its scale): that of the
   * free model under the likelihood's prior of coefficients, and the log Bayes factor of the hypothesis against the free model
   * whose coefficients are log-uniform (`Constants`), from the residual sums of squares of both fits
   */
  readonly logEvidence: number
  readonly logMass: number
  /** the part of it that exact numbers have by their values (`logMassOfValues`) */
  readonly logMassOfValues: number
  /** log of the odds that its exact numbers need */
  readonly logThreshold: number
  /** the residual sum of squares of least squares under the hypothesis */
  readonly rss: number
  /** the number of fitted coefficients; a shared scale counts as one */
  readonly fitted: number
  /** E[sigma^2] */
  readonly sigma2: number
}

/** The number of hypotheses that are fitted: those of highest approximate evidence. */
const finalists = 4

/**
 * Where coefficients of the free model cancel, the Bayes factor of a hypothesis takes their exact ratio for a coincidence, which it is not: of
 * b1 log(a x - 1) + b2 log(x) with a = 1e8 the ratio of b2 to b1 is -1 to eight digits whatever the law is. So the evidence of a hypothesis is at
 * most that of the restricted model under its own prior, the g-prior given the restriction, and this many nats more: in ordinary laws the first is
 * the larger one by no more.
 */
const beyond = 1

/**
 * The hypothesis about the constants of a regression that has the highest posterior probability, found by Gaussian
 * conditioning and then fitted.
 *
 * @param start coefficients of all columns of the design, from least squares
 * @param declared the only hypothesis beside that all coefficients are free, which it is compared with; searched for if left out
 * @returns undefined when the law is not finite on every row, or there are less than two rows more than columns
 */
export const select = (
  regression: Regression,
  target: Target,
  start: Float64Array,
  options: Pick<State.Problem, "prior" | "table" | "logarithmic" | "linear">,
  declared?: ReadonlyArray<Coefficient>,
): ConstantSelection | undefined => {
  if (regression.y.length <= regression.design.length + 1) return undefined
  const free = fitFree(regression, target, start)
  if (free === undefined) return undefined
  const { geometry, kept } = free
  const within = { ...regression, design: kept.map((k) => regression.design[k]!) }
  const { prior, table, logarithmic, linear } = options
  const given =
    declared &&
    hypothesis(
      kept.map((k) => declared[k]!),
      prior,
      table,
      { logarithmic, linear },
    )
  const open = {
    states: kept.map(() => State.free),
    logMass: logMassFree(prior, kept.length - 1, linear),
  }
  const found = given === undefined ? search({ target, geometry, ...options }, finalists) : [open, given]
  const fitted = found.flatMap(({ states, logMass }) => {
    const known = State.restriction(states)
    const restricted = Restricted.restrict(target, geometry, known)
    if (restricted === undefined) return []
    const fit = refit(within, known, restricted.estimate)
    if (fit === undefined) return []
    const log = restricted.logIntegral(fit.rss) - logDensity({ target, geometry, ...options }, states, fit.t)
    const total = log + logMass - logThreshold(options, states)
    return [{ states, logMass, known, fit, restricted, log, total }]
  })
  const [first, ...others] = fitted
  if (first === undefined) return undefined
  // The first hypothesis is that all coefficients are free: its evidence is that of the likelihood's own prior.
  const own = first.restricted.logEvidence(first.fit.rss)
  const anchor = own.log - first.log
  /** A hypothesis with its evidence, at most that of its own prior. */
  const assessed = (one: typeof first) => {
    const evidence = one === first ? own : one.restricted.logEvidence(one.fit.rss)
    // Of a law without terms the intercept is the law, and of any size: its own prior has the size of the noise.
    const bound = kept.length > 1 ? evidence.log + beyond : Infinity
    const logEvidence = Math.min(one.log + anchor, bound) + one.restricted.logCancellation
    return { ...one, evidence, logEvidence, total: one.total + logEvidence - one.log }
  }
  // Totals are upper bounds of those with the evidence, up to the anchor: few hypotheses need theirs.
  let best: ReturnType<typeof assessed> | undefined
  for (const one of given === undefined ? fitted.toSorted((a, b) => b.total - a.total) : others) {
    if (best !== undefined && best.total >= one.total + anchor) break
    const now = assessed(one)
    if (best === undefined || now.total > best.total) best = now
  }
  if (best === undefined) return undefined
  const { states, known, fit, evidence } = best
  const { leftover } = evidence
  const t = Restricted.towards(geometry, known, fit.t, leftover / (1 - leftover))
  const [values, closest] = [Restricted.at(known, t), Restricted.at(known, fit.t)]
  const shared = states.some(({ _tag }) => _tag === "Ratio")
  const coefficients = new Float64Array(regression.design.length)
  const leastSquares = new Float64Array(regression.design.length)
  const all: Array<State.State | undefined> = regression.design.map(() => undefined)
  kept.forEach((k, index) => {
    coefficients[k] = values[index]!
    leastSquares[k] = closest[index]!
    all[k] = states[index]!
  })
  return {
    states: all,
    coefficients,
    leastSquares,
    scale: shared ? t[t.length - 1]! : 1,
    logEvidence: best.logEvidence,
    logMass: best.logMass,
    logMassOfValues: logMassOfValues(options, states),
    logThreshold: logThreshold(options, states),
    rss: fit.rss,
    fitted: t.length,
    sigma2: evidence.sigma2,
  }
}

/** The hypothesis about one coefficient as text: `2`, `pi/4`, `free`, `3/2 s` for a ratio to the shared scale s. */
export const describe = (state: State.State | undefined): string => {
  if (state === undefined) return "-"
  if (state._tag === "Free") return "free"
  return state._tag === "Fixed" ? Exact.text(state.exact) : `${Exact.text(state.exact)} s`
}
