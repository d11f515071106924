import * as Setting from "../errors/Setting.ts"
import type { Archived } from "../infer/Archive.ts"
import type { AnyMove } from "./Move.ts"
import * as Moves from "./Moves.ts"

export interface Settings {
  /** how many small expressions the expression library holds */
  readonly library: number
  /** steps without a better ensemble before a restart, plus half the steps that led to the current best */
  readonly patience: number
  /** how many rows, drawn by chance, are looked at first (`Rows.wanted`); ensembles are ranked on all */
  readonly rows: number
  /** the moves of the search beside replacing subtrees */
  readonly moves: ReadonlyArray<AnyMove>
  /** ensembles that the first restart begins with, beside those of the expression library; their links by index */
  readonly begin: ReadonlyArray<Pick<Archived, "link" | "trees">>
  /** whether it restarts, and ends when two restarts agree; it ends with the first otherwise */
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
