import { differenceVariance } from "../../numeric/differenceVariance.ts"
import { allBelow, largestFinite } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { thinned } from "../../numeric/thinned.ts"
import * as FactorSplit from "../FactorSplit.ts"
import * as Frame from "../Frame.ts"
import { type Frontier, height } from "../Frontier.ts"
import * as HallOfFame from "../HallOfFame.ts"
import * as IndexFunctions from "../IndexFunctions.ts"
import * as Move from "../Move.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import * as PowerProduct from "../PowerProduct.ts"
import * as RationalFunctions from "../RationalFunctions.ts"
import * as RationalTrees from "../RationalTrees.ts"
import { varying } from "../SearchSpace.ts"
import type { Workbench } from "../Workbench.ts"

/** The steps of a restart at which indices are looked for: under y itself, and under the response that leads. */
const looks = { itself: 20, leading: [40, 100] }
/** Rows that are looked at, expressions that may be an index, or a factor of a function of one column, laws whose
 * factors are, and those that are tried of each; expressions in a part. */
const most = { rows: 150, indices: 2000, factors: 4000, laws: 8, tried: 2, part: 50 } as const
/** Expressions of an index. */
const extent: IndexFunctions.Extent = {
  first: 300,
  others: 0,
  exponentials: 60,
  forms: "all",
  fitted: 12,
}
/** Of fewer rows the differences of neighbours say little. */
const least = 30
/** Tables of more columns have no factors tried beside an index. */
const mostColumns = 6
/**
 * An index leaves less than this share of the variance that the best law leaves, of all that are looked at, and of those that laws have: a function of a
 * column that fits no better may be simpler.
 */
const share = { any: 0.5, own: 1.2 }
/** Of indices whose variances are within this factor the simplest is taken: powers of an index order the rows alike. */
const alike = 1.05
/** An index is not tried that leaves more than this many times the variance of the best. */
const worse = 3
/** Values above are no values of a column. */
const largest = 1e100

/** A root has at most this share of rows of another sign, and magnitudes below this share of the largest have the accuracy of that. */
const [others, nearZero] = [0.1, 0.05]

/** An index of a response, and the factor of its function, as nodes; the factor is -1 for 1. */
interface Piece {
  readonly response: number
  readonly index: number
  readonly factor: number
}

interface Memory {
  readonly steps: number
  readonly left: ReadonlyArray<Piece>
  /** the pieces that were tried in this restart (`keyOf`) */
  readonly tried: ReadonlyArray<string>
}

const keyOf = ({ response, index, factor }: Piece): string => `${response} ${index} ${factor}`

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
}

/** Undefined where no law is there to compare with, or the rows are few. */
const sampleOf = ({ space }: Workbench, { response, leader }: Frontier): Sample | undefined => {
  const { id, weight, centre, scale, tss, unit } = space.responses[response]!
  const best = leader()
  if (best === undefined) return undefined
  const some = thinned(space.rows, most.rows)
  const all = some(space.kernel.column(weight))
  const rows = (column: Float64Array): Float64Array => some(column).filter((_, i) => all[i]! > 0)
  const z = rows(space.kernel.column(id)).map((value) => value + centre / scale)
  const weights = all.filter((value) => value > 0)
  if (z.length < least) return undefined
  // The mean square around the mean, and the share of it that the best law leaves.
  const weighted = z.map((value, i) => value * weights[i]!)
  const around = leastSquares([weights], weighted).rss / z.length
  return { rows, z, weights, unexplained: (around * best.rss) / (tss * unit) }
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
  const found: Array<Found> = []
  for (const [place, index] of bench.columns().subarray(0, most.indices).entries()) {
    const u = sample.rows(kernel.column(index))
    if (allBelow(u, largest)) {
      const variance = differenceVariance(u)
      for (const { factor, z, spread } of frames) {
        const left = variance(z, spread, share.any * sample.unexplained)
        if (left < Infinity) found.push({ response, index, factor, variance: left })
      }
    }
    if (place % most.part === most.part - 1) yield
  }
  return found
}

/** The expressions that are factors of the response beside a smooth function of one column: those of the library, and those of laws. Yields after parts. */
const factors = function* (
  bench: Workbench,
  frontier: Frontier,
  sample: Sample,
  features: ReadonlyArray<number>,
): Generator<void, ReadonlyArray<Found>> {
  const { kernel } = bench.space
  const { response } = frontier
  const columns = features.map((index) => ({
    index,
    variance: differenceVariance(sample.rows(kernel.column(index))),
  }))
  const beside = (factor: number, atMost: number, of = columns): ReadonlyArray<Found> => {
    const over = divided(sample, kernel.column(factor))
    if (over === undefined) return []
    return of.flatMap(({ index, variance }) => {
      const left = variance(over.z, over.spread, atMost * sample.unexplained)
      return left < Infinity ? [{ response, index, factor, variance: left }] : []
    })
  }
  const found: Array<Found> = []
  for (const [place, factor] of bench.columns().subarray(0, most.factors).entries()) {
    found.push(...beside(factor, share.any))
    if (place % most.part === most.part - 1) yield
  }
  const laws = HallOfFame.lasting(frontier)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most.laws)
  for (const tree of new Set(laws.flatMap(({ trees }) => trees)))
    for (const column of columns) {
      const factor = FactorSplit.besideFunctionsOf(bench, tree, column.index)
      if (factor !== undefined) found.push(...beside(factor, share.own, [column]))
    }
  return found
}

