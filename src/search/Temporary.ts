import * as Dag from "./kernel/Dag.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * Nodes that are made only to be tried: those that are not kept are forgotten, so that a search takes memory for the ensembles
 * that it keeps and not for the hundred thousand trees that it tries each second.
 *
 * @param work makes nodes, and says which of them are kept; it may not leave others anywhere
 * @returns the numbers that kept nodes have from now on, those from before included as they were
 */
export const temporary = (space: SearchSpace, work: () => Iterable<number>): ((id: number) => number) => {
  const { dag, kernel, attributes } = space
  const mark = dag.size()
  const kept = work()
  // What a kept node is made of is kept too; operands have smaller numbers.
  const needed = new Set<number>()
  const visit = (id: number): void => {
    if (id < mark || needed.has(id)) return
    const at = id * Dag.width
    const records = dag.records()
    needed.add(id)
    visit(records[at + Dag.LEFT]!)
    if (records[at + Dag.RIGHT]! >= 0) visit(records[at + Dag.RIGHT]!)
  }
  for (const id of kept) visit(id)
  const parts = [...needed]
    .sort((a, b) => a - b)
    .map((id) => {
      const at = id * Dag.width
      const records = dag.records()
      return { id, operator: records[at]!, left: records[at + Dag.LEFT]!, right: records[at + Dag.RIGHT]! }
    })
  kernel.forget(mark)
  dag.forget(mark)
  attributes.forget(mark)
  const renumbered = new Map<number, number>()
  const now = (id: number): number => renumbered.get(id) ?? id
  for (const { id, operator, left, right } of parts)
    renumbered.set(id, dag.apply(operator, now(left), right < 0 ? -1 : now(right)))
  attributes.update()
  return now
}
