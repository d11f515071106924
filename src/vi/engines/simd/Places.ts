import type { Level } from "./Shape.ts"

/** The lengths of columns, slots and records in bytes. */
export interface Places {
  /** one value of every row of a block: rows x 4 */
  readonly column: number
  /** from one terminal of a block to the next */
  readonly terminal: number
  /** a slot: a column for each context */
  readonly slot: number
  /** the lengths of the records of the levels, the root's first */
  readonly records: ReadonlyArray<number>
}

export interface Bounds {
  /** c of c tanh(v / c) on the values of inner nodes; undefined without a clip */
  readonly clip: number | undefined
  /** the largest magnitude of each terminal in the data */
  readonly largest: ReadonlyArray<number>
  /** whether leaves are mixtures of terminals with weights of sum 1; false where leaves have fitted values */
  readonly mixed: boolean
}

/** A bound of the operands of a level's nodes: mixtures of terminals lie between these, others below the clip. */
export const operandBound = ({ clip, largest, mixed }: Bounds, { bottom }: Level): number =>
  1.001 * (bottom ? (mixed ? Math.max(...largest) : Infinity) : (clip ?? Infinity))
