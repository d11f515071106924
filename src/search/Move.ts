import * as Rng from "../random/Rng.ts"
import type { Frontier } from "./Frontier.ts"
import type { Held, Single } from "./HallOfFame.ts"
import type { Workbench } from "./Workbench.ts"

/** What the neighbourhood of a tree is made of, as nodes of the space; empty where left out. */
export interface Parts {
  /** expressions that take the place of a subtree */
  readonly replacements?: ReadonlyArray<number>
  /** expressions that are combined with a subtree by an operator of two arguments */
  readonly partners?: ReadonlyArray<number>
  /** how many trees with other features a subtree is combined with */
  readonly swaps?: number
  /** constants that a subtree is combined with when an operator is put on top of it in the same change */
  readonly shifts?: ReadonlyArray<number>
}

/** A slot of an ensemble: the tree in it, undefined for an empty one, and the trees of the other slots. */
export interface Slot {
  readonly tree: number | undefined
  readonly others: Held
}

/**
 * A move of the search: a record of hooks, each of which proposes trees at one occasion. `Search.make` takes a list of moves;
 * ours are in `Moves.all`, and a user's own is no different from them. A hook tries trees by the functions of the workbench, which
 * score them and keep those that are good enough.
 *
 * @typeParam Memory what the move remembers from step to step: plain data, part of the search's state
 */
export interface Move<Memory = undefined> {
  /** what it is called in settings and reports */
  readonly name: string
  /** Further parts of all neighbourhoods of a level: 0 is searched first, 2 last. */
  readonly parts?: (bench: Workbench, frontier: Frontier, level: number) => Parts
  /** Columns that may stand well beside a column. */
  readonly companions?: (bench: Workbench, frontier: Frontier, column: number) => Iterable<number>
  /** Around a slot: when it is searched first, and in every ensemble that becomes the best of its response. */
  readonly slot?: (bench: Workbench, frontier: Frontier, slot: Slot) => void
  /** For a column that is good by itself, or part of an ensemble whose neighbourhood is searched: once. */
  readonly column?: (bench: Workbench, frontier: Frontier, column: Pick<Single, "id" | "signature">) => void
  /** After every step. Returns what the move remembers. */
  readonly step?: (bench: Workbench, memory: Memory) => Memory
  /** What it remembers at first. Moves with `step` have it. */
  readonly begin?: (key: Rng.Key) => Memory
  /** What it remembers when the search restarts; as at first if left out. Nodes that are not of the library are forgotten. */
  readonly restart?: (memory: Memory) => Memory
}

/** A move whose memory is its own business. */
export type AnyMove = Move<never>

/**
 * A move, with the type of its memory checked.
 *
 * @example
 * const doubled = Move.make({
 *   name: "doubled",
 *   slot: (bench, frontier, { tree, others }) => {
 *     if (tree !== undefined) bench.beside(frontier, others, [bench.apply("mul", tree, tree)])
 *   },
 * })
 */
export const make = <Memory = undefined>(move: Move<Memory>): AnyMove =>
  // The search hands each memory back to the move that made it, and does nothing else with it.
  move as unknown as AnyMove

/** What a move remembers at first. */
export const memoryOf = (move: AnyMove, key: Rng.Key): unknown => move.begin?.(Rng.fold(key, move.name))
