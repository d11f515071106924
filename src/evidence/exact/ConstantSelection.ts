import type { Target } from "../gPrior.ts"
import type { Regression } from "../responseFit.ts"
import { free as fitFree, refit } from "./restrictedFit.ts"
import * as Restricted from "./restricted.ts"
import * as Exact from "./Exact.ts"
import { type Coefficient, hypothesis, statesInside } from "./Declared.ts"
import * as State from "./Hypothesis.ts"
import { unitVector } from "../../numeric/unitVector.ts"
import { isAsked, search } from "./HypothesisSearch.ts"
import { reach } from "./reach.ts"
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
  /** the numbers inside of terms (`Hypothesis.Problem.inner`); undefined for those that the data do not determine beside the others */
  readonly inner: ReadonlyArray<Moved | undefined>
  /** by how much the sum of squares falls with the moves of the free ones, in variances of the noise; `rss` is that without */
  readonly gain: number
  /** the residual sum of squares of the free model */
  readonly rssFree: number
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
  /** the number of fitted coefficients and numbers inside of terms (`inner`); a shared scale counts as one */
  readonly fitted: number
  /** E[sigma^2] */
  readonly sigma2: number
}

/** A number inside of terms under a hypothesis: how far it moves, and its standard error, 0 of an exact one. */
export interface Moved {
  readonly state: State.State
  readonly by: number
  readonly error: number
}

/** What a bound to first order leaves for numbers inside of terms that move, in nats. */
const slack = 2

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
 * @param options.intercept of all hypotheses that are compared; the evidence is relative to the free one as without
 * @param options.inner as in `Hypothesis.Problem`, of the design's columns: none of them may lie in the span of others
 * @param declared the only hypothesis beside that all coefficients are free, which it is compared with; searched for if left out. There is none where
 * numbers inside of terms have other values than it says
 * @param before that hypothesis as it was selected around other numbers inside of terms
 * @param rise by how many nats a hypothesis has to raise the log evidence, with its mass
 * @returns undefined when the law is not finite on every row, there are less than two rows more than columns, or no hypothesis that is searched for can
 *   raise the law so far
 */
