import type * as Move from "./Move.ts"
import type { Core } from "./State.ts"
import type { Workbench } from "./Workbench.ts"

/** What moves do after each step of a search, one after the other, in parts where that takes long. */
export interface Remembering {
  /**
   * Goes on where the core says: with the next part of the move whose turn it is, or with all moves up to the next that has parts.
   *
   * @returns whether all moves have remembered
   */
  readonly next: () => boolean
  /** Leaves the unfinished move: another restart begins. */
  readonly forget: () => void
}

/** @param core how far it is, and the memories of the moves: they are written when a move has ended */
export const make = (
  moves: ReadonlyArray<Move.AnyMove>,
  bench: Workbench,
  core: Pick<Core, "memories" | "remembering">,
): Remembering => {
  /** The parts of the move whose turn it is, and the number of those that were taken here. */
  let running: { readonly parts: Generator<void, unknown>; taken: number } | undefined
  return {
    next: () => {
      const progress = (core.remembering ??= { move: 0, parts: 0 })
      for (; progress.move < moves.length; progress.move++, progress.parts = 0) {
        const { step, gradually } = moves[progress.move]!
        // Each move is given the memory that it gave (`Move.make`).
        const memory = core.memories[progress.move] as never
        if (step !== undefined) core.memories[progress.move] = step(bench, memory)
        if (gradually === undefined) continue
        running ??= { parts: gradually(bench, memory), taken: 0 }
        // Those that were taken before the run went on here are taken again.
        for (let ended = false; !ended;) {
          const { done, value } = running.parts.next()
          ended = done === true
          if (ended) core.memories[progress.move] = value
          else if (++running.taken > progress.parts) {
            progress.parts = running.taken
            return false
          }
        }
        running = undefined
      }
      core.remembering = undefined
      return true
    },
    forget: () => {
      running = undefined
      core.remembering = undefined
    },
  }
}
