import * as Rng from "../random/Rng.ts"
import type { Frontier } from "./Frontier.ts"
import type { Held, Single } from "./HallOfFame.ts"
import type { Workbench } from "./Workbench.ts"

/** Expressions of which the neighbourhood of a tree is made, as nodes of the space; empty where left out. */
export interface Parts {
  /** expressions that take the place of a subtree */
  readonly replacements?: ReadonlyArray<number>
  /** expressions that are combined with a subtree by an operator of two arguments */
  readonly partners?: ReadonlyArray<number>
  /** the number of renamings of a subtree, to other features, that it is combined with */
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
 * @typeParam Memory the type of the move's memory: plain data, part of the state of the search
 */
export interface Move<Memory = undefined> {
  /** the name of the move in settings and reports */
  readonly name: string
  /** Called before the first step of a search, and when the responses are taken anew, for trees that the data show at once. The library may be growing. */
  readonly first?: (bench: Workbench) => void
  /** Further expressions for all neighbourhoods of a level. Level 0 is searched first, level 2 last. */
  readonly parts?: (bench: Workbench, frontier: Frontier, level: number) => Parts
  readonly companions?: (bench: Workbench, frontier: Frontier, column: number) => Iterable<number>
  /** Called for a slot before its neighbourhood is searched, and for all slots of an ensemble that becomes the best of its response. */
  readonly slot?: (bench: Workbench, frontier: Frontier, slot: Slot) => void
  /** Called once for each kept single column, and for each column of an ensemble whose neighbourhood is searched. */
  readonly column?: (bench: Workbench, frontier: Frontier, column: Pick<Single, "id" | "signature">) => void
  /** Called after every step. Returns the memory for the next step. */
  readonly step?: (bench: Workbench, memory: Memory) => Memory
  /**
   * The same for a step that may take long: it yields after parts of some milliseconds, between which a fit looks at the clock. Before the last
   * of them it may make nodes, and change nothing else: a run that goes on takes the parts again, from the same memory.
   */
  readonly gradually?: (bench: Workbench, memory: Memory) => Generator<void, Memory>
  /** The first memory. A move with `step` or `gradually` needs it. */
  readonly begin?: (key: Rng.Key) => Memory
  /** The memory after a restart of the search; the first memory if left out. Nodes outside of the library are forgotten. */
  readonly restart?: (memory: Memory) => Memory
}

/** A move, without the type of its memory. */
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
  // The search passes a memory to the move that made it, and to nothing else: the type is not needed elsewhere.
  move as unknown as AnyMove

export const memoryOf = (move: AnyMove, key: Rng.Key): unknown => move.begin?.(Rng.fold(key, move.name))
