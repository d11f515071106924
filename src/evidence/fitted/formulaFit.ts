import type { Dataset } from "../../data/Data.ts"
import type * as Term from "../../expr/Term.ts"
import { orderStatistic } from "../../numeric/orderStatistic.ts"
import * as FormulaRows from "./FormulaRows.ts"
import * as FormulaStarts from "./formulaStarts.ts"
import { linearNames } from "./linearNames.ts"
import { numbersOfSummands } from "./numbersOfSummands.ts"

/** The fit of a formula's free numbers. */
export type Fit = FormulaRows.Followed

/** How thoroughly a fit looks for the best numbers. */
export interface Thoroughness extends FormulaStarts.Thoroughness {
  /** the number of points that are followed, and for how many steps at most */
  readonly followed: number
  readonly steps: number
  /** the number of points that lead to the best numbers so far, after which no further one is followed */
  readonly agreeing: number
  /** the number of points from which the numbers of each summand are chosen anew */
  readonly again: number
}

/** For one formula, whose numbers a user waits for. */
export const thorough: Thoroughness = {
  tries: 300,
  most: 2400,
  followed: 16,
  steps: 100,
  agreeing: Infinity,
  again: 4,
  slopes: "derivatives",
}
/** For many formulas, of which the best are fitted again. */
export const quick: Thoroughness = {
  tries: 32,
  most: 96,
  followed: 4,
  steps: 40,
  agreeing: 2,
  again: 1,
  slopes: "differences",
}

/** How often the numbers of each summand are chosen anew, at most. */
const sweeps = 3

/**
 * Fits the free numbers of a formula y = f(x, c) by weighted least squares: linear ones in closed form from many values of the others,
 * then all by damped Gauss-Newton steps from the best of these. Values of the others are drawn by the scales of the columns, and by the
 * values that they stand beside (`roughValues`), and of quotients by linear regression (`quotientStarts`). Then the numbers of each summand in turn are
 * chosen anew beside the others, until none fits better (backfitting; Friedman and Stuetzle 1981), also from points where no linear number is negative: a
 * draw seldom has both of two peaks, and the difference of two wide ones is a local optimum. The same formula and data give the same numbers.
 *
 * @param names the free numbers among the formula's variables
 * @param by roots of weights, 0 for rows that do not count; 1 if left out
 * @param start values to begin from, in place of many
 * @returns undefined where the formula is not finite on every row at any of the values
 */
export const fit = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  data: Dataset,
  by?: Float64Array,
  start?: Float64Array,
  thoroughness = thorough,
): Fit | undefined => {
  const own = FormulaRows.make(formula, names, data, by, thoroughness.slopes)
  if (names.length === 0) {
    const rss = FormulaRows.square(own.residual([]))
    return Number.isFinite(rss) ? { values: new Float64Array(0), rss, slopes: [] } : undefined
  }
  if (start !== undefined) return FormulaRows.follow(own, start, thoroughness.steps)
  const linear = linearNames(formula, names)
  const follow = (rows: FormulaRows.FormulaRows, values: Float64Array): Fit | undefined =>
    FormulaRows.followProjected(rows, names, linear, values, thoroughness.steps)
  const rounding = Number.EPSILON * FormulaRows.square(data.y)
  /** Fits from points, until enough of them agree. */
  const followed = (rows: FormulaRows.FormulaRows, points: ReadonlyArray<Float64Array>): Array<Fit> => {
    const found: Array<Fit> = []
    for (const values of points) {
      if (equallyGood(found, rounding).length >= thoroughness.agreeing) break
      const fit = follow(rows, values)
      if (fit !== undefined) found.push(fit)
    }
    return found
  }
  const starts = FormulaStarts.make(formula, names, linear, data, by, thoroughness)
  const first = (points: ReadonlyArray<FormulaStarts.Start>): ReadonlyArray<Float64Array> =>
    points.slice(0, thoroughness.followed).map(({ values }) => values)
  const all = starts.all()
  const found = followed(own, first(all))
  const relative = relativeWeights(data.y, by)
  if (relative !== undefined) {
    const rows = FormulaRows.make(formula, names, data, relative, thoroughness.slopes)
    const near = FormulaStarts.make(formula, names, linear, data, relative, thoroughness)
    const ahead = followed(rows, first(near.all()))
    found.push(
      ...followed(
        own,
        ahead.map(({ values }) => values),
      ),
    )
  }
  const groups = numbersOfSummands(
    formula,
    names.filter((name) => !linear.includes(name)),
  )
  const { again } = thoroughness
  // Regressions find the numbers of quotients.
  if (groups.length < 2 || starts.isQuotient) return plainest(found, rounding)
  const isPositive = ({ values }: FormulaStarts.Start): boolean =>
    linear.every((name) => values[names.indexOf(name)]! >= 0)
  const positive = all
    .filter(isPositive)
    .slice(0, again)
    .map((start) =>
      swept(start, groups, ({ values }, group) => starts.around(values, group).find(isPositive)),
    )
  const best = plainest([...found, ...positive.flatMap(({ values }) => follow(own, values) ?? [])], rounding)
  return (
    best &&
    swept(best, groups, ({ values }, group) => {
      const [near] = starts.around(values, group)
      return near && follow(own, near.values)
    })
  )
}