export const select = (
  regression: Regression,
  target: Target,
  start: Float64Array,
  options: Pick<State.Problem, "prior" | "table" | "logarithmic" | "linear" | "inner" | "intercept">,
  declared?: { readonly coefficients: ReadonlyArray<Coefficient>; readonly inside: ReadonlyArray<number> },
  before?: Pick<ConstantSelection, "states" | "inner" | "logMass">,
  rise = -Infinity,
): ConstantSelection | undefined => {
  if (regression.y.length <= regression.design.length + 1) return undefined
  const free = fitFree(regression, target, start)
  if (free === undefined) return undefined
  const { geometry, kept } = free
  const within = { ...regression, design: kept.map((k) => regression.design[k]!) }
  const { prior, table, logarithmic, linear } = options
  const terms = regression.design.length - (options.inner?.length ?? 0)
  const own = kept.filter((k) => k < terms)
  const inner = kept.slice(own.length).map((k) => options.inner![k - terms]!)
  const problem = { ...options, inner, target, geometry }
  const inside = declared && statesInside(inner, declared.inside, prior, table)
  if (declared !== undefined && inside === undefined) return undefined
  const given = (): State.Hypothesis | undefined => {
    if (before?.states.length === terms)
      return {
        states: kept.map((k) => {
          if (k < terms) return before.states[k] ?? State.free
          const state = before.inner[k - terms]?.state
          return state?._tag === "Fixed"
            ? State.exactFrom(state.exact, options.inner![k - terms]!)
            : State.free
        }),
        logMass: before.logMass,
      }
    if (declared === undefined || inside === undefined) return undefined
    const coefficients = own.map((k) => declared.coefficients[k]!)
    const { states, logMass } = hypothesis(coefficients, prior, table, { logarithmic, linear })
    return { states: [...states, ...inside.states], logMass: logMass + inside.logMass }
  }
  const open = {
    states: kept.map(() => State.free),
    logMass: logMassFree(prior, own.length - 1, linear, inner.length),
  }
  const only = given()
  if (only === undefined && rise > -Infinity && open.logMass + reach(problem) + slack < rise) return undefined
  const found = only === undefined ? search(problem, finalists) : [open, only]
  const fitted = found.flatMap(({ states, logMass }) => {
    const known = State.restriction(states)
    const restricted = Restricted.restrict(target, geometry, known)
    if (restricted === undefined) return []
    const fit = refit(within, known, restricted.estimate)
    if (fit === undefined) return []
    const log = restricted.logIntegral(fit.rss) - logDensity(problem, states, fit.t)
    const total = log + logMass - logThreshold(options, states)
    return [{ states, logMass, known, fit, restricted, log, total }]
  })
  const [first, ...others] = fitted
  if (first === undefined) return undefined
  // The first hypothesis is that all coefficients are free: its evidence is that of the likelihood's own prior.
  const freely = first.restricted.logEvidence(first.fit.rss)
  const anchor = freely.log - first.log
  /** A hypothesis with its evidence, at most that of its own prior. */
  const assessed = (one: typeof first) => {
    const evidence = one === first ? freely : one.restricted.logEvidence(one.fit.rss)
    // Of a law without terms the intercept is the law, and of any size: its own prior has the size of the noise.
    const bound = own.length > 1 ? evidence.log + beyond : Infinity
    const logEvidence = Math.min(one.log + anchor, bound) + one.restricted.logCancellation
    return { ...one, evidence, logEvidence, total: one.total + logEvidence - one.log }
  }
  // Totals are upper bounds of those with the evidence, up to the anchor: few hypotheses need theirs.
  let best: ReturnType<typeof assessed> | undefined
  const among = (only === undefined ? fitted : others).filter(({ states }) => isAsked(options, states))
  for (const one of among.sort((a, b) => b.total - a.total)) {
    if (best !== undefined && best.total >= one.total + anchor) break
    const now = assessed(one)
    if (best === undefined || now.total > best.total) best = now
  }
  if (best === undefined) return undefined
  const { states, fit, evidence } = best
  // The law is written with the numbers inside of terms as they are: free ones move later.
  const known = State.restriction(
    states.map((state, index) => (index < own.length || state._tag === "Fixed" ? state : State.absent)),
  )
  const refitted = () => {
    const from = Restricted.constrain(target, geometry, known)?.estimate
    return from && refit(within, known, from)
  }
  const held = inner.length === 0 ? fit : refitted()
  if (held === undefined) return undefined
  const { leftover } = evidence
  const t = Restricted.towards(geometry, known, held.t, leftover / (1 - leftover))
  const [values, closest] = [Restricted.at(known, t), Restricted.at(known, held.t)]
  const shared = states.some(({ _tag }) => _tag === "Ratio")
  const coefficients = new Float64Array(terms)
  const leastSquares = new Float64Array(terms)
  const all: Array<State.State | undefined> = Array.from({ length: terms }, () => undefined)
  own.forEach((k, index) => {
    coefficients[k] = values[index]!
    leastSquares[k] = closest[index]!
    all[k] = states[index]!
  })
  const moves = Restricted.at(best.known, fit.t)
  const sigma = Math.sqrt(evidence.sigma2)
  const numbers: Array<Moved | undefined> = (options.inner ?? []).map(() => undefined)
  for (let index = own.length; index < kept.length; index++) {
    const [state, j] = [states[index]!, kept[index]! - terms]
    const along = unitVector(fit.t.length, State.freeBefore(states, index))
    numbers[j] =
      state._tag === "Fixed"
        ? { state, by: state.value, error: 0 }
        : { state, by: moves[index]!, error: sigma * best.restricted.error(along) }
  }
  return {
    states: all,
    coefficients,
    leastSquares,
    scale: shared ? t[t.length - 1]! : 1,
    logEvidence: best.logEvidence,
    logMass: best.logMass,
    logMassOfValues: logMassOfValues(options, states),
    logThreshold: logThreshold(options, states),
    rss: held.rss,
    fitted: fit.t.length,
    sigma2: evidence.sigma2,
    inner: numbers,
    gain: Math.max(0, held.rss - fit.rss) / evidence.sigma2,
    rssFree: first.fit.rss,
  }
}

/** The hypothesis about one coefficient as text: `2`, `pi/4`, `free`, `3/2 s` for a ratio to the shared scale s. */
export const describe = (state: State.State | undefined): string => {
  if (state === undefined) return "-"
  if (state._tag === "Free") return "free"
  return state._tag === "Fixed" ? Exact.text(state.exact) : `${Exact.text(state.exact)} s`
}
