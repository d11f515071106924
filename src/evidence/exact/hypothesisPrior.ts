import type { Candidate, OfLaw, Table } from "./Constants.ts"
import * as Exact from "./Exact.ts"
import { interceptOf, type Problem, type State } from "./Hypothesis.ts"
import * as Real from "../../numeric/Real.ts"

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
  const width = Real.log(Real.log(prior.range))
  const of = (size: number): number => -Real.log(2 * Math.max(Math.abs(size), Number.MIN_VALUE)) - width
  const scale = t[t.length - 1] ?? 0
  const flat = logFlat({ target, geometry })
  // Of a law without terms the intercept is the law, and of any size.
  const lowest = states.length > 1 ? flat : -Infinity
  let log = 0
  let ratios = 0
  states.forEach((state, k) => {
    if (state._tag === "Fixed") {
      if (k === 0 && state.value === 0) log += flat
      // The logarithm of a factor is uniform.
      else if (k === 0) log += logarithmic ? -width : Math.max(lowest, of(state.value))
      else log += of(Exact.value(state.exact))
    } else if (state._tag === "Ratio") {
      ratios += 1
      log += k === 0 ? Math.max(lowest, of(state.value * scale)) : of(state.value * scale)
    }
  })
  // The shared scale, which is the coefficient of ratio 1, is free.
  return ratios === 0 ? log : log - of(scale)
}

/** The log density of the flat prior of intercepts, |u| / sqrt(tss). */
export const logFlat = ({ target, geometry }: Pick<Problem, "target" | "geometry">): number =>
  Real.log(Math.abs(geometry.design[0]![0]!)) - Real.log(Math.max(target.tss + target.rounding, smallest)) / 2

const smallest = 2 ** -1000

/** log of the odds that the exact numbers of a hypothesis need, beside an intercept of 0 or one that is tied. */
export const logThreshold = (
  { prior, linear }: Pick<Problem, "prior" | "linear">,
  states: ReadonlyArray<State>,
): number => {
  const counted = states.filter((state, k) => k > 0 || interceptOf(state, linear) === "own")
  const fixed = counted.filter(({ _tag }) => _tag === "Fixed").length
  const ratios = counted.filter(({ _tag }) => _tag === "Ratio").length
  return (fixed + Math.max(0, ratios - 1)) * Real.log(prior.odds)
}

/**
 * A number as an exact one, and its log prior mass: that of the prior where it has the number, or a decimal, which costs a factor of 10 for each of
 * its digits, and there are two signs.
 */
export const exactly = (value: number, table: Table): Candidate => {
  const [known] = table.near(value, 1e-15 * Math.abs(value), 1)
  if (known !== undefined) return known
  const size = Math.abs(value)
  const digits = String(size).replace(/e.*$/, "").replace(".", "").replace(/^0+/, "").length
  const exact: Exact.Exact = value === 0 ? Exact.zero : { ...Exact.one, sign: value < 0 ? -1 : 1, p: size }
  return { exact, value, logMass: -digits * Math.LN10 - Math.LN2 }
}

/**
 * The part of the log prior mass of a hypothesis that its exact numbers have by their values, given which numbers are exact. That an intercept is
 * 0, or minus a coefficient, is no value, and neither is the ratio of a coefficient to itself.
 */
export const logMassOfValues = (
  { table, linear }: Pick<Problem, "table" | "linear">,
  states: ReadonlyArray<State>,
): number => {
  const reference = states.findIndex((state, k) => k > 0 && state._tag === "Ratio")
  return states.reduce((sum, state, k) => {
    if (state._tag === "Free" || k === reference) return sum
    if (k === 0 && interceptOf(state, linear) !== "own") return sum
    // Of an exponential the exact number is a factor, and the intercept its logarithm.
    return sum + exactly(Exact.value(state.exact), table).logMass
  }, 0)
}

/** The log prior mass of an intercept that is there and minus no coefficient: only that of a law under the identity may be. */
export const logMassThere = ({ zero, tied }: OfLaw, slopes: number, linear: boolean): number =>
  Real.log1p(-zero) + Real.log1p(slopes > 0 && linear ? -tied : 0)

/** The log prior mass of the hypothesis that the intercept, all slopes and all numbers inside of terms are free. */
export const logMassFree = (prior: OfLaw, slopes: number, linear: boolean, inner = 0): number =>
  logMassThere(prior, slopes, linear) + (slopes + 1 + inner) * Real.log1p(-prior.exact)
