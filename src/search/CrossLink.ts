import * as Dag from "./kernel/Dag.ts"
import type { Agenda } from "./Frontier.ts"
import type { Space } from "./SearchSpace.ts"

/** What is worth a try with every response, because one of them has it: each tree once. */
export interface Spread {
  /** The trees of the best ensembles of each size, and their operands, that were not asked for before. */
  readonly fresh: (lists: ReadonlyArray<Agenda>) => ReadonlyArray<number>
  /** Forgets what was asked for. */
  readonly forget: () => void
}

export const make = (space: Space): Spread => {
  const known = new Set<number>()
  return {
    forget: () => known.clear(),
    fresh: (lists) => {
      const found: Array<number> = []
      const add = (id: number): void => {
        if (id < 0 || known.has(id)) return
        known.add(id)
        found.push(id)
      }
      const records = space.dag.records()
      for (const { strata } of lists)
        for (const [first] of strata)
          for (const id of first?.trees ?? []) {
            add(id)
            const at = id * Dag.width
            if (records[at]! < 0) continue
            add(records[at + Dag.LEFT]!)
            add(records[at + Dag.RIGHT]!)
          }
      return found
    },
  }
}
