import { dot } from "../../numeric/orthogonal.ts"
import { logSumExp } from "../../numeric/logSum.ts"
import * as Real from "../../numeric/Real.ts"
import { unitVector } from "../../numeric/unitVector.ts"
import * as Constraint from "./Constraint.ts"
import * as Restricted from "./restricted.ts"
import * as Exact from "./Exact.ts"
import {
  free,
  freeBefore,
  interceptOf,
  type Hypothesis,
  type Problem,
  originOf,
  restriction,
  sigma,
  slopesOf,
  type State,
} from "./Hypothesis.ts"
import { logDensity, logMassFree, logThreshold } from "./hypothesisPrior.ts"

/** A string that is equal for equivalent hypotheses: ratios are taken to the first coefficient that shares the scale. */
const key = (states: ReadonlyArray<State>): string => {
  const group = states.filter(({ _tag }) => _tag === "Ratio")
  const first = states.find((state, k) => k > 0 && state._tag === "Ratio")
  const unit = first?._tag === "Ratio" ? Exact.invert(first.exact) : Exact.one
  return states
    .map((state) => {
      if (state._tag === "Fixed") return `f${Exact.key(state.exact)}`
      if (state._tag === "Free" || group.length === 1) return "-"
      return `r${Exact.key(Exact.multiply(state.exact, unit))}`
    })
    .join()
}

/** The number of exact numbers that are tried for a coefficient, and the width of the beam, at most. */
const [tried, kept] = [4, 8]
/** The number of coefficients up to which others are ratios to each of them. */
const few = 8
/** The number of coefficients that others are ratios to: of many fewer, since a beam takes time as a power of their number. */
const references = (slopes: number): number =>
  slopes <= few ? slopes : Math.max(1, Math.round((few * few * few) / (slopes * slopes)))

/**
 * The standard deviations from 0 from which on a number inside of terms may be exact. The Bayes factor of an exact number b is log(range) 2 |b| / sqrt(2 pi)
 * standard deviations at most, 5.5 times this; 1 has a third of the mass.
 */
const known = 5

interface Scored extends Hypothesis {
  readonly restricted: Restricted.Constrained
  readonly score: number
}

/** A hypothesis by one more constraint than another has, or by none. */
interface Next extends Hypothesis {
  readonly from: Scored
  readonly constraint?: Constraint.Constraint | undefined
  /** w of the shared scale (`Restricted.Constrained.whitened`), where ratios to it are left */
  readonly shared?: Float64Array | undefined
}

/**
 * Hypotheses of high posterior probability by a beam search over the coefficients, one after another. Each coefficient's
 * distribution is conditioned on those before it, by the quadratic form of the free model (Gaussian conditioning).
 * Hypotheses without ratios have half of the prior mass; hypotheses with ratios, to each coefficient equally, have the
 * other half. Of many coefficients ratios to the clearest are tried: each takes as long as all hypotheses without ratios.
 *
 * @param most the number of hypotheses returned, at most
 * @returns first the hypothesis that all coefficients are free, whether it is asked for or not, then the others, best first
 */
export const search = (problem: Problem, most: number): ReadonlyArray<Hypothesis> => {
  const slopes = slopesOf(problem)
  const nothing = {
    states: Array.from(problem.geometry.estimate, () => free),
    logMass: logMassFree(problem.prior, slopes, problem.linear, problem.inner?.length),
  }
  const runs =
    slopes === 0
      ? [{ reference: undefined, logMass: 0 }]
      : [
          { reference: undefined, logMass: Real.log(0.5) },
          ...clearest(problem, nothing).map((reference) => ({ reference, logMass: Real.log(0.5 / slopes) })),
        ]
  const merged = new Map<string, Scored>()
  for (const { reference, logMass } of runs)
    for (const one of beam(problem, reference, logMass)) {
      const name = key(one.states)
      const before = merged.get(name)
      if (before === undefined) merged.set(name, one)
      else {
        const mass = logSumExp([before.logMass, one.logMass])
        merged.set(name, { ...before, logMass: mass, score: before.score - before.logMass + mass })
      }
    }
  const silent = key(nothing.states)
  const rest = [...merged].filter(([name]) => name !== silent).map(([, one]) => one)
  return [nothing, ...rest.sort((a, b) => b.score - a.score).slice(0, most - 1)]
}

