import { differenceVariance, type Variance } from "../numeric/differenceVariance.ts"
import { extremes } from "../numeric/extremes.ts"
import { allBelow } from "../numeric/finite.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import * as Real from "../numeric/Real.ts"
import { thinned } from "../numeric/thinned.ts"
import * as FactorSplit from "./FactorSplit.ts"
import type { Frontier } from "./Frontier.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as PowerProduct from "./PowerProduct.ts"
import { uncentred, varying } from "./SearchSpace.ts"
import type { Workbench } from "./Workbench.ts"

/**
 * Rows that are looked at, expressions that may be an index, or a factor of a function of one column, laws whose factors are, and those that are given of
 * each; expressions in a part.
 */
const most = { rows: 150, indices: 2000, factors: 4000, laws: 8, given: 2, part: 50 } as const
/** Of fewer rows the differences of neighbours say little. */
const least = 30
/** Tables of more columns have no factors looked at beside an index. */
const mostColumns = 6
/**
 * The variance between neighbours of n rows of noise has a standard deviation of 2 / sqrt(n) of it (`differenceVariance`), and the least of the thousands
 * that are looked at is as many of these below.
 */
const byChance = (rows: number): number => Real.exp((-2 * 4.3) / Math.sqrt(rows))
/** An index of those that laws have leaves at most this share of the variance that the best law leaves: a function of a column that fits no better may be simpler. */
const ofLaws = 1.2
/** Of indices whose variances are within this factor the simplest is taken: powers of an index order the rows alike. */
const alike = 1.05
/** An index is not given that leaves more than this many times the variance of the best. */
const worse = 3
/** The degree of the polynomials of a column by which factors of laws are judged. */
const degree = 8
/** Values above are no values of a column. */
export const largest = 1e100

/** An index of a response, and the factor of its function, as nodes; the factor is -1 for 1. */
export interface Piece {
  readonly response: number
  readonly index: number
  readonly factor: number
}

interface Found extends Piece {
  readonly variance: number
}

/** A response on some of its rows. */
interface Sample {
  /** a column on these rows */
  readonly rows: (column: Float64Array) => Float64Array
  /** the response, not centred: a factor is one of the whole of y */
  readonly z: Float64Array
  readonly weights: Float64Array
  /** the variance that the best law leaves */
  readonly unexplained: number
  /** the variance below which an index, or a factor, explains more than that law: not the least of all by chance */
  readonly better: number
}

/** Undefined where no law is there to compare with, or the rows are few. */
const sampleOf = ({ space }: Workbench, { response, leader }: Frontier): Sample | undefined => {
  const { weight, tss, unit } = space.responses[response]!
  const best = leader()
  if (best === undefined) return undefined
  const some = thinned(space.rows, most.rows)
  const all = some(space.kernel.column(weight))
  const rows = (column: Float64Array): Float64Array => some(column).filter((_, i) => all[i]! > 0)
  const z = rows(uncentred(space, response))
  const weights = all.filter((value) => value > 0)
  if (z.length < least) return undefined
  // The mean square around the mean, and the share of it that the best law leaves.
  const weighted = z.map((value, i) => value * weights[i]!)
  const around = leastSquares([weights], weighted).rss / z.length
  const unexplained = (around * best.rss) / (tss * unit)
  return { rows, z, weights, unexplained, better: byChance(z.length) * unexplained }
}

/** The variance of a response over a factor, each row in units of its own; undefined where the factor has no reciprocal on some row. */
const divided = (
  { rows, z, weights }: Sample,
  factor: Float64Array | undefined,
): { readonly z: Float64Array; readonly spread: Float64Array } | undefined => {
  if (factor === undefined) return { z, spread: weights.map((value) => 1 / value ** 2) }
  const by = rows(factor)
  if (!allBelow(by, largest) || by.includes(0)) return undefined
  return {
    z: z.map((value, i) => value / by[i]!),
    spread: weights.map((value, i) => 1 / (value * by[i]!) ** 2),
  }
}

/** The pieces of each node. Yields after parts. */
const inParts = function* (
  nodes: Int32Array,
  piecesOf: (node: number) => ReadonlyArray<Found>,
): Generator<void, Array<Found>> {
  const found: Array<Found> = []
  for (const [place, node] of nodes.entries()) {
    found.push(...piecesOf(node))
    if (place % most.part === most.part - 1) yield
  }
  return found
}

/** The expressions of which the response is a smooth function, perhaps times a column or its reciprocal. Yields after parts. */
const indices = function* (
  bench: Workbench,
  response: number,
  sample: Sample,
  features: ReadonlyArray<number>,
): Generator<void, ReadonlyArray<Found>> {
  const { kernel } = bench.space
  const one = PowerProduct.one(bench)
  const reciprocals = one < 0 ? [] : features.map((feature) => bench.apply("div", one, feature))
  const frames = [-1, ...features, ...reciprocals.filter((node) => node >= 0)].flatMap((factor) => {
    const over = divided(sample, factor < 0 ? undefined : kernel.column(factor))
    return over === undefined ? [] : [{ factor, ...over }]
  })
  return yield* inParts(bench.columns().subarray(0, most.indices), (index) => {
    const u = sample.rows(kernel.column(index))
    if (!allBelow(u, largest)) return []
    const measure = differenceVariance(u)
    return frames.flatMap(({ factor, z, spread }) => {
      const variance = measure(z, spread, sample.better)
      return variance < Infinity ? [{ response, index, factor, variance }] : []
    })
  })
}

