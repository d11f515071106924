import type { Target } from "../gPrior.ts"
import { logSumExp } from "../../numeric/logSum.ts"
import * as Restricted from "./restricted.ts"
import type { Constants, Table } from "./Constants.ts"
import * as Exact from "./Exact.ts"

/**
 * The hypothesis about one coefficient: it is free, it is an exact number, or it is an exact number times a scale that it
 * shares with other coefficients.
 */
export type State =
  | { readonly _tag: "Free" }
  | {
      readonly _tag: "Fixed"
      /** the coefficient; under a logarithmic link the exponential of the intercept */
      readonly exact: Exact.Exact
      readonly value: number
    }
  | { readonly _tag: "Ratio"; readonly exact: Exact.Exact; readonly value: number }

/** A hypothesis about all coefficients, intercept first, and its log prior mass. */
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

/** The number of exact numbers that are tried for a coefficient, and the width of the beam. */
const [tried, kept] = [4, 8]

/** A hypothesis and its evidence. */
interface Scored extends Hypothesis {
  readonly restricted: Restricted.Restricted
  readonly score: number
}

/** The input of the search: a regression, and the prior of exact constants. */
export interface Problem {
  readonly target: Target
  readonly geometry: Restricted.Geometry
  readonly prior: Constants
  readonly table: Table
  /** whether the law is the exponential of the linear part: then the intercept is the logarithm of a factor */
  readonly logarithmic: boolean
}

/** The log prior mass of the hypothesis that the intercept and all slopes are free. */
export const logMassFree = ({ exact, zero }: Constants, slopes: number): number =>
  Math.log1p(-zero) + (slopes + 1) * Math.log1p(-exact)

/**
 * Hypotheses of high posterior probability by a beam search over the coefficients, one after another. Each coefficient's
 * distribution is conditioned on those before it, by the quadratic form of the free model (Gaussian conditioning).
 * Hypotheses without ratios have half of the prior mass; hypotheses with ratios, to each coefficient equally, have the
 * other half.
 *
 * @param most the number of hypotheses returned, at most
 * @returns first the hypothesis that all coefficients are free, then the others, best first
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
    logMass: logMassFree(problem.prior, slopes),
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

/** The order of the coefficients: the intercept first, the others by their distance from 0 in standard errors. */
const order = ({ states, restricted }: Scored): ReadonlyArray<number> => {
  const clear = states.map((_, k) => {
    const { at, error } = estimate(states, restricted, k)
    return Math.abs(at) / error
  })
  const slopes = states.map((_, k) => k).slice(1)
  return [0, ...slopes.sort((a, b) => clear[b]! - clear[a]!)]
}

/** The estimate of a free coefficient, and its standard error in units of sigma; those of the shared scale for k = -1. */
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
  const { states, logMass } = hypothesis
  const restricted = Restricted.restrict(problem.target, problem.geometry, restriction(states))
  if (restricted === undefined) return undefined
  const { logIntegral, rss, estimate } = restricted
  const log = logIntegral(rss) - logDensity(problem, states, estimate)
  return { ...hypothesis, restricted, score: log + logMass - logThreshold(problem, states) }
}

/**
 * The log prior density of the free model at the restriction, in the place of the coefficients that are known or stand in a
 * ratio to others: 1 / (2 |b| log range) each (`Constants`). It does not depend on the data's noise: under the g-prior a large
 * coefficient would be the less likely the smaller the noise is, and every number near it would seem exact. An intercept
 * has at least the height |u| / sqrt(tss) of the flat prior of intercepts: that of b (1 - cos x) for small x is -b to many digits
 * whatever the law is, and no wonder.
 *
 * @param t least squares under the restriction
 */
export const logDensity = (
  { target, geometry, prior, logarithmic }: Pick<Problem, "target" | "geometry" | "prior" | "logarithmic">,
  states: ReadonlyArray<State>,
  t: ArrayLike<number>,
): number => {
  const width = Math.log(Math.log(prior.range))
  const of = (size: number): number => -Math.log(2 * Math.max(Math.abs(size), Number.MIN_VALUE)) - width
  const scale = t[t.length - 1] ?? 0
  const flat =
    Math.log(Math.abs(geometry.design[0]![0]!)) -
    Math.log(Math.max(target.tss + target.rounding, smallest)) / 2
  // Of a law without terms the intercept is the law, and of any size.
  const lowest = states.length > 1 ? flat : -Infinity
  let log = 0
  let ratios = 0
  states.forEach((state, k) => {
    if (state._tag === "Fixed") {
      if (k === 0 && state.value === 0) log += flat
      // The logarithm of a factor is uniform.
      else if (k === 0) log += logarithmic ? -width : Math.max(lowest, of(state.value))
      else log += of(state.value)
    } else if (state._tag === "Ratio") {
      ratios += 1
      log += k === 0 ? Math.max(lowest, of(state.value * scale)) : of(state.value * scale)
    }
  })
  // The shared scale, which is the coefficient of ratio 1, is free.
  return ratios === 0 ? log : log - of(scale)
}

const smallest = 2 ** -1000

/** log of the odds that the exact numbers of a hypothesis need, beside an intercept of 0. */
export const logThreshold = ({ prior }: Pick<Problem, "prior">, states: ReadonlyArray<State>): number => {
  const fixed = states.filter((state, k) => state._tag === "Fixed" && !(k === 0 && state.value === 0)).length
  const ratios = states.filter(({ _tag }) => _tag === "Ratio").length
  return (fixed + Math.max(0, ratios - 1)) * Math.log(prior.odds)
}

const narrow = (problem: Problem, hypotheses: ReadonlyArray<Hypothesis>): ReadonlyArray<Scored> =>
  hypotheses
    .flatMap((one) => {
      const scored = score(problem, one)
      return scored === undefined || Number.isNaN(scored.score) ? [] : [scored]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, kept)

/** sigma of the free model. That of a restricted model would grow with a wrong restriction, and so admit further wrong ones. */
const sigma = ({ target, geometry }: Problem): number =>
  Math.sqrt((geometry.rss + target.rounding) / Math.max(1, target.rows - geometry.estimate.length))

const withState = ({ states }: Hypothesis, k: number, state: State): ReadonlyArray<State> =>
  states.map((before, index) => (index === k ? state : before))

/** The hypotheses that differ from the given one in coefficient k only. */
const choices = (problem: Problem, one: Scored, k: number, shared: boolean): ReadonlyArray<Hypothesis> => {
  const { prior, table, logarithmic } = problem
  const { at, error } = estimate(one.states, one.restricted, k)
  const deviation = sigma(problem) * error
  const say = (state: State, logMass: number): Hypothesis => ({
    states: withState(one, k, state),
    logMass: one.logMass + Math.log(prior.exact) + logMass,
  })
  // The intercept is not 0 with probability 1 - zero.
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
        // A factor is positive, so that it has the mass of its negative too.
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

/** The hypotheses in which the shared scale is an exact number, so that all its coefficients are exact. */
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

/** The smallest relative standard error of an estimate, because of rounding in least squares. */
const digits = 1e-13

const least = (deviation: number, value: number): number =>
  Math.max(deviation, digits * Math.abs(value), Number.MIN_VALUE)
