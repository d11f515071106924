import type { Dataset } from "../../data/Data.ts"
import type * as Term from "../../expr/Term.ts"
import { allBelow, allFinite } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { orderStatistic } from "../../numeric/orderStatistic.ts"
import * as Rng from "../../random/Rng.ts"
import { pow } from "../../numeric/Power.ts"
import * as FormulaRows from "./FormulaRows.ts"
import { linearNames } from "./linearNames.ts"
import { quotientStarts } from "./quotientStarts.ts"
import { roughValues } from "./roughValues.ts"

/** The fit of a formula's free numbers. */
export type Fit = FormulaRows.Followed

/** A place to begin from. */
type Start = Omit<Fit, "slopes">

/** How thoroughly a fit looks for the best numbers. */
export interface Thoroughness {
  /** the points from which it begins, for each number inside of a function, and at most */
  readonly tries: number
  readonly most: number
  /** the number of these that are followed, and for how many steps at most */
  readonly followed: number
  readonly steps: number
  readonly slopes: FormulaRows.Slopes
}

/** For one formula, whose numbers a user waits for. */
export const thorough: Thoroughness = {
  tries: 300,
  most: 2400,
  followed: 16,
  steps: 100,
  slopes: "derivatives",
}
/** For many formulas, of which the best are fitted again. */
export const quick: Thoroughness = {
  tries: 32,
  most: 96,
  followed: 4,
  steps: 40,
  slopes: "differences",
}

/** The rows on which points are compared, and those by which rough values are drawn. */
const [looked, ranged] = [400, 40]

/**
 * Fits the free numbers of a formula y = f(x, c) by weighted least squares: linear ones in closed form from many values of the others,
 * then all by damped Gauss-Newton steps from the best of these. Values of the others are drawn by the scales of the columns, and by the
 * values that they stand beside (`roughValues`), and of quotients by linear regression (`quotientStarts`). The same formula and data give the same numbers.
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
  const begun = starts(formula, names, linear, data, by, thoroughness).map(({ values }) => values)
  const relative = relativeWeights(data.y, by)
  if (relative !== undefined) {
    const rows = FormulaRows.make(formula, names, data, relative, thoroughness.slopes)
    const near = starts(formula, names, linear, data, relative, thoroughness)
    begun.push(...near.flatMap(({ values }) => follow(rows, values)?.values ?? []))
  }
  const found = begun.flatMap((values) => follow(own, values) ?? [])
  const least = found.reduce((least, { rss }) => Math.min(least, rss), Infinity)
  // Of numbers that fit equally well, such as phases of a wave, the plainest: few are negative, and none is large.
  const limit = least + equally * (least + Number.EPSILON * FormulaRows.square(data.y))
  return found
    .filter(({ rss }) => rss <= limit)
    .reduce<Fit | undefined>(
      (best, one) => (best !== undefined && !isPlainer(one, best) ? best : one),
      undefined,
    )
}

/** A response is over decades where its largest magnitude is more than this many times the median. */
const decades = 1e3

/**
 * Weights of relative errors of a response over decades; undefined of another. The largest rows alone decide a sum of squares there, and of exp(x / c) with
 * x up to 90 c no rough value of c is near enough for a step.
 */
const relativeWeights = (y: Float64Array, by: Float64Array | undefined): Float64Array | undefined => {
  const sizes = y.map(Math.abs)
  const median = orderStatistic(sizes, sizes.length >> 1)
  const isOver = median > 0 && sizes.some((size) => size > decades * median)
  return isOver ? sizes.map((size, i) => (by?.[i] ?? 1) / Math.max(size, median / decades)) : undefined
}

/** The share by which sums of squares of equally good fits differ. */
const equally = 1e-6

/** Whether fewer numbers are negative, or as many, and all together are smaller. */
const isPlainer = ({ values: a }: Fit, { values: b }: Fit): boolean => {
  const negative = (values: Float64Array): number => values.filter((value) => value < 0).length
  const size = (values: Float64Array): number => values.reduce((sum, value) => sum + Math.abs(value), 0)
  return negative(a) < negative(b) || (negative(a) === negative(b) && size(a) < (1 - equally) * size(b))
}

/** Points to begin from, best first. */
const starts = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  linear: ReadonlyArray<string>,
  data: Dataset,
  by: Float64Array | undefined,
  { tries, most, followed, slopes: kind }: Thoroughness,
): ReadonlyArray<Start> => {
  const every = Math.max(1, Math.floor(data.rows / looked))
  const places = Array.from({ length: Math.ceil(data.rows / every) }, (_, i) => i * every)
  const some = (column: Float64Array): Float64Array => Float64Array.from(places, (i) => column[i]!)
  const part = {
    ...data,
    columns: data.columns.map(some),
    y: some(data.y),
    rows: places.length,
  }
  const weights = by && some(by)
  const { residual, slopes } = FormulaRows.make(formula, names, part, weights, kind)
  const scales = [
    1,
    ...data.columns.flatMap((column) => {
      const size = Math.sqrt(FormulaRows.square(column) / column.length)
      return size > 0 ? [size, 1 / size] : []
    }),
  ]
  const source = Rng.generator(Rng.fold(Rng.key(0), "formula"))
  const drawn = (): number => {
    const scale = scales[Math.floor(source.next() * scales.length)]!
    return (source.next() < 0.7 ? 1 : -1) * scale * pow(10, 2 * source.next() - 1)
  }
  const spread = Math.max(1, Math.floor(places.length / ranged))
  const few = new Map(
    data.features.map((name, j) => [name, part.columns[j]!.filter((_, i) => i % spread === 0)]),
  )
  const count = Math.min(most, Math.max(1, tries * (names.length - linear.length)))
  /** Values with the linear ones by least squares. */
  const completed = (values: Float64Array): Start => {
    for (const name of linear) values[names.indexOf(name)] = 0
    const rest = residual(values)
    const design = slopes(values, linear)
    if (!allFinite(rest) || !design.every((one) => allBelow(one, 1e150))) return { values, rss: Infinity }
    const { coefficients, rss } = leastSquares(design, rest)
    linear.forEach((name, j) => (values[names.indexOf(name)] = coefficients[j]!))
    return { values, rss }
  }
  const roughly = roughValues(formula, names, few)
  const draws = Array.from({ length: count }, (_, k) => {
    const rough = k % 2 === 1 ? roughly(source.next) : undefined
    return Float64Array.from(names, (name) =>
      linear.includes(name) ? 0 : k === 0 ? 1 : (rough?.get(name) ?? drawn()),
    )
  })
  const found = [...quotientStarts(formula, names, part, weights), ...draws].map(completed)
  return found
    .filter(({ rss }) => rss < Infinity)
    .sort((a, b) => a.rss - b.rss)
    .slice(0, followed)
}
