import type { Target } from "../gPrior.ts"
import { logSumExp } from "../../numeric/logSum.ts"
import * as Restricted from "./restricted.ts"
import type { Constants, Table } from "./Constants.ts"
import * as Exact from "./Exact.ts"

/**
 * What is said of one coefficient: nothing, that it is a number, or that it is a number times a scale which it shares
 * with others.
 */
export type State =
  | { readonly _tag: "Free" }
  | {
      readonly _tag: "Fixed"
      /** the coefficient; for the intercept of a logarithmic link e to the power of it */
      readonly exact: Exact.Exact
      readonly value: number
    }
  | { readonly _tag: "Ratio"; readonly exact: Exact.Exact; readonly value: number }

/** What is said of all coefficients, intercept first, and the prior mass of saying so. */
export interface Hypothesis {
  readonly states: ReadonlyArray<State>
  readonly logMass: number
}

const free: State = { _tag: "Free" }

/** The restriction of a hypothesis: a column of the basis for each free coefficient, then one for the shared scale. */
export const restriction = (states: ReadonlyArray<State>): Restricted.Restriction => {
  const unit = (at: number): Float64Array => Float64Array.from(states, (_, k) => (k === at ? 1 : 0))
  const shared = Float64Array.from(states, (state) => (state._tag === "Ratio" ? state.value : 0))
  return {
    offset: Float64Array.from(states, (state) => (state._tag === "Fixed" ? state.value : 0)),
    basis: [
      ...states.flatMap((state, k) => (state._tag === "Free" ? [unit(k)] : [])),
      ...(shared.some((value) => value !== 0) ? [shared] : []),
    ],
  }
}

/** Equal for hypotheses that say the same: shared scales are counted from their first coefficient. */
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

/** Exact numbers that are tried for a coefficient, and hypotheses that are kept from one coefficient to the next. */
const [tried, kept] = [4, 8]

/** A hypothesis and its evidence. */
interface Scored extends Hypothesis {
  readonly restricted: Restricted.Restricted
  readonly score: number
}

/** What is searched. */
export interface Problem {
  readonly target: Target
  readonly geometry: Restricted.Geometry
  readonly prior: Constants
  readonly table: Table
  /** whether the law is e to the linear part: then the intercept is the logarithm of a factor */
  readonly logarithmic: boolean
}

/** The log mass of saying nothing of an intercept and so many slopes. */
export const unsaid = ({ exact, zero }: Constants, slopes: number): number =>
  Math.log1p(-zero) + (slopes + 1) * Math.log1p(-exact)

/**
 * Hypotheses of high posterior probability, best first, by the quadratic form of the free model: a beam search, one
 * coefficient after another, with the others where they go (Gaussian conditioning). Absolute values are half of the
 * prior, ratios to each of the coefficients share the other half.
 *
 * @param most how many are returned; that nothing is known is always among them
 */
