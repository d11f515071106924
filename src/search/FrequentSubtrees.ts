import * as Dag from "./kernel/Dag.ts"
import type { Data } from "./HallOfFame.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * Subtrees, terminals left out, of the best ensembles of each size, most frequent first.
 *
 * @param count how many at most
 */
export const frequent = (
  { dag }: Pick<SearchSpace, "dag">,
  { strata }: Pick<Data, "strata">,
  count: number,
): ReadonlyArray<number> => {
  const times = new Map<number, number>()
  const records = dag.records()
  const visit = (id: number): void => {
    const at = id * Dag.width
    if (records[at]! < 0) return
    times.set(id, (times.get(id) ?? 0) + 1)
    visit(records[at + Dag.LEFT]!)
    if (records[at + Dag.RIGHT]! >= 0) visit(records[at + Dag.RIGHT]!)
  }
  for (const [first] of strata) first?.trees.forEach(visit)
  return [...times]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, count)
    .map(([id]) => id)
}
