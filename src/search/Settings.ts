import * as Setting from "../errors/Setting.ts"
import type { Archived } from "../infer/Archive.ts"
import type { AnyMove } from "./Move.ts"
import * as Moves from "./Moves.ts"

/**
 * Settings of a search.
 *
 * *When to use*: with `Search.fit` and `Law.fit`; each setting says when a value other than the default helps.
 */
export interface Settings {
  /**
   * The number of small expressions that the expression library holds. *When to use*: fewer where the library is most of a short search,
   * more where the terms of laws have more operators than those of a library that is full.
   */
  readonly library: number
  /**
   * Steps without a better ensemble before a restart, plus half the steps that led to the current best. *When to use*: more where restarts
   * end at different laws, fewer where they all end at one law long before they are over.
   */
  readonly patience: number
  /**
   * The number of rows, drawn by chance, that are searched first (`Rows.wanted`); ensembles are ranked on all. *When to use*: more where a
   * few rows alone show a term, as a resonance does.
   */
  readonly rows: number
  /** The moves of the search beside replacing subtrees. *When to use*: with a move of your own, or without one that is to be measured. */
  readonly moves: ReadonlyArray<AnyMove>
  /**
   * Ensembles that the first restart begins with, beside those of the expression library; their links by index. *When to use*: with a law
   * that is known or guessed, or the archive of an earlier search.
   */
  readonly begin: ReadonlyArray<Pick<Archived, "link" | "trees">>
  /**
   * Whether it restarts, and ends when two restarts agree; it ends with the first otherwise. *When to use*: false for the fastest answer,
   * or to compare moves; two restarts that agree are the only sign that a search has not ended at a local optimum.
   */
  readonly restarts: boolean
}

/**
 * Settings with defaults for those that are left out: 20,000 expressions, a patience of 250 steps, 512 rows, all moves, restarts.
 *
 * @throws SettingError when a number is not allowed
 */
export const make = ({
  library = 20_000,
  patience = 250,
  rows = 512,
  moves = Moves.all,
  begin = [],
  restarts = true,
}: Partial<Settings> = {}): Settings => ({
  library: Setting.whole("the size of the expression library", library, 1),
  patience: Setting.whole("the patience of a search", patience, 1),
  rows: Setting.wholeOrAll("the number of rows that a search looks at first", rows, 1),
  moves,
  begin,
  restarts,
})
