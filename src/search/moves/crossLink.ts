import * as Dag from "../kernel/Dag.ts"
import * as Move from "../Move.ts"
import type { Workbench } from "../Workbench.ts"

const every = 30

/** Steps since the last restart, and the trees that were tried under every link. */
interface Memory {
  readonly steps: number
  readonly tried: Set<number>
}

/** The trees of the best ensembles of each size, and their operands, that were not tried before. */
const fresh = ({ space, frontiers }: Workbench, tried: Set<number>): ReadonlyArray<number> => {
  const found: Array<number> = []
  const add = (id: number): void => {
    if (id < 0 || tried.has(id)) return
    tried.add(id)
    found.push(id)
  }
  const records = space.dag.records()
  for (const { strata } of frontiers)
    for (const [first] of strata)
      for (const id of first?.trees ?? []) {
        add(id)
        const at = id * Dag.width
        if (records[at]! < 0) continue
        add(records[at + Dag.LEFT]!)
        add(records[at + Dag.RIGHT]!)
      }
  return found
}

/**
 * Trees of the best ensembles, and their operands, are tried under every link: a law has many forms.
 *
 * *When to use*: with several links. With one link its trees were mostly tried before.
 */
export const crossLink = Move.make<Memory>({
  name: "crossLink",
  begin: () => ({ steps: 0, tried: new Set() }),
  step: (bench, { steps, tried }) => {
    if ((steps + 1) % every === 0) {
      const trees = fresh(bench, tried)
      for (const frontier of bench.frontiers) bench.alone(frontier, trees)
    }
    return { steps: steps + 1, tried }
  },
})
