import type { Level } from "./Shape.ts"

/** Where things are; lengths in bytes. */
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

/** What is known of values. */
export interface Bounds {
  /** inner nodes are squashed to c tanh(v / c) */
  readonly clip: number | undefined
  /** the largest magnitude of each terminal in the data */
  readonly largest: ReadonlyArray<number>
  /** whether leaves are mixtures of terminals, their weights 1 together; not where leaves have values of their own */
  readonly mixed: boolean
}

/** What the operands of a level's nodes stay below: mixtures of terminals between them, others below the clip. */
export const operandBound = ({ clip, largest, mixed }: Bounds, { bottom }: Level): number =>
  1.001 * (bottom ? (mixed ? Math.max(...largest) : Infinity) : (clip ?? Infinity))
