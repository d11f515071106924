import type { Archived } from "../infer/Archive.ts"
import type * as Rng from "../random/Rng.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import type * as FittedConstants from "./FittedConstants.ts"
import * as Frontier from "./Frontier.ts"
import * as Dag from "./kernel/Dag.ts"
import * as Move from "./Move.ts"
import * as Scoring from "./Scoring.ts"

/** All that a search over some rows knows, as plain data. Steps write into it. */
export interface Core {
  readonly nodes: Dag.Nodes
  readonly constants: FittedConstants.Data
  readonly library: ExpressionLibrary.Data
  /** one for each response */
  readonly frontiers: ReadonlyArray<Frontier.Data>
  readonly scoring: Scoring.Data
  /** what each move remembers, by its place in the list of moves */
  readonly memories: Array<unknown>
  /** the best columns of the library alone, by frontier: what every restart begins with; empty while the library grows */
  readonly first: Array<Int32Array>
  /** how many numbers of the generator of chances were drawn */
  position: number
  /** how often constants were fitted */
  fittings: number
  /** the mean of y that working responses are taken at; undefined while y itself is */
  mean: Float64Array | undefined
  /** steps taken, those in which the library grew included */
  taken: number
  /** steps since the library was full */
  steps: number
  /** the step at which working responses are next taken anew */
  refresh: number
  /** the step at which the current restart began */
  began: number
  /** the step at which it last found something better */
  improved: number
  /** the best score of the current restart; minus infinity before there is one */
  leading: number
  /** how many restarts have ended at the best score */
  agreeing: number
  /** whether as many have as are needed */
  agreed: boolean
}

/**
 * The state of a search: what it knows, and which rows it looks at. Plain data; `Algorithm` says who may write into it.
 */
export interface State {
  readonly key: Rng.Key
  /** `Core.taken` of this state: another number there is that of a state that came after it */
  readonly taken: number
  /** how many rows are looked at */
  readonly rows: number
  /** how many may be */
  readonly most: number
  /** the step at which it is next looked at whether these rows say enough */
  readonly look: number
  /** the ensembles found on fewer rows, and how many were scored on them */
  readonly known: ReadonlyArray<Archived>
  readonly scored: number
  /** the best score so far and its log evidence, be it on fewer rows */
  readonly best: number
  readonly logEvidence: number
  readonly core: Core
}

/** Nothing known. */
export const nothing = (responses: number, moves: ReadonlyArray<Move.AnyMove>, key: Rng.Key): Core => ({
  nodes: Dag.nothing(),
  constants: [],
  library: ExpressionLibrary.nothing(),
  frontiers: Array.from({ length: responses }, (_, response) => Frontier.nothing(response)),
  scoring: Scoring.nothing(responses),
  memories: moves.map((move) => Move.memoryOf(move, key)),
  first: [],
  position: 0,
  fittings: 0,
  mean: undefined,
  taken: 0,
  steps: 0,
  refresh: 12,
  began: 0,
  improved: 0,
  leading: -Infinity,
  agreeing: 0,
  agreed: false,
})
