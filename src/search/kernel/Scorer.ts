import type { Hyper } from "../../evidence/conjugate.ts"
import type { Tree } from "../../prob/Tree.ts"
import * as Border from "./Border.ts"
import type { Dag } from "./Dag.ts"
import { CROSS, FAULTS, FIRST, type Kernel, SUM } from "./Kernel.ts"

/** Evidences of hard trees, thousands at a time, each in an ensemble with the same K - 1 other trees. */
export interface Scorer {
  readonly dag: Dag
  /**
   * log p(y | T) of T = [1, base, tree] for each tree, natural logarithm with every constant, as
   * `Evidence.posterior` has it of columns evaluated in float32. Minus infinity for an ensemble that is no model: a
   * column with a value that is not finite, or of magnitude 1e15 and more, in float32, where 1e39 is infinite already.
   * Never NaN.
   *
   * @param base the K - 1 other trees, in the order of their slots
   * @param slot the slot that the tree takes, 0 to K - 1; the last by default
   */
  readonly score: (trees: ReadonlyArray<Tree>, base: ReadonlyArray<Tree>, slot?: number) => Float64Array
  /**
   * `score` by the nodes of `dag`, without allocating.
   *
   * @param out overwritten with the log evidences
   * @param errors overwritten with estimates of their errors by cancellation (`Border.error`); infinite where one is
   *   minus infinity. What float32 does to the columns is not in it
   */
  readonly scoreNodes: (
    ids: ArrayLike<number>,
    base: ArrayLike<number>,
    slot: number,
    out: Float64Array,
    errors?: Float64Array,
  ) => void
}

/** Trees between two looks at the moments. */
const chunk = 1024

/** @param hyper `mu0` and `sigma0` of length K + 1, intercept first */
export const make = (dag: Dag, kernel: Kernel, hyper: Hyper): Scorer => {
  const trees = hyper.sigma0.length - 1
  const width = FIRST + trees - 1
  const border = Border.make(hyper, kernel.rows)
  const table = new Float64Array(chunk * width)
  const numbers = new Int32Array(chunk)
  const gram = new Float64Array(trees * trees)
  const cross = new Float64Array(trees)
  const held = new Int32Array(trees - 1)
  let heldSlot = -1
  let sound = false

  /** Factorises the base, unless it is the one of the call before. */
  const settle = (base: ArrayLike<number>, slot: number): void => {
    if (base.length !== trees - 1)
      throw new RangeError(
        `an ensemble of ${trees} trees has ${trees - 1} others, but ${base.length} are given`,
      )
    kernel.hold(base)
    let same = slot === heldSlot
    for (let j = 0; same && j < held.length; j++) same = held[j] === base[j]
    if (same) return
    heldSlot = -1
    held.set(base)
    kernel.moments(held, table)
    gram[0] = kernel.rows
    cross[0] = kernel.target.sum
    sound = true
    for (let j = 1; j < trees; j++) {
      const row = (j - 1) * width
      sound &&= table[row + FAULTS] === 0
      cross[j] = table[row + CROSS]!
      gram[j * trees] = table[row + SUM]!
      for (let k = 1; k <= j; k++) gram[j * trees + k] = table[row + FIRST + k - 1]!
    }
    border.base(gram, cross, kernel.target.square, slot)
    heldSlot = slot
  }

  /** Writes the evidences of the rows in `table`. */
  const read = (count: number, to: number, out: Float64Array, errors: Float64Array | undefined): void => {
    for (let i = 0; i < count; i++) {
      const at = i * width
      let found = table[at + FAULTS] === 0 ? border.logEvidence(table, at) : -Infinity
      // Magnitudes below 1e15 have finite moments; y may still be so large that its square is not.
      if (Number.isNaN(found)) found = -Infinity
      out[to + i] = found
      if (errors !== undefined) errors[to + i] = found === -Infinity ? Infinity : border.error()
    }
  }

  const scoreNodes: Scorer["scoreNodes"] = (ids, base, slot, out, errors) => {
    settle(base, slot)
    if (!sound) {
      out.fill(-Infinity, 0, ids.length)
      errors?.fill(Infinity, 0, ids.length)
      return
    }
    for (let from = 0; from < ids.length; from += chunk) {
      const count = Math.min(chunk, ids.length - from)
      for (let i = 0; i < count; i++) numbers[i] = ids[from + i]!
      kernel.moments(count === chunk ? numbers : numbers.subarray(0, count), table)
      read(count, from, out, errors)
    }
  }

  return {
    dag,
    scoreNodes,
    score: (list, base, slot = trees - 1) => {
      const ids = Int32Array.from(list, dag.intern)
      const out = new Float64Array(list.length)
      scoreNodes(ids, base.map(dag.intern), slot, out)
      return out
    },
  }
}
