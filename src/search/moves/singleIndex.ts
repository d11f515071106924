import { differenceVariance } from "../../numeric/differenceVariance.ts"
import { allBelow } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { thinned } from "../../numeric/thinned.ts"
import * as FactorSplit from "../FactorSplit.ts"
import * as Frame from "../Frame.ts"
import { type Frontier, height } from "../Frontier.ts"
import * as HallOfFame from "../HallOfFame.ts"
import * as IndexFunctions from "../IndexFunctions.ts"
import * as Move from "../Move.ts"
import * as PowerProduct from "../PowerProduct.ts"
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
  forms: true,
  further: true,
  fitted: 12,
}
/** Of fewer rows the differences of neighbours say little. */
const least = 30
/** Tables of more columns have no factors tried beside an index. */
const columns = 6
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

/** An index of a response, and the factor of its function, as nodes; the factor is -1 for 1. */
interface Piece {
  readonly response: number
  readonly index: number
  readonly factor: number
}

interface Memory {
  readonly steps: number
  readonly left: ReadonlyArray<Piece>
}

/**
 * The indices around which a response varies least, where that is less than its best law leaves: the response is a factor times a smooth function of one
 * of them. Yields after parts of some milliseconds.
 */
const look = function* (bench: Workbench, frontier: Frontier): Generator<void, ReadonlyArray<Piece>> {
  const { space } = bench
  const { response, leader } = frontier
  const { id, weight, centre, scale, tss, unit } = space.responses[response]!
  const features = varying(space)
  const best = leader()
  if (features.length < 2 || best === undefined) return []
  const some = thinned(space.rows, most.rows)
  const weights = some(space.kernel.column(weight))
  const rows = (column: Float64Array): Float64Array => some(column).filter((_, i) => weights[i]! > 0)
  // Not centred: a factor is one of the whole of y.
  const z = rows(space.kernel.column(id)).map((value) => value + centre / scale)
  const w = weights.filter((value) => value > 0)
  if (z.length < least) return []
  // The mean square around the mean, and the share of it that the best law leaves.
  const around = leastSquares(
    [w],
    z.map((value, i) => value * w[i]!),
  ).rss
  const unexplained = ((around / z.length) * best.rss) / (tss * unit)
  const enough = share.any * unexplained
  const one = PowerProduct.one(bench)
  const single = features.length > columns ? [] : features
  const reciprocals = one < 0 ? [] : single.map((feature) => bench.apply("div", one, feature))
  const frames = [-1, ...single, ...reciprocals.filter((node) => node >= 0)].flatMap((factor) => {
    const by = factor < 0 ? undefined : rows(space.kernel.column(factor))
    if (by?.every((value) => value !== 0 && Math.abs(value) < largest) === false) return []
    return [
      {
        factor,
        z: by ? z.map((value, i) => value / by[i]!) : z,
        spread: w.map((value, i) => 1 / (value * (by?.[i] ?? 1)) ** 2),
      },
    ]
  })
  const found: Array<Found> = []
  let looked = 0
  for (const index of bench.columns().subarray(0, most.indices)) {
    const u = rows(space.kernel.column(index))
    if (allBelow(u, largest)) {
      const variance = differenceVariance(u)
      for (const { factor, z, spread } of frames) {
        const left = variance(z, spread, enough)
        if (left < Infinity) found.push({ response, index, factor, variance: left })
      }
    }
    if (++looked % most.part === 0) yield
  }
  const alone = single.map((index) => ({
    index,
    variance: differenceVariance(rows(space.kernel.column(index))),
  }))
  const others: Array<Found> = []
  const [ratio, spread] = [z.slice(), z.slice()]
  /** The pieces with a factor beside a function of a column; those that leave more variance than `atMost` are none. */
  const beside = (factor: number, atMost: number, of = alone): ReadonlyArray<Found> => {
    const by = rows(space.kernel.column(factor))
    if (!allBelow(by, largest) || by.includes(0)) return []
    for (let i = 0; i < z.length; i++) {
      ratio[i] = z[i]! / by[i]!
      spread[i] = 1 / (w[i]! * by[i]!) ** 2
    }
    return of.flatMap(({ index, variance }) => {
      const left = variance(ratio, spread, atMost)
      return left < Infinity ? [{ response, index, factor, variance: left }] : []
    })
  }
  const laws = HallOfFame.lasting(frontier)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most.laws)
  for (const { trees } of laws)
    for (const column of alone)
      for (const tree of trees) {
        const factor = FactorSplit.besideFunctionsOf(bench, tree, column.index)
        if (factor !== undefined) others.push(...beside(factor, share.own * unexplained, [column]))
      }
  for (const factor of alone.length === 0 ? [] : bench.columns().subarray(0, most.factors)) {
    others.push(...beside(factor, enough))
    if (++looked % most.part === 0) yield
  }
  // A function of the column alone needs no expression beside it, nor does one with a column as its factor.
  const isFurther = ({ index, variance }: Found): boolean =>
    !found.some((one) => one.index === index && one.variance <= alike * variance)
  return [
    // A smooth function of one index is a smooth function of others that order the rows alike.
    ...simplest(found, (a, b) => a.factor === b.factor),
    ...simplest(others.filter(isFurther), (a, b) => a.index === b.index),
  ]
}

interface Found extends Piece {
  readonly variance: number
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

/**
 * Laws are often a function of one index, such as (E - mu)/T, that is a small expression of the columns, perhaps times one column. The index orders the
 * rows so that the response is smooth: the differences of neighbours say how far it is, whatever the function. Then functions of that index are tried.
 * In the same way a law may be a small expression times a function of one column, as (x - v t)/sqrt(1 - v^2/c^2) is.
 *
 * *When to use*: for functions of an index that have no logarithm, such as occupations, saturations and waves with noise; `scaling` has the others.
 */
export const singleIndex = Move.make<Memory>({
  name: "singleIndex",
  begin: () => ({ steps: 0, left: [] }),
  gradually: function* (bench, { steps: before, left: [first, ...others] }) {
    const steps = before + 1
    if (bench.leavesNothing()) return { steps, left: [] }
    const isLed = looks.leading.includes(steps)
    if (isLed || steps === looks.itself) {
      const frontier = isLed
        ? bench.frontiers.toSorted((a, b) => height(b) - height(a))[0]
        : bench.frontiers.find(({ response }) => response === bench.itself)
      return { steps, left: frontier === undefined ? [] : yield* look(bench, frontier) }
    }
    if (first !== undefined) compose(bench, first)
    return { steps, left: others }
  },
})
