// Evaluators of hard trees over a data set, for tests of the kernel of the search.
import * as Effect from "effect/Effect"
import type { Dataset } from "../../src/data/Data.ts"
import type { Grammar } from "../../src/prob/Grammar.ts"
import * as Terminals from "../../src/prob/Terminals.ts"
import type * as Tree from "../../src/prob/Tree.ts"
import * as Evaluator from "../../src/search/kernel/Evaluator.ts"
import { FIRST } from "../../src/search/kernel/Kernel.ts"
import type { Room } from "../../src/search/kernel/Memory.ts"

/** @param held the least number of columns that can be held */
export const open = (grammar: Grammar, data: Dataset, held: number, room: Room = {}) =>
  Effect.flatMap(Terminals.columns(grammar, data), (columns) =>
    Evaluator.open(grammar, columns, data.y, held, room),
  )

/** The moments of nodes, one after the other. */
export const momentsOf = (kernel: Evaluator.Evaluator, ids: ArrayLike<number>): Float64Array => {
  const out = new Float64Array(ids.length * (FIRST + kernel.held()))
  kernel.moments(ids, out)
  return out
}

/** The moments of trees beside others that are held. */
export const treeMoments = (
  { dag, kernel }: Evaluator.Opened,
  trees: ReadonlyArray<Tree.Tree>,
  held: ReadonlyArray<Tree.Tree>,
): Float64Array => {
  kernel.hold(held.map(dag.intern))
  return momentsOf(kernel, trees.map(dag.intern))
}
