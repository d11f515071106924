import * as collinearity from "../numeric/collinearity.ts"
import { outside } from "../numeric/orthogonal.ts"
import type { Frontier } from "./Frontier.ts"
import * as FeatureSwap from "./FeatureSwap.ts"
import * as PowerProduct from "./PowerProduct.ts"
import { varying } from "./SearchSpace.ts"
import type { Workbench } from "./Workbench.ts"

/**
 * The number of columns that subsets are made of, at most; of them products of powers; the number of features that these are made of; the number of
 * the simplest products whose sums and differences are columns, too; and the size of a subset.
 */
const most = { columns: 50, products: 20, features: 60, paired: 5, size: 6 } as const
/** The largest sum of the exponents of a product, and of two features. */
const degrees = { one: 6, two: 4 } as const
/** The most work for a response, in the unit of `costs`: some tenths of a second. */
const work = 8e6
/** What a subset with all columns beside it costs: for each row, and for each of these columns. */
const costs = { row: 4, column: 8 } as const
/** As many subsets are scored from inner products in the time in which the search scores one ensemble. */
const each = 16
/** The number of subsets that are proposed. */
const proposed = 24
/** Less than this share of a column outside of the span of another is rounding: they are one column. */
const apart = 1e-9

/** The number of subsets with a number of columns of some. */
const subsets = (of: number, size: number): number =>
  size === 0 ? 1 : (subsets(of, size - 1) * Math.max(0, of - size + 1)) / size

/** The number of subsets beside which all columns are looked at: those of all sizes below the largest. */
const looked = (of: number, size: number): number =>
  size <= 1 ? 0 : looked(of, size - 1) + subsets(of, size - 1)

const sizeOf = ({ most: trees }: Pick<Workbench, "most">): number => Math.min(most.size, trees)

/** As many columns as there is time for, with subsets of some size, on some rows. */
const affordable = (rows: number, size: number): number => {
  let count = 2
  while (
    count < most.columns &&
    looked(count + 1, size) * (costs.row * rows + costs.column * (count + 1)) <= work
  )
    count++
  return count
}

/** The features of products, of many those of the best ensembles first: of a thousand features there are millions of products. */
const featuresOf = ({ space, kept }: Pick<Workbench, "space" | "kept">): ReadonlyArray<number> => {
  const all = varying(space)
  if (all.length <= most.features) return all
  const leading = kept().flatMap(({ trees }) => trees.flatMap((tree) => FeatureSwap.featuresOf(space, tree)))
  return [...new Set([...leading, ...all])].slice(0, most.features)
}

/** Products of powers of one feature or two, by degree. */
const products = (bench: Workbench): ReadonlyArray<number> => {
  const { apply } = bench
  const features = featuresOf(bench)
  const power = (id: number, by: number): number => PowerProduct.raised(bench, id, by)
  return Array.from({ length: degrees.one }, (_, k) => k + 1).flatMap((degree) => [
    ...features.map((id) => power(id, degree)),
    ...features.flatMap((a, i) =>
      degree > degrees.two
        ? []
        : features
            .slice(i + 1)
            .flatMap((b) =>
              Array.from({ length: degree - 1 }, (_, k) =>
                apply("mul", power(a, k + 1), power(b, degree - k - 1)),
              ),
            ),
    ),
  ])
}

/**
 * The columns that subsets are made of, as many as there is time for: products of powers, sums of two of them, and the cheapest expressions of the
 * library, each column once but for a factor and a shift.
 */
export const columns = (bench: Workbench): Int32Array => {
  const { space } = bench
  const count = affordable(space.rows, sizeOf(bench))
  const kept: Array<{ readonly id: number; readonly direction: Float64Array }> = []
  const take = (ids: Iterable<number>, room: number): void => {
    for (const id of bench.possible(ids)) {
      if (kept.length >= room) return
      const column = space.kernel.column(id)
      const mean = column.reduce((sum, value) => sum + value, 0) / column.length
      const centred = Float64Array.from(column, (value) => value - mean)
      const length = collinearity.length(centred)
      if (!(length > 0 && Number.isFinite(length))) continue
      const direction = centred.map((value) => value / length)
      const isNew = kept.every(
        (other) => collinearity.length(outside(direction.slice(), [other.direction])) > apart,
      )
      if (isNew) kept.push({ id, direction })
    }
  }
  const simple = products(bench)
  const paired = simple.slice(0, most.paired)
  take(simple, Math.min(count, most.products))
  take(
    paired.flatMap((a, i) =>
      paired.slice(i + 1).flatMap((b) => [bench.apply("add", a, b), bench.apply("sub", a, b)]),
    ),
    count,
  )
  take(bench.columns().subarray(0, 20 * count), count)
  return Int32Array.from(kept, ({ id }) => id)
}

/**
 * The best subsets of the simplest columns, of at most six and as many as an ensemble has trees, by exhaustive search from inner products; Furnival and
 * Wilson (1974) bound such a search, these are few enough to be looked at one by one. Terms that explain nothing alone, such as the powers of a polynomial, are
 * found by no selection that adds one after the other.
 *
 * @param ids the columns, as `columns` has them
 * @param piece one of several parts of the subsets: of those whose first column has its place, all are looked at
 * @returns ensembles of nodes, best first
 */
export const of = (
  bench: Pick<Workbench, "scoring" | "most">,
  frontier: Frontier,
  ids: Int32Array,
  piece: { readonly part: number; readonly parts: number } = { part: 0, parts: 1 },
): ReadonlyArray<ReadonlyArray<number>> => {
  const { scoring } = bench
  const size = sizeOf(bench)
  const best: Array<{ readonly trees: ReadonlyArray<number>; readonly score: number }> = []
  const keep = (trees: ReadonlyArray<number>, score: number): void => {
    if (best.length === proposed && !(score > best.at(-1)!.score)) return
    best.push({ trees, score })
    best.sort((a, b) => b.score - a.score)
    best.length = Math.min(best.length, proposed)
  }
  const extend = (places: ReadonlyArray<number>): void => {
    const base = places.map((place) => ids[place]!)
    const scores = scoring.survey(frontier, base, ids, Math.ceil(ids.length / each))
    const first = (places.at(-1) ?? -1) + 1
    for (let place = first; place < ids.length; place++) keep([...base, ids[place]!], scores[place]!)
    if (places.length + 2 > size) return
    for (let place = first; place < ids.length; place++) extend([...places, place])
  }
  // Few subsets have a late first column, so that every part has some of each.
  for (let place = piece.part; place < ids.length; place += piece.parts) extend([place])
  return best.filter(({ score }) => score > -Infinity).map(({ trees }) => trees)
}
