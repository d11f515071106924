import type { Tree } from "../prob/Tree.ts"
import * as Trees from "../prob/Tree.ts"
import type { Columns } from "./columns.ts"
import { type Collapsed, type Hyper, posterior } from "./conjugate.ts"
import { fromMoments, type Moments, tolerable } from "./moments.ts"
import * as Cholesky from "../numeric/cholesky.ts"
import { dot, orthogonalise } from "../numeric/orthogonal.ts"

/**
 * The trees met so far over one data set, by number, and the inner products of their columns: what makes the
 * evidence of one more ensemble of known trees cost (K + 1)^3 operations instead of n (K + 1)^2.
 * Columns are not held (`Columns` does that, within its bound), so that memory grows by a few numbers a tree.
 */
export interface Products {
  /** The number of a tree; equal trees have equal numbers. Evaluates a tree that is new. */
  readonly number: (tree: Tree) => number
  /** The tree of a number. */
  readonly tree: (number: number) => Tree
  /** Whether the tree's column may stand in a model; see `Column`. */
  readonly admissible: (number: number) => boolean
  /** The inner products of the design matrix [1, t_1, ..., t_K]. */
  readonly moments: (numbers: ReadonlyArray<number>) => Moments
  /**
   * Evidence and posterior of an ensemble of admissible trees: from moments, or from the columns where moments would
   * lose more than `tolerable` of the log evidence.
   */
  readonly collapse: (hyper: Hyper, numbers: ReadonlyArray<number>) => Collapsed
  /** Least squares of y on [1, t_1, ..., t_K]; from moments where they suffice, from the columns elsewhere. */
  readonly leastSquares: (numbers: ReadonlyArray<number>) => LeastSquares
}

/** What a criterion such as BIC needs of a least-squares fit. */
export interface LeastSquares {
  /** residual sum of squares, in squared units of y */
  readonly rss: number
  /** the number of linearly independent columns, the intercept included */
  readonly rank: number
}

/**
 * Moments suffice for least squares when no column has less than this fraction of its square outside of the others,
 * and no less than it is left of y'y: 1e-6 keeps eight digits of sixteen.
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
  // Keyed by the pair as one number: safe below 2^26 trees.
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
