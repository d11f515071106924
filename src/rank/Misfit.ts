import { meanRanks } from "../numeric/meanRanks.ts"
import { dot, orthogonalise } from "../numeric/orthogonal.ts"
import { betaI, lgamma, normalCdf } from "../numeric/Special.ts"
import * as Real from "../numeric/Real.ts"

/** The strongest sign that residuals are not noise. */
export interface Misfit {
  /** "runs": too few changes of sign; "curve": a smooth trend of the ranks; "wrong rows": rows that are taken for wrong lie together */
  readonly test: "runs" | "curve" | "wrong rows"
  /** the order in which they are looked at: "rows", "fitted values", or the name of a column */
  readonly along: string
  /** times the number of tests, at most 1 (Bonferroni): the probability of a sign at least as strong, of noise */
  readonly pValue: number
}

/** An order of the rows: its name, and the values by which the rows are sorted. */
export interface Axis {
  readonly name: string
  readonly values: ArrayLike<number>
}

/** As many rows are tested, evenly spaced: more say no more about a misfit that matters. */
const most = 4000
/** The rows, and the axes, once the time is over: a law that lacks a column is seen on some hundred rows, and takes no time. */
const hurried = { rows: 250, axes: 40 } as const
/** Fewer rows, or fewer signs of one kind, have no test. */
const least = { rows: 8, signs: 3 }
/** The largest degree of the trend of ranks, and the rows that each degree needs. */
const trend = { degree: 5, rows: 5 }

/** The name of the order of the rows. */
const byRow = "rows"

const logChoose = (n: number, k: number): number =>
  k < 0 || k > n ? -Infinity : lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)

/**
 * The exact p-value of the runs test of Wald and Wolfowitz (1940): the probability of at most as many runs of signs, when all
 * orders of the signs are equally likely. 1 with fewer than three signs of one kind.
 */
export const runs = (signs: ReadonlyArray<boolean>): number => {
  const above = signs.filter(Boolean).length
  const below = signs.length - above
  if (Math.min(above, below) < least.signs) return 1
  const found = 1 + signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length
  const all = logChoose(signs.length, above)
  let sum = 0
  for (let count = 2; count <= found; count++) {
    const [low, high] = [Math.floor(count / 2), Math.ceil(count / 2)]
    const ways = (a: number, b: number): number =>
      Real.exp(logChoose(above - 1, a - 1) + logChoose(below - 1, b - 1) - all)
    sum += low === high ? 2 * ways(low, low) : ways(low, high) + ways(high, low)
  }
  return Math.min(1, sum)
}

/**
 * The p-value of the F-test of a trend: the ranks of residuals on Legendre polynomials of the ranks of an axis, of degree five at most.
 * Ranks make it one for noise of any distribution and of unequal size (Conover and Iman 1981).
 */
export const curve = (residuals: ArrayLike<number>, axis: ArrayLike<number>): number => {
  const n = residuals.length
  const places = meanRanks(axis)
  const distinct = new Set(places).size
  const degree = Math.min(trend.degree, distinct - 1, Math.max(1, Math.floor(n / trend.rows) - 1))
  if (degree < 1) return 1
  const response = meanRanks(residuals).map((rank) => rank - (n + 1) / 2)
  const basis: Array<Float64Array> = [new Float64Array(n).fill(1)]
  const u = places.map((rank) => (2 * rank - n - 1) / n)
  let explained = 0
  for (let power = 1; power <= degree; power++) {
    // Orthogonal polynomials by recurrence: each is u times the one before, less its part in the span.
    const { residual } = orthogonalise(
      basis,
      u.map((value, i) => value * basis[power - 1]![i]!),
    )
    explained += dot(residual, response) ** 2 / dot(residual, residual)
    basis.push(residual)
  }
  const left = Math.max(0, dot(response, response) - explained)
  const freedom = n - degree - 1
  // P(F > f) = I_(freedom / (freedom + degree f)).
  // No order of n rows is rarer than one, or its reverse, of n!.
  const rarest = 2 * Real.exp(-lgamma(n + 1))
  return Math.max(rarest, betaI(freedom / 2, degree / 2, left / (left + explained)))
}

/** The two-sided p-value of the rank sum of some rows (Wilcoxon 1945), by its normal approximation: 1 with fewer than three of a kind. */
export const rankSum = (chosen: ReadonlyArray<boolean>, values: ArrayLike<number>): number => {
  const n = chosen.length
  const count = chosen.filter(Boolean).length
  if (Math.min(count, n - count) < least.signs) return 1
  const sum = meanRanks(values).reduce((sum, rank, i) => (chosen[i] === true ? sum + rank : sum), 0)
  const deviation = Math.sqrt((count * (n - count) * (n + 1)) / 12)
  return Math.min(1, 2 * normalCdf(-Math.abs(sum - (count * (n + 1)) / 2) / deviation))
}

/**
 * Whether residuals are visibly not noise: the strongest of a runs test of their signs and an F-test of their ranks along the
 * order of the rows and each axis, and of rank sums of the rows that the law takes for wrong along each axis and from its middle, corrected for the
 * number of tests. A wrong row has nothing to do with the columns: where such rows lie together the law is wrong there. Undefined for fewer than eight
 * rows, and for residuals of rounding.
 *
 * @param residuals length n, in the order of the rows
 * @param rounding residuals of at most this size are rounding
 * @param late whether the time for it is over: then further axes are looked at on fewer rows, and no more than some
 * @param wrong the rows that are taken for wrong, from 0
 */
export const of = (
  residuals: Float64Array,
  axes: ReadonlyArray<Axis>,
  rounding: number,
  late: () => boolean = () => false,
  wrong: ReadonlyArray<number> = [],
): Misfit | undefined => {
  const spaced = (count: number): ReadonlyArray<number> => {
    const step = Math.max(1, Math.ceil(residuals.length / count))
    return Array.from({ length: Math.floor(residuals.length / step) }, (_, i) => i * step)
  }
  const all = spaced(most)
  if (all.length < least.rows || residuals.every((value) => Math.abs(value) <= rounding)) return undefined
  const few = spaced(hurried.rows)
  const isWrong = new Set(wrong)
  const ofWrong = (
    name: string,
    rows: ReadonlyArray<number>,
    along: ReadonlyArray<number>,
  ): ReadonlyArray<Misfit> => {
    if (isWrong.size < least.signs || name === byRow) return []
    const chosen = rows.map((row) => isWrong.has(row))
    const middle = (rows.length + 1) / 2
    const outwards = meanRanks(along).map((rank) => Math.abs(rank - middle))
    return [along, outwards].map((values) => ({
      test: "wrong rows",
      along: name,
      pValue: rankSum(chosen, values),
    }))
  }
  const tests: ReadonlyArray<Misfit> = [{ name: byRow, values: undefined }, ...axes].flatMap(
    ({ name, values: axis }, place) => {
      const rows = late() ? few : all
      if (rows === few && place > hurried.axes) return []
      const values = rows.map((row) => residuals[row]!)
      const along = rows.map((row) => axis?.[row] ?? row)
      const order = rows.map((_, i) => i).sort((a, b) => along[a]! - along[b]!)
      const signs = order.flatMap((i) => (values[i] === 0 ? [] : [values[i]! > 0]))
      return [
        { test: "runs", along: name, pValue: runs(signs) },
        { test: "curve", along: name, pValue: curve(values, along) },
        ...ofWrong(name, rows, along),
      ]
    },
  )
  const worst = tests.reduce((a, b) => (b.pValue < a.pValue ? b : a))
  return { ...worst, pValue: Math.min(1, worst.pValue * tests.length) }
}