/**
 * The indices around which a response varies least, where that is less than its best law leaves: the response is a factor times a smooth function of one
 * of them. Yields after parts of some milliseconds.
 */
const look = function* (bench: Workbench, frontier: Frontier): Generator<void, ReadonlyArray<Piece>> {
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
    if (chosen.length >= most.tried) break
    const [{ variance } = piece] = chosen
    const simple = found.find((other) => other.variance <= alike * piece.variance && isAlike(other, piece))
    if (simple !== undefined && !chosen.includes(simple) && piece.variance <= worse * variance)
      chosen.push(simple)
  }
  return chosen
}

/** Functions of an index times its factor. */
const compose = (bench: Workbench, { response, index, factor }: Piece): void => {
  const frontier = bench.frontiers[response]!
  const of = (id: number): number => (factor < 0 ? id : bench.apply("mul", factor, id))
  const held = [Frame.none, ...Frame.holding(bench, frontier, factor)]
  IndexFunctions.compose(bench, frontier, index, [], [{ of, held, isFirst: true }], extent)
}

/** Rational functions of an index and roots of such, times its factor: they are linear problems, of which no rough values of numbers are needed. */
const composeRational = function* (
  bench: Workbench,
  { response, index, factor }: Piece,
): Generator<void, void> {
  if (!PolynomialTrees.make(bench).areMade) return
  const { kernel } = bench.space
  const { id, weight, centre, scale } = bench.space.responses[response]!
  const u = kernel.column(index).slice()
  const by = factor < 0 ? undefined : kernel.column(factor).slice()
  const z = kernel.column(id).map((value, i) => (value + centre / scale) / (by?.[i] ?? 1))
  const w = kernel.column(weight).map((value, i) => value * Math.abs(by?.[i] ?? 1))
  if (![u, z, w].every((column) => allBelow(column, largest))) return
  const trees = RationalTrees.make(bench, index, largestFinite(u))
  const framed = (one: number): number => (one < 0 || factor < 0 ? one : bench.apply("mul", factor, one))
  const own = (yield* RationalFunctions.of(u, z, w, RationalFunctions.small)).map((one) =>
    framed(trees.quotient(one)),
  )
  const sign = z.filter((value) => value > 0).length > z.length / 2 ? 1 : -1
  const isOther = (value: number): boolean => value * sign <= 0
  const least = nearZero * largestFinite(z)
  // The error of a square is 2 |z| times that of z. Rows of the other sign are near 0, and noise.
  const ofSquares = w.map((value, i) => (isOther(z[i]!) ? 0 : value / (2 * Math.max(least, Math.abs(z[i]!)))))
  const squares = z.map((value) => value * value)
  const roots =
    z.filter(isOther).length > others * z.length
      ? []
      : (yield* RationalFunctions.of(u, squares, ofSquares, RationalFunctions.small)).map((one) =>
          framed(trees.root(one)),
        )
  const frontier = bench.frontiers[response]!
  const made = [...own, ...roots].filter((one) => one >= 0)
  bench.beside(frontier, Frame.none, made)
  for (const tree of made) bench.tune(frontier, [tree])
}

/**
 * Laws are often a function of one index, such as (E - mu)/T, that is a small expression of the columns, perhaps times one column. The index orders the
 * rows so that the response is smooth: the differences of neighbours say how far it is, whatever the function. Then functions of that index are tried.
 * In the same way a law may be a small expression times a function of one column, as (x - v t)/sqrt(1 - v^2/c^2) is.
 *
 * *When to use*: for functions of an index that have no logarithm, such as occupations, saturations and waves with noise; `scaling` has the others.
 */
export const singleIndex = Move.make<Memory>({
  name: "singleIndex",
  begin: () => ({ steps: 0, left: [], tried: [] }),
  gradually: function* (bench, { steps: before, left: [first, ...rest], tried }) {
    const steps = before + 1
    if (bench.leavesNothing()) return { steps, left: [], tried }
    const isLed = looks.leading.includes(steps)
    if (isLed || steps === looks.itself) {
      const frontier = isLed
        ? bench.frontiers.toSorted((a, b) => height(b) - height(a))[0]
        : bench.frontiers.find(({ response }) => response === bench.itself)
      const found = frontier === undefined ? [] : yield* look(bench, frontier)
      return { steps, left: found.filter((one) => !tried.includes(keyOf(one))), tried }
    }
    if (first === undefined) return { steps, left: [], tried }
    compose(bench, first)
    yield
    yield* composeRational(bench, first)
    return { steps, left: rest, tried: [...tried, keyOf(first)] }
  },
})
