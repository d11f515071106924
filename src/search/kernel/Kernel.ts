/**
 * What regressions are made of: inner products of columns over the rows, in float64. Columns are named by the nodes of
 * a `Dag`. The one thing here that passes over data.
 */
export interface Kernel {
  /** n */
  readonly rows: number
  /** The most columns that can be held at a time, at least 1. */
  readonly capacity: number
  /**
   * Holds columns u_1, ..., u_J for the inner products to come, instead of those held before.
   *
   * @throws RangeError for more than `capacity` columns
   */
  readonly hold: (ids: ArrayLike<number>) => void
  /** J, the number of columns held */
  readonly held: () => number
  /**
   * Writes for each column t a row [t't, faults, shift, t'u_1, ..., t'u_J] of `FIRST` + J numbers. `faults` is 0
   * if every value of t is finite and below `largest` in magnitude (the tree is admissible), positive otherwise; the
   * other numbers of such a row have no meaning. `shift` is the number that was subtracted from t before its products were taken
   * (`Evaluator.weigh`). The same numbers whatever was evaluated before.
   *
   * @param out at least ids.length (`FIRST` + J) numbers
   */
  readonly moments: (ids: ArrayLike<number>, out: Float64Array) => void
}

/** Where a row of moments has what. */
export const SQUARE = 0
export const FAULTS = 1
export const SHIFT = 2
export const FIRST = 3