/** The coefficients that others are ratios to. @param nothing the hypothesis that all are free */
const clearest = (problem: Problem, nothing: Hypothesis): ReadonlyArray<number> => {
  const slopes = slopesOf(problem)
  const all = Array.from({ length: slopes }, (_, k) => k + 1)
  if (slopes <= few) return all
  const freely = score(problem, nothing)
  const known = freely === undefined ? all : order(problem, freely).filter((k) => k > 0 && k <= slopes)
  return known.slice(0, references(slopes))
}

const beam = (problem: Problem, reference: number | undefined, logMass: number): ReadonlyArray<Scored> => {
  const { geometry, prior } = problem
  const states = Array.from(geometry.estimate, (_, k): State =>
    k === reference ? { _tag: "Ratio", exact: Exact.one, value: 1 } : free,
  )
  const start = score(problem, { states, logMass })
  if (start === undefined) return []
  let current: ReadonlyArray<Scored> = [start]
  const stages = order(problem, start).filter((k) => k !== reference)
  for (const k of stages)
    current = narrow(
      problem,
      current
        .flatMap((one) => choices(problem, one, k, reference !== undefined))
        .filter(({ states }) => k > 0 || isAsked(problem, states)),
    )
  if (reference === undefined) return current
  const known = current.flatMap((one) => scales(problem, one))
  const open = current.map((from) => ({ ...from, logMass: from.logMass + Real.log1p(-prior.exact), from }))
  return narrow(problem, [...open, ...known])
}

/** Whether the intercept of a hypothesis is the one that is asked for. */
export const isAsked = (
  { intercept, linear }: Pick<Problem, "intercept" | "linear">,
  [state]: ReadonlyArray<State>,
): boolean => intercept === undefined || interceptOf(state, linear) === intercept

/** The order of the coefficients: the intercept first, the others by their distance from 0 in standard errors. */
const order = (problem: Problem, { states, restricted }: Scored): ReadonlyArray<number> => {
  const clear = states.map((_, k) => {
    const { at, error } = estimate(states, restricted, k)
    return Math.abs(at + originOf(problem, k)) / error
  })
  const slopes = states.map((_, k) => k).slice(1)
  return [0, ...slopes.sort((a, b) => clear[b]! - clear[a]!)]
}

/** A free coefficient; the shared scale for k = -1. */
const estimate = (
  states: ReadonlyArray<State>,
  { estimate, whitened }: Restricted.Constrained,
  k: number,
): {
  readonly at: number
  /** its standard error in units of sigma */
  readonly error: number
  /** w of it (`Restricted.Constrained.whitened`) */
  readonly across: Float64Array
} => {
  const index = k < 0 ? estimate.length - 1 : freeBefore(states, k)
  const across = whitened(unitVector(estimate.length, index))
  return { at: estimate[index]!, error: Math.sqrt(dot(across, across)), across }
}

const score = (problem: Problem, hypothesis: Hypothesis): Scored | undefined => {
  const { states, logMass } = hypothesis
  const restricted = Restricted.constrain(problem.target, problem.geometry, restriction(states))
  if (restricted === undefined) return undefined
  const { logIntegral, rss, estimate } = restricted
  const log = logIntegral(rss) - logDensity(problem, states, estimate)
  return { ...hypothesis, restricted, score: log + logMass - logThreshold(problem, states) }
}

/** The score of a hypothesis from the fit of the one before it. */
const scoreOf = (problem: Problem, { states, logMass, from, constraint, shared }: Next): number => {
  if (constraint === undefined) return from.score - from.logMass + logMass
  const { logIntegral, move } = Constraint.add(problem.target, from.restricted, constraint)
  const { estimate } = from.restricted
  const scale = shared === undefined ? [] : [estimate.at(-1)! + move(shared)]
  return logIntegral - logDensity(problem, states, scale) + logMass - logThreshold(problem, states)
}

/** The best hypotheses, fitted: most of those that are compared are not. */
const narrow = (problem: Problem, hypotheses: ReadonlyArray<Next>): ReadonlyArray<Scored> => {
  const found: Array<Scored> = []
  const ordered = hypotheses
    .map((one) => ({ one, near: scoreOf(problem, one) }))
    .filter(({ near }) => !Number.isNaN(near))
    .sort((a, b) => b.near - a.near)
  for (const { one } of ordered) {
    if (found.length >= kept) break
    const { states, logMass, from, constraint } = one
    const fitted =
      constraint === undefined
        ? { ...from, states, logMass, score: scoreOf(problem, one) }
        : score(problem, { states, logMass })
    if (fitted !== undefined && !Number.isNaN(fitted.score)) found.push(fitted)
  }
  return found.sort((a, b) => b.score - a.score)
}