/** The best fits: those that agree but for rounding. */
const equallyGood = (found: ReadonlyArray<Fit>, rounding: number): ReadonlyArray<Fit> => {
  const least = found.reduce((least, { rss }) => Math.min(least, rss), Infinity)
  return found.filter(({ rss }) => rss <= least + equally * (least + rounding))
}

/** Of numbers that fit equally well, such as phases of a wave, the plainest: few are negative, and none is large. */
const plainest = (found: ReadonlyArray<Fit>, rounding: number): Fit | undefined =>
  equallyGood(found, rounding).reduce<Fit | undefined>(
    (best, one) => (best !== undefined && !isPlainer(one, best) ? best : one),
    undefined,
  )

/**
 * Numbers with those of each summand in turn chosen anew, until none fits better.
 *
 * @param groups the numbers of each summand
 * @param anew the best with other numbers of a group
 */
const swept = <A extends FormulaStarts.Start>(
  from: A,
  groups: ReadonlyArray<ReadonlyArray<string>>,
  anew: (from: A, group: ReadonlyArray<string>) => A | undefined,
): A => {
  let best = from
  for (let turn = 0, idle = 0; idle < groups.length && turn < sweeps * groups.length; turn++) {
    const next = anew(best, groups[turn % groups.length]!)
    const isBetter = next !== undefined && next.rss < (1 - equally) * best.rss
    if (isBetter) best = next
    idle = isBetter ? 0 : idle + 1
  }
  return best
}

/** A response is over decades where its largest magnitude is more than this many times the median. */
const decades = 30
/** Of a response over decades, magnitudes below this share of the median count as that. */
const smallest = 1e-3

/**
 * Weights of relative errors of a response over decades; undefined of another. The largest rows alone decide a sum of squares there, and of exp(x / c) with
 * x up to 90 c no rough value of c is near enough for a step.
 */
const relativeWeights = (y: Float64Array, by: Float64Array | undefined): Float64Array | undefined => {
  const sizes = y.map(Math.abs)
  const median = orderStatistic(sizes, sizes.length >> 1)
  const isOver = median > 0 && sizes.some((size) => size > decades * median)
  return isOver ? sizes.map((size, i) => (by?.[i] ?? 1) / Math.max(size, smallest * median)) : undefined
}

/** The share by which sums of squares of equally good fits differ. */
const equally = 1e-6

/** Whether fewer numbers are negative, or as many, and all together are smaller. */
const isPlainer = ({ values: a }: Fit, { values: b }: Fit): boolean => {
  const negative = (values: Float64Array): number => values.filter((value) => value < 0).length
  const size = (values: Float64Array): number => values.reduce((sum, value) => sum + Math.abs(value), 0)
  return negative(a) < negative(b) || (negative(a) === negative(b) && size(a) < (1 - equally) * size(b))
}
