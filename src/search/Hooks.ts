import type { Frontier } from "./Frontier.ts"
import type { Single } from "./HallOfFame.ts"
import type { AnyMove, Parts, Slot } from "./Move.ts"
import type { Workbench } from "./Workbench.ts"

/** The hooks of all moves, one move after the other (`Move`). */
export interface Hooks {
  readonly first: () => void
  readonly column: (frontier: Frontier, column: Pick<Single, "id" | "signature">) => void
  readonly slot: (frontier: Frontier, slot: Slot) => void
  readonly parts: (frontier: Frontier, level: number) => Required<Parts>
}

export const make = (moves: ReadonlyArray<AnyMove>, bench: Workbench): Hooks => ({
  first: () => moves.forEach((move) => move.first?.(bench)),
  column: (frontier, column) => moves.forEach((move) => move.column?.(bench, frontier, column)),
  slot: (frontier, slot) => moves.forEach((move) => move.slot?.(bench, frontier, slot)),
  parts: (frontier, level) => {
    const all = moves.flatMap((move) => move.parts?.(bench, frontier, level) ?? [])
    const of = (key: "replacements" | "partners" | "shifts"): ReadonlyArray<number> =>
      all.flatMap((parts) => parts[key] ?? [])
    return {
      replacements: of("replacements"),
      partners: of("partners"),
      swaps: all.reduce((sum, { swaps = 0 }) => sum + swaps, 0),
      shifts: of("shifts"),
    }
  },
})
