import { negligible } from "../numeric/orthogonal.ts"
import { FAULTS, FIRST, SHIFT, SQUARE } from "./kernel/Kernel.ts"
import type { Response, SearchSpace } from "./SearchSpace.ts"

/** A pivot below this share of a column's own square is rounding: the column is in the span of the others. */
const leastPivot = 1e-12
/**
 * The rounding of sums of squares, as a share of a column's square: some units in the last place of float64. That share of a
 * column fits nothing.
 */
const rounding = 2 ** -50
/**
 * The rounding of the values of a column, as a share of the magnitude around which it varies: some operations of float64. A
 * column that varies by less is a constant.
 */
const roundingOfValues = 2 ** -48

/**
 * Least squares of a response on an intercept, some trees that are held, and one more: residual sums of squares of
 * thousands of candidates by bordering one Cholesky factor. Sums of squares are those of the response scaled to
 * variance 1 (`SearchSpace.responses`).
 */
export interface Regression {
  /** The numbers of a row of moments: `FIRST`, and an inner product with each column that is held. */
  readonly width: () => number
  /**
   * Holds trees and a response.
   *
   * @returns the residual sum of squares with the trees alone; NaN when a column of theirs is not admissible
   */
  readonly hold: (base: ReadonlyArray<number>, response: number) => number
  /** The number of linearly independent trees held. */
  readonly rank: () => number
  /** The coefficients of the model held: of the intercept, then of each tree; 0 of those in the span of others. */
  readonly coefficients: () => Float64Array
  /** The moments of candidates: a table with `width` numbers a row, overwritten by the next call. */
  readonly moments: (ids: Int32Array, count: number) => Float64Array
  /**
   * The residual sum of squares with the candidate whose moments begin at `at`; negative when it adds nothing to the
   * span (the residual sum of squares is then that of the trees held), NaN when it is not admissible.
   */
  readonly rss: (table: Float64Array, at: number) => number
  /** A number that the latest candidate shares with every column that is an affine function of it. */
  readonly signature: (table: Float64Array, at: number) => number
}

/** @param most the most trees that are held */
export const make = (space: SearchSpace, most: number): Regression => {
  const { kernel } = space
  const side = most + 1
  const factor = new Float64Array(side * side)
  const z = new Float64Array(side)
  const v = new Float64Array(side)
  // The places of the independent trees among those held, and their means times the length of the intercept.
  const places = new Int32Array(most)
  const means = new Float64Array(most)
  const shifts = new Float64Array(most)
  // Of what each has beside those before it, the share that may be rounding.
  const doubts = new Float64Array(most)
  let trees = 0
  let independent = 0
  let response: Response | undefined
  let remaining = 0
  let table = new Float64Array(0)
  const room = (length: number): Float64Array => {
    if (table.length < length) table = new Float64Array(2 * length)
    return table
  }
  const width = (): number => FIRST + trees + 3

  let pivot = 0
  let last = 0
  let doubt = 0
  /** Solves for a candidate: `v`, `pivot`, `last` = t'r and `doubt`. The intercept, held first, is taken out first. */
  const border = (rows: Float64Array, at: number, { mean: ofResponse, norm }: Response): number => {
    const mean = rows[at + FIRST]! / norm
    const square = rows[at + SQUARE]!
    const variance = square - mean * mean
    const ofValues = (roundingOfValues * rows[at + SHIFT]! * norm) ** 2
    if (!(variance > leastPivot * square && variance > ofValues && variance > negligible * negligible))
      return -1
    let inner = rows[at + FIRST + 1 + trees]! - mean * ofResponse
    pivot = variance
    let rounded = rounding * square + ofValues
    for (let j = 0; j < independent; j++) {
      const place = places[j]!
      let sum = rows[at + FIRST + 1 + place]! - mean * means[place]!
      for (let k = 0; k < j; k++) sum -= factor[j * side + k]! * v[k]!
      sum /= factor[j * side + j]!
      v[j] = sum
      pivot -= sum * sum
      // A projection on a column that is mostly rounding is as uncertain as the column.
      rounded += sum * sum * doubts[j]!
      inner -= sum * z[j]!
    }
    if (!(pivot > leastPivot * variance)) return -1
    last = inner
    // The part of a column outside the span of the others may be mostly rounding where they nearly span it. The gain
    // is certain up to that share, and a candidate counts with the least gain: of thousands of candidates, those
    // would lead whose rounding is in their favour.
    doubt = Math.min(1, rounded / pivot)
    const gain = (inner * inner) / pivot
    return Math.max(0, remaining - gain) + gain * doubt
  }

  return {
    width,
    hold: (base, index) => {
      const to = space.responses[index]!
      response = to
      trees = base.length
      kernel.weigh(to.weight)
      kernel.hold([space.one, ...base, to.id, space.witness])
      remaining = to.tss
      independent = 0
      if (trees === 0) return remaining
      const rows = room(trees * width())
      kernel.moments(base, rows)
      for (let k = 0; k < trees; k++) {
        const at = k * width()
        if (rows[at + FAULTS] !== 0) return Number.NaN
        means[k] = rows[at + FIRST]! / to.norm
        shifts[k] = rows[at + SHIFT]!
        const left = border(rows, at, to)
        if (left < 0) continue
        // The tree becomes part of the base.
        const length = Math.sqrt(pivot)
        for (let j = 0; j < independent; j++) factor[independent * side + j] = v[j]!
        factor[independent * side + independent] = length
        z[independent] = last / length
        places[independent] = k
        doubts[independent] = doubt
        independent++
        remaining = left
      }
      return remaining
    },
    rank: () => independent,
    coefficients: () => {
      const solution = new Float64Array(trees + 1)
      if (response === undefined) return solution
      const own = new Float64Array(independent)
      let intercept = response.mean
      for (let j = independent - 1; j >= 0; j--) {
        let sum = z[j]!
        for (let k = j + 1; k < independent; k++) sum -= factor[k * side + j]! * own[k]!
        own[j] = sum / factor[j * side + j]!
        solution[places[j]! + 1] = own[j]!
        intercept -= own[j]! * means[places[j]!]!
      }
      // Columns are held less their shifts.
      solution[0] = solution
        .subarray(1)
        .reduce((left, slope, k) => left - slope * shifts[k]!, intercept / response.norm)
      return solution
    },
    moments: (ids, count) => {
      const rows = room(count * width())
      kernel.moments(count === ids.length ? ids : ids.subarray(0, count), rows)
      return rows
    },
    rss: (rows, at) =>
      rows[at + FAULTS] === 0 && response !== undefined ? border(rows, at, response) : Number.NaN,
    signature: (rows, at) => {
      if (response === undefined) return Number.NaN
      const { mean: ofResponse, norm, tss, witness } = response
      const mean = rows[at + FIRST]! / norm
      const scale = Math.sqrt(rows[at + SQUARE]! - mean * mean)
      const inner = (rows[at + FIRST + 1 + trees]! - mean * ofResponse) / (scale * Math.sqrt(tss))
      const aside = (rows[at + FIRST + 2 + trees]! - mean * witness.mean) / (scale * witness.length)
      return (
        Math.round(2 ** 24 * Math.abs(inner)) * 2 ** 28 +
        Math.round(2 ** 26 * (2 + (inner < 0 ? -aside : aside)))
      )
    },
  }
}
