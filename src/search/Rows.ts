import * as Data from "../data/Data.ts"
import { orderStatistic } from "../numeric/orderStatistic.ts"
import * as Real from "../numeric/Real.ts"
import * as Rng from "../random/Rng.ts"

/**
 * A bound that as many of uniform numbers are below, up to six standard deviations: the smallest numbers of a large table are found among few.
 */
const boundOf = (rows: number, all: number): number => (rows + 6 * Math.sqrt(rows) + 6) / all

/** The places of the numbers below a bound, in order. */
const below = (numbers: Float64Array, bound: number): Int32Array => {
  let count = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! < bound) count++
  const places = new Int32Array(count)
  for (let i = 0, place = 0; place < count; i++) if (numbers[i]! < bound) places[place++] = i
  return places
}

/** The places of the smallest numbers, in order; the earlier ones of equal numbers. */
export const smallest = (numbers: Float64Array, count: number): Int32Array => {
  const few = below(numbers, boundOf(count, numbers.length))
  const places = few.length < count ? below(numbers, Infinity) : few
  const values = Float64Array.from(places, (i) => numbers[i]!)
  const last = orderStatistic(values, count - 1)
  let equal = count
  for (const value of values) if (value < last) equal--
  return places.filter((_, k) => values[k]! < last || (values[k] === last && equal-- > 0))
}

/** As many rows by chance, or all if there are no more. */
export const some = (data: Data.Dataset, rows: number, key: Rng.Key): Data.Dataset =>
  data.rows <= rows
    ? data
    : // Those with the smallest numbers.
      Data.rowsOf(data, smallest(Rng.uniform(key, new Float64Array(data.rows)), rows))

/**
 * What the rows of a search are to say: the log likelihood ratio, in nats, of the best ensemble on them against the
 * constant. Where noise is most of y, expressions differ by little on each row, and on few rows others than the law
 * follow the noise as well as the law does the signal. `enough` nats keep them apart, less than `little` do not.
 */
const enough = 1000
const little = 300
/** No search looks at more rows than this many times those that it was set. */
export const widest = 16
/** Steps after which a search looks whether its rows say enough; again after twice as many, and so on. */
export const firstLook = 24

/**
 * How many rows a search should look at in place of those that it has, with 1/2 log(1 / unexplained) nats on each;
 * undefined where those say enough.
 */
export const wanted = (rows: number, unexplained: number): number | undefined => {
  const each = -0.5 * Real.log(unexplained)
  return rows * each < little
    ? Math.max(2 * rows, Math.ceil(enough / Math.max(each, Number.MIN_VALUE)))
    : undefined
}

/** Rows that take the whole patience, and the least share of it. */
const patient = { rows: 64, least: 0.25 }

/**
 * The share of its patience that a restart on few rows has: what they can tell from noise grows with their number, and is short. A
 * longer ensemble pays for each of its nodes by the prior, in nats as with many rows, and a row earns few of them.
 */
export const patience = (rows: number): number => Math.min(1, Math.max(patient.least, rows / patient.rows))
