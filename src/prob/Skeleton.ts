/**
 * The full binary skeleton S_j that a tree is drawn in: nodes in heap order, root 0, children 2z + 1 and 2z + 2
 * (paper, Section "Full binary tree skeleton").
 */
export interface Skeleton {
  /** expansion indicators, length N; 1 expands */
  readonly split: ArrayLike<number>
  /** length N; indices into the grammar's operators */
  readonly operator: ArrayLike<number>
  /** length N; indices into the grammar's terminals */
  readonly terminal: ArrayLike<number>
}

/** The number of nodes of a skeleton: N = 2^(D+1) - 1. */
export const size = (depth: number): number => 2 ** (depth + 1) - 1

export const depthOf = (node: number): number => 31 - Math.clz32(node + 1)
