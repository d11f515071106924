import type { RowWeights } from "../evidence/Likelihood.ts"
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
  /** the numbers of nodes and of fitted constants when the library was full: a restart forgets the others */
  mark: number
  numbers: number
  /** whether its library was full before, in a restart that was made elsewhere: the steps in which it grows were counted there */
  readonly again: boolean
  /** the restart that the core is in */
  restart: number
  /** the number of ensembles that were scored before it */
  since: number
  /** the number of ensembles that had been scored when this restart began with the best columns of the library */
  opened: number
  /** how many numbers of the generator of chances were drawn */
  position: number
  /** how often constants were fitted in this restart */
  fittings: number
  /** how many pieces of the library of forms were made in this restart, without the last */
  forms: number
  /** the move that remembers the latest step, by its place in the list, and how many parts of that it has taken; undefined between steps */
  remembering: { move: number; parts: number } | undefined
  /** whether the latest step is a part of one, which the next goes on with and which counts when it has ended */
  unfinished: boolean
  /** the mean of y that working responses are taken at; undefined while y itself is */
  mean: Float64Array | undefined
  /** the weights of rows under the kind of noise that is most probable so far; undefined where they are equal */
  weights: RowWeights | undefined
  /** the weights that every restart begins with: those known, or chosen when the library was full */
  opening: RowWeights | undefined
  /** steps taken, those in which the library grew included */
  taken: number
  /** steps of this restart since the library was full */
  steps: number
  /** the step at which working responses are next taken anew */
  refresh: number
  /** the step at which the restart last found something better */
  improved: number
  /** the best score of the restart; minus infinity before there is one */
  leading: number
  /** the size of the smallest ensemble of this restart that is the law itself on all rows; infinite while there is none */
  exact: number
}

/** An ensemble that a restart found. */
export interface Found extends Archived {
  /** equal for ensembles of equal values on the same rows */
  readonly key: string
  /** whether the archive has it after further restarts: it is one of the best of its link and size */
  readonly stays: boolean
}

/** The result of a restart. Which it is follows from the key, its number and the rows that it began with. */
export interface Outcome {
  /** best first */
  readonly ensembles: ReadonlyArray<Found>
  readonly scored: number
  /** the score of the best ensemble and its log evidence; minus infinity without an ensemble */
  readonly best: number
  readonly logEvidence: number
  /**
   * the link and the trees of the best ensemble as text; empty without one, and where an ensemble of another unit is better: such a
   * restart was on its way to a law, and agrees with no other
   */
  readonly form: string
  /** whether the best ensemble is the law itself on all rows */
  readonly exact: boolean
  /** the cost up to which every term was scored alone */
  readonly exhausted: number
  /** the numbers of rows that the search looked at in the end, and may look at */
  readonly rows: number
  readonly most: number
}

/** The results of all restarts that have ended. */
export interface Past {
  readonly ensembles: ReadonlyArray<Found>
  readonly scored: number
  readonly best: number
  readonly logEvidence: number
  readonly form: string
  /** how many restarts have ended at the best score */
  readonly agreeing: number
  /** how many restarts have ended */
  readonly ended: number
  /** the cost up to which every term was scored alone, in one of them */
  readonly exhausted: number
}

/**
 * The state of a search: what it knows, and which rows it looks at. Plain data; `Algorithm` says who may write into it.
 */
export interface State {
  readonly key: Rng.Key
  /** the number of the restart, from 0; another one than that of the core before its first step */
  readonly restart: number
  readonly past: Past
  /** `Core.taken` of this state: another number there is that of a state that came after it */
  readonly taken: number
  readonly rows: number
  /** how many may be */
  readonly most: number
  /** the step at which it is next looked at whether these rows say enough */
  readonly look: number
  /** the ensembles of this restart found on fewer rows, and how many were scored on them */
  readonly known: ReadonlyArray<Found>
  readonly scored: number
  /** the best score of this restart so far and its log evidence, be it on fewer rows */
  readonly best: number
  readonly logEvidence: number
  readonly core: Core
}

/**
 * The step of a restart at which working responses and the noise are first taken anew. Laws of the first steps leave residuals of a wrong form,
 * which look like heavy tails or wrong rows: weights that follow them keep the law from being found.
 */
export const firstRefresh = 28

/** No restart has ended. */
export const unbegun: Past = {
  ensembles: [],
  scored: 0,
  best: -Infinity,
  logEvidence: -Infinity,
  form: "",
  agreeing: 0,
  ended: 0,
  exhausted: 0,
}

export const nothing = (
  responses: number,
  moves: ReadonlyArray<Move.AnyMove>,
  key: Rng.Key,
  restart = 0,
  again = false,
): Core => ({
  nodes: Dag.nothing(),
  constants: [],
  library: ExpressionLibrary.nothing(),
  frontiers: Array.from({ length: responses }, (_, response) => Frontier.nothing(response)),
  scoring: Scoring.nothing(responses),
  memories: moves.map((move) => Move.memoryOf(move, key)),
  first: [],
  mark: 0,
  numbers: 0,
  again,
  restart,
  since: 0,
  opened: 0,
  position: 0,
  fittings: 0,
  forms: 0,
  remembering: undefined,
  unfinished: false,
  mean: undefined,
  weights: undefined,
  opening: undefined,
  taken: 0,
  steps: 0,
  refresh: firstRefresh,
  improved: 0,
  exact: Infinity,
  leading: -Infinity,
})