/** The variance around the polynomial of u that is nearest: of a smooth function without noise less is left than between neighbours. */
const aroundPolynomial = (u: Float64Array): Variance => {
  const { low, high } = extremes(u) ?? { low: 0, high: 0 }
  const x = u.map((value) => (2 * value - low - high) / (high - low))
  // Chebyshev's polynomials: T_(k+1) = 2 x T_k - T_(k-1).
  const basis: Array<Float64Array> = [new Float64Array(u.length).fill(1), x]
  for (let k = 1; k < degree; k++)
    basis.push(basis[k]!.map((value, i) => 2 * x[i]! * value - basis[k - 1]![i]!))
  return (z, spread) => {
    const by = spread.map((value) => 1 / Math.sqrt(value))
    const weighted = (column: Float64Array): Float64Array => column.map((value, i) => value * by[i]!)
    const { rss } = leastSquares(basis.map(weighted), weighted(z))
    return rss / (u.length - basis.length)
  }
}

/**
 * The expressions that are factors of the response beside a smooth function of one column: those of the library, columns, and those of laws. Yields after
 * parts.
 */
const factors = function* (
  bench: Workbench,
  frontier: Frontier,
  sample: Sample,
  features: ReadonlyArray<number>,
): Generator<void, ReadonlyArray<Found>> {
  const { kernel } = bench.space
  const { response } = frontier
  const columns = features.map((index) => {
    const u = sample.rows(kernel.column(index))
    const between = differenceVariance(u)
    return { index, measures: [between], both: [between, aroundPolynomial(u)] }
  })
  type Column = { readonly index: number; readonly measures: ReadonlyArray<Variance> }
  const beside = (factor: number, enough: number, of: ReadonlyArray<Column>): ReadonlyArray<Found> => {
    const over = divided(sample, kernel.column(factor))
    if (over === undefined) return []
    return of.flatMap(({ index, measures }) => {
      const variance = Math.min(...measures.map((one) => one(over.z, over.spread, enough)))
      return variance <= enough ? [{ response, index, factor, variance }] : []
    })
  }
  const library = bench.columns().subarray(0, most.factors)
  const found = yield* inParts(library, (factor) => beside(factor, sample.better, columns))
  const laws = HallOfFame.lasting(frontier)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most.laws)
  const trees = [...new Set(laws.flatMap(({ trees }) => trees))]
  for (const { index, both } of columns) {
    const own = trees.flatMap((tree) => FactorSplit.besideFunctionsOf(bench, tree, index) ?? [])
    const others = features.filter((feature) => feature !== index)
    for (const factor of new Set([...others, ...own]))
      found.push(...beside(factor, ofLaws * sample.unexplained, [{ index, measures: both }]))
  }
  return found
}

/**
 * The indices around which a response varies least, where that is less than its best law leaves: the response is a factor times a smooth function of one
 * of them. Yields after parts of some milliseconds.
 */
export const look = function* (bench: Workbench, frontier: Frontier): Generator<void, ReadonlyArray<Piece>> {
  const features = varying(bench.space)
  const sample = features.length < 2 ? undefined : sampleOf(bench, frontier)
  if (sample === undefined) return []
  const single = features.length > mostColumns ? [] : features
  const found = yield* indices(bench, frontier.response, sample, single)
  const further = single.length === 0 ? [] : yield* factors(bench, frontier, sample, single)
  // A function of the column alone needs no expression beside it, nor does one with a column as its factor.
  const isFurther = ({ index, variance }: Found): boolean =>
    !found.some((one) => one.index === index && one.variance <= alike * variance)
  return [
    // A smooth function of one index is a smooth function of others that order the rows alike.
    ...simplest(found, (a, b) => a.factor === b.factor),
    ...simplest(further.filter(isFurther), (a, b) => a.index === b.index),
  ]
}

/**
 * The pieces of least variance, in the place of each the simplest that is about as good.
 *
 * @param found the simplest first
 * @param isAlike whether one may stand in the place of another
 */
const simplest = (
  found: ReadonlyArray<Found>,
  isAlike: (a: Found, b: Found) => boolean,
): ReadonlyArray<Piece> => {
  const chosen: Array<Found> = []
  for (const piece of found.toSorted((a, b) => a.variance - b.variance)) {
    if (chosen.length >= most.given) break
    const [{ variance } = piece] = chosen
    const simple = found.find((other) => other.variance <= alike * piece.variance && isAlike(other, piece))
    if (simple !== undefined && !chosen.includes(simple) && piece.variance <= worse * variance)
      chosen.push(simple)
  }
  return chosen
}