const withState = ({ states }: Hypothesis, k: number, state: State): ReadonlyArray<State> =>
  states.map((before, index) => (index === k ? state : before))

/** The hypotheses that differ from the given one in coefficient k only. */
const choices = (problem: Problem, one: Scored, k: number, shared: boolean): ReadonlyArray<Next> => {
  const { prior, table, logarithmic, linear } = problem
  const { at, error, across } = estimate(one.states, one.restricted, k)
  const common = shared ? estimate(one.states, one.restricted, -1) : undefined
  const deviation = sigma(problem) * error
  const next = (state: State, logMass: number): Next => ({
    states: withState(one, k, state),
    logMass: one.logMass + logMass,
    from: one,
    constraint: constraintOf(state),
    shared: common?.across,
  })
  const constraintOf = (state: State): Constraint.Constraint | undefined => {
    if (state._tag === "Free") return undefined
    if (state._tag === "Fixed" || common === undefined) return { gap: state.value - at, across }
    return {
      gap: state.value * common.at - at,
      across: across.map((own, i) => own - state.value * common.across[i]!),
    }
  }
  const say = (state: State, logMass: number): Next => next(state, Real.log(prior.exact) + logMass)
  // The intercept is not 0 with probability 1 - zero. Hypotheses with ratios have half of the mass, and all with a tied intercept.
  const tied = shared && linear ? 2 * prior.tied : 0
  const there = k === 0 ? Real.log1p(-prior.zero) + Real.log1p(-tied) : 0
  const none: State = { _tag: "Fixed", exact: logarithmic ? Exact.one : Exact.zero, value: 0 }
  const open = [
    next(free, there + Real.log1p(-prior.exact)),
    ...(k === 0 ? [next(none, Real.log(prior.zero))] : []),
  ]
  if (k === 0 && logarithmic) {
    const factor = Real.exp(at)
    if (!(Number.isFinite(factor) && factor > 0)) return open
    return [
      ...open,
      ...table.near(factor, factor * least(deviation, 1), tried).map(({ exact, value, logMass }) =>
        // A factor is positive, so that it has the mass of its negative too.
        say({ _tag: "Fixed", exact, value: Real.log(value) }, there + logMass + Math.LN2),
      ),
    ]
  }
  const origin = originOf(problem, k)
  // A number inside of terms that is hardly known is not called exact: there is always an exact one near, and the odds of none are enough.
  if (k > slopesOf(problem) && !(Math.abs(origin + at) > known * deviation)) return open
  if (common === undefined || k > slopesOf(problem))
    return [
      ...open,
      ...table
        .near(origin + at, least(deviation, origin + at), tried)
        .map(({ exact, value, logMass }) =>
          say({ _tag: "Fixed", exact, value: value - origin }, there + logMass),
        ),
    ]
  const ratio = at / common.at
  if (!Number.isFinite(ratio)) return open
  const against = across.map((own, i) => own - ratio * common.across[i]!)
  const spread = (sigma(problem) * Math.sqrt(dot(against, against))) / Math.abs(common.at)
  const near = table.near(ratio, least(spread, ratio), tried)
  if (k > 0)
    return [
      ...open,
      ...near.map(({ exact, value, logMass }) => say({ _tag: "Ratio", exact, value }, logMass)),
    ]
  return [
    ...open,
    ...near.map(({ exact, value, logMass }) =>
      value === -1 && linear
        ? next({ _tag: "Ratio", exact, value }, Real.log1p(-prior.zero) + Real.log(tied))
        : say({ _tag: "Ratio", exact, value }, there + logMass),
    ),
  ]
}

/** The hypotheses in which the shared scale is an exact number, so that all its coefficients are exact. */
const scales = (problem: Problem, one: Scored): ReadonlyArray<Next> => {
  const { at, error, across } = estimate(one.states, one.restricted, -1)
  return problem.table.near(at, least(sigma(problem) * error, at), tried).map((scale) => ({
    states: one.states.map((state): State => {
      if (state._tag !== "Ratio") return state
      const exact = Exact.multiply(state.exact, scale.exact)
      return { _tag: "Fixed", exact, value: Exact.value(exact) }
    }),
    logMass: one.logMass + Real.log(problem.prior.exact) + scale.logMass,
    from: one,
    constraint: { gap: scale.value - at, across },
  }))
}

/** The smallest relative standard error of an estimate, because of rounding in least squares. */
const digits = 1e-13

const least = (deviation: number, value: number): number =>
  Math.max(deviation, digits * Math.abs(value), Number.MIN_VALUE)
