import * as Move from "./Move.ts"
import type { Workbench } from "./Workbench.ts"

/** An ensemble of nodes under a response. */
export interface Proposal {
  readonly response: number
  readonly trees: ReadonlyArray<number>
}

/** The ensembles that are left to be tried. */
interface Memory {
  /** the number of steps in which none was tried */
  readonly steps: number
  readonly left: ReadonlyArray<Proposal>
}

/**
 * A move that looks for ensembles at some steps of a restart, and tries one in each step that follows, with its constants fitted.
 *
 * @param look finds ensembles at a step, of those in which none is left to be tried and the best law leaves something; it yields after parts of some milliseconds, and makes nodes
 */
export const proposing = (
  name: string,
  look: (bench: Workbench, step: number) => Generator<void, ReadonlyArray<Proposal>>,
): Move.AnyMove =>
  Move.make<Memory>({
    name,
    begin: () => ({ steps: 0, left: [] }),
    gradually: function* (bench, { steps, left: [first, ...others] }) {
      if (first === undefined)
        return { steps: steps + 1, left: bench.leavesNothing() ? [] : yield* look(bench, steps) }
      bench.space.attributes.update()
      const frontier = bench.frontiers[first.response]!
      if (!bench.leavesNothing() && first.trees.every(bench.scoring.possible)) {
        bench.scoring.take(frontier, [first.trees])
        bench.tune(frontier, first.trees)
      }
      return { steps, left: others }
    },
  })