export const search = (problem: Problem, most: number): ReadonlyArray<Hypothesis> => {
  const slopes = problem.geometry.estimate.length - 1
  const runs =
    slopes === 0
      ? [{ reference: undefined, logMass: 0 }]
      : [
          { reference: undefined, logMass: Math.log(0.5) },
          ...Array.from({ length: slopes }, (_, k) => ({
            reference: k + 1,
            logMass: Math.log(0.5 / slopes),
          })),
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
  const nothing = {
    states: Array.from({ length: slopes + 1 }, () => free),
    logMass: unsaid(problem.prior, slopes),
  }
  const silent = key(nothing.states)
  const rest = [...merged].filter(([name]) => name !== silent).map(([, one]) => one)
  return [nothing, ...rest.sort((a, b) => b.score - a.score).slice(0, most - 1)]
}

const beam = (problem: Problem, reference: number | undefined, logMass: number): ReadonlyArray<Scored> => {
  const { geometry, prior } = problem
  const states = Array.from(geometry.estimate, (_, k): State =>
    k === reference ? { _tag: "Ratio", exact: Exact.one, value: 1 } : free,
  )
  const start = score(problem, { states, logMass })
  if (start === undefined) return []
  let current: ReadonlyArray<Scored> = [start]
  const stages = order(start).filter((k) => k !== reference)
  for (const k of stages)
    current = narrow(
      problem,
      current.flatMap((one) => choices(problem, one, k, reference !== undefined)),
    )
  if (reference === undefined) return current
  const known = current.flatMap((one) => scales(problem, one))
  const open = current.map((one) => ({ ...one, logMass: one.logMass + Math.log1p(-prior.exact) }))
  return narrow(problem, [...open, ...known])
}

/** The intercept first, then coefficients by how many standard errors they are from 0. */
const order = ({ states, restricted }: Scored): ReadonlyArray<number> => {
  const clear = states.map((_, k) => {
    const { at, error } = estimate(states, restricted, k)
    return Math.abs(at) / error
  })
  const slopes = states.map((_, k) => k).slice(1)
  return [0, ...slopes.sort((a, b) => clear[b]! - clear[a]!)]
}

/** The estimate of a coefficient that is free, and its error in units of sigma; of the scale for k = -1. */
const estimate = (
  states: ReadonlyArray<State>,
  { estimate, error }: Restricted.Restricted,
  k: number,
): { readonly at: number; readonly error: number } => {
  const index = k < 0 ? estimate.length - 1 : states.slice(0, k).filter(({ _tag }) => _tag === "Free").length
  const direction = Float64Array.from(estimate, (_, j) => (j === index ? 1 : 0))
  return { at: estimate[index]!, error: error(direction) }
}

const score = (problem: Problem, hypothesis: Hypothesis): Scored | undefined => {
  const restricted = Restricted.restrict(problem.target, problem.geometry, restriction(hypothesis.states))
  if (restricted === undefined) return undefined
  const { log } = restricted.logEvidence(restricted.rss, "fast")
  return { ...hypothesis, restricted, score: log + hypothesis.logMass }
}

const narrow = (problem: Problem, hypotheses: ReadonlyArray<Hypothesis>): ReadonlyArray<Scored> =>
  hypotheses
    .flatMap((one) => {
      const scored = score(problem, one)
      return scored === undefined || Number.isNaN(scored.score) ? [] : [scored]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, kept)

/** sigma, from the free model: a wrong restriction does not make room for more. */
const sigma = ({ target, geometry }: Problem): number =>
  Math.sqrt((geometry.rss + target.rounding) / Math.max(1, target.rows - geometry.estimate.length))

const withState = ({ states }: Hypothesis, k: number, state: State): ReadonlyArray<State> =>
  states.map((before, index) => (index === k ? state : before))

/** What may be said of coefficient k next, the others as they are said to be. */
const choices = (problem: Problem, one: Scored, k: number, shared: boolean): ReadonlyArray<Hypothesis> => {
  const { prior, table, logarithmic } = problem
  const { at, error } = estimate(one.states, one.restricted, k)
  const deviation = sigma(problem) * error
  const say = (state: State, logMass: number): Hypothesis => ({
    states: withState(one, k, state),
    logMass: one.logMass + Math.log(prior.exact) + logMass,
  })
  // The intercept is there, or 0: a factor of 1 in front of e to a sum.
  const there = k === 0 ? Math.log1p(-prior.zero) : 0
  const none: State = { _tag: "Fixed", exact: logarithmic ? Exact.one : Exact.zero, value: 0 }
  const zero = { states: withState(one, k, none), logMass: one.logMass + Math.log(prior.zero) }
  const open = [
    { states: one.states, logMass: one.logMass + there + Math.log1p(-prior.exact) },
    ...(k === 0 ? [zero] : []),
  ]
  if (k === 0 && logarithmic) {
    const factor = Math.exp(at)
    if (!(Number.isFinite(factor) && factor > 0)) return open
    return [
      ...open,
      ...table.near(factor, factor * least(deviation, 1), tried).map(({ exact, value, logMass }) =>
        // A factor is positive: the mass of its negative is its own.
        say({ _tag: "Fixed", exact, value: Math.log(value) }, there + logMass + Math.LN2),
      ),
    ]
  }
  if (!shared)
    return [
      ...open,
      ...table
        .near(at, least(deviation, at), tried)
        .map(({ exact, value, logMass }) => say({ _tag: "Fixed", exact, value }, there + logMass)),
    ]
  const scale = estimate(one.states, one.restricted, -1).at
  const ratio = at / scale
  if (!Number.isFinite(ratio)) return open
  const index = one.states.slice(0, k).filter(({ _tag }) => _tag === "Free").length
  const last = one.restricted.estimate.length - 1
  const against = Float64Array.from(one.restricted.estimate, (_, j) =>
    j === index ? 1 : j === last ? -ratio : 0,
  )
  const spread = (sigma(problem) * one.restricted.error(against)) / Math.abs(scale)
  return [
    ...open,
    ...table
      .near(ratio, least(spread, ratio), tried)
      .map(({ exact, value, logMass }) => say({ _tag: "Ratio", exact, value }, there + logMass)),
  ]
}

/** Exact numbers that the shared scale may be: then all of its coefficients are known. */
const scales = (problem: Problem, one: Scored): ReadonlyArray<Hypothesis> => {
  const { at, error } = estimate(one.states, one.restricted, -1)
  return problem.table.near(at, least(sigma(problem) * error, at), tried).map((scale) => ({
    states: one.states.map((state): State => {
      if (state._tag !== "Ratio") return state
      const exact = Exact.multiply(state.exact, scale.exact)
      return { _tag: "Fixed", exact, value: Exact.value(exact) }
    }),
    logMass: one.logMass + Math.log(problem.prior.exact) + scale.logMass,
  }))
}

/** Least squares leaves rounding errors: no estimate is more certain than this, relative to itself. */
const digits = 1e-13

const least = (deviation: number, value: number): number =>
  Math.max(deviation, digits * Math.abs(value), Number.MIN_VALUE)
