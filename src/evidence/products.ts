import type { Tree } from "../prob/Tree.ts"
import * as Trees from "../prob/Tree.ts"
import type { Columns } from "./columns.ts"
import { type Collapsed, type Hyper, posterior } from "./conjugate.ts"
import { fromMoments, type Moments, tolerable } from "./moments.ts"
import * as Cholesky from "../numeric/cholesky.ts"
import { dot, orthogonalise } from "../numeric/orthogonal.ts"

/**
 * Numbered trees over one data set, with a cache of the inner products of their columns. With cached inner products the
 * evidence of an ensemble costs (K + 1)^3 operations instead of n (K + 1)^2. Columns are not kept here (`Columns` caches
 * them, within its capacity), so that memory grows by a few numbers for each tree and pair of trees.
 */
export interface Products {
  /** The number that identifies a tree; equal trees have equal numbers. A new tree is evaluated. */
  readonly number: (tree: Tree) => number
  /** The tree with a number. */
  readonly tree: (number: number) => Tree
  /** Whether the tree may be in a model (`Column.admissible`). */
  readonly admissible: (number: number) => boolean
  /** The inner products of the design matrix [1, t_1, ..., t_K]. */
  readonly moments: (numbers: ReadonlyArray<number>) => Moments
  /**
   * Evidence and posterior of an ensemble of admissible trees: from moments, or from the columns if the error by moments
   * exceeds `tolerable`.
   */
  readonly collapse: (hyper: Hyper, numbers: ReadonlyArray<number>) => Collapsed
  /** Least squares of y on [1, t_1, ..., t_K]: from moments if these are accurate enough, otherwise from the columns. */
  readonly leastSquares: (numbers: ReadonlyArray<number>) => LeastSquares
}

/** The summary of a least-squares fit that BIC needs. */
export interface LeastSquares {
  /** residual sum of squares, in squared units of y */
  readonly rss: number
  /** the number of linearly independent columns, the intercept included */
  readonly rank: number
}

/**
 * Moments are accurate enough for least squares when every column has at least this fraction of its squared length outside
 * of the span of the others, and the residual at least this fraction of y'y. 1e-6 keeps about eight of sixteen digits.
 */
const wellPosed = 1e-6

interface Entry {
  readonly tree: Tree
  readonly admissible: boolean
  readonly sum: number
  readonly square: number
  /** t'y */
  readonly cross: number
}

export const make = (columns: Columns, y: Float64Array): Products => {
  const ones = new Float64Array(columns.rows).fill(1)
  const total = dot(y, ones)
  const square = dot(y, y)
  const entries: Array<Entry> = []
  const numbers = new Map<string, number>()
  // The key is the pair of tree numbers as one integer, exact below 2^26 trees.
  const pairs = new Map<number, number>()
  const inner = (a: number, b: number): number => {
    if (a === b) return entries[a]!.square
    const key = Math.max(a, b) * 2 ** 26 + Math.min(a, b)
    const known = pairs.get(key)
    if (known !== undefined) return known
    const made = dot(columns.column(entries[a]!.tree).values, columns.column(entries[b]!.tree).values)
    pairs.set(key, made)
    return made
  }
  const moments = (numbers: ReadonlyArray<number>): Moments => {
    const size = numbers.length + 1
    const gram = new Float64Array(size * size)
    const cross = new Float64Array(size)
    gram[0] = columns.rows
    cross[0] = total
    numbers.forEach((a, j) => {
      const { sum, cross: withY } = entries[a]!
      cross[j + 1] = withY
      gram[(j + 1) * size] = gram[j + 1] = sum
      for (let k = 0; k <= j; k++)
        gram[(j + 1) * size + k + 1] = gram[(k + 1) * size + j + 1] = inner(a, numbers[k]!)
    })
    return { rows: columns.rows, gram, cross, square }
  }
  return {
    number: (tree) => {
      const key = Trees.key(tree)
      const known = numbers.get(key)
      if (known !== undefined) return known
      const { values, admissible } = columns.column(tree)
      numbers.set(key, entries.length)
      entries.push({
        tree,
        admissible,
        sum: dot(values, ones),
        square: dot(values, values),
        cross: dot(values, y),
      })
      return entries.length - 1
    },
    tree: (number) => entries[number]!.tree,
    admissible: (number) => entries[number]!.admissible,
    moments,
    collapse: (hyper, numbers) => {
      const estimate = fromMoments(hyper, moments(numbers))
      if (estimate.error < tolerable) return estimate
      return posterior(
        hyper,
        y,
        numbers.map((number) => columns.column(entries[number]!.tree).values),
      )
    },
    leastSquares: (numbers) => {
      const { gram, cross, square } = moments(numbers)
      const size = numbers.length + 1
      const cholesky = Cholesky.make(size)
      Cholesky.decompose(gram, cholesky)
      const solution = new Float64Array(size)
      Cholesky.solve(cholesky, cross, solution)
      const rss = square - dot(cross, solution)
      const pivots = Array.from({ length: size }, (_, k) => cholesky.factor[k * size + k]! ** 2)
      if (rss > wellPosed * square && pivots.every((pivot) => pivot > wellPosed)) return { rss, rank: size }
      const design = [ones, ...numbers.map((number) => columns.column(entries[number]!.tree).values)]
      const { outside, rank } = orthogonalise(design, y)
      return { rss: outside, rank }
    },
  }
}
