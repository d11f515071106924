import * as Setting from "../errors/Setting.ts"
import { pow } from "../numeric/Power.ts"

/**
 * The probability that a skeleton node splits as a function of its depth: alpha (1 + d)^(-delta)
 * (Eq. skeleton-prior of the paper; Chipman, George and McCulloch 1998).
 */
export interface DepthDecay {
  readonly alpha: number
  readonly delta: number
}

/** The probability that a skeleton node splits, listed by depth. */
export interface SplitTable {
  /** p_0, p_1, ...; the last holds for all deeper nodes */
  readonly probabilities: ReadonlyArray<number>
}

/** The probability that a node of a skeleton splits, as a function of its depth. */
export type Split = DepthDecay | SplitTable

/**
 * Split probabilities alpha (1 + d)^(-delta) that decay with the depth d (Eq. skeleton-prior). *When to use*: the
 * default; `splitTable` for any other shape.
 *
 * @param alpha in (0, 1): the root's probability
 * @param delta > 0: how fast it falls
 */
export const depthDecay = (alpha: number, delta: number): DepthDecay => ({ alpha, delta })

/**
 * Split probabilities listed by depth. *When to use*: when the usual size of trees is known, or a decay has the wrong
 * shape. With `splitTable([0.99, 0.5, 0.1])` nearly all trees have an operator at the root, and few have depth 3.
 *
 * @param probabilities of the root, its children, and so on, each in (0, 1); the last holds for all deeper nodes
 * @throws SettingError when the table is empty or an entry is not in (0, 1)
 */
export const splitTable = (probabilities: ReadonlyArray<number>): SplitTable => {
  Setting.whole("the number of split probabilities", probabilities.length, 1)
  return {
    probabilities: probabilities.map((p, depth) =>
      Setting.probability(`the split probability at depth ${depth}`, p),
    ),
  }
}

/** p_d: alpha (1 + d)^(-delta), or the entry of the table. */
export const splitProbability = (split: Split, depth: number): number => {
  if ("alpha" in split) return split.alpha * pow(1 + depth, -split.delta)
  const { probabilities } = split
  return probabilities[Math.min(depth, probabilities.length - 1)]!
}
