import type * as Algorithm from "../infer/Algorithm.ts"
import type { Archive } from "../infer/Archive.ts"
import type * as Plan from "../prob/Plan.ts"
import type * as Rng from "../random/Rng.ts"
import type * as States from "./State.ts"
import type { State } from "./State.ts"

/** What a step of a search reports. */
export interface Info extends Algorithm.Info {
  /** the best score so far, log evidence and log prior as the search has them; minus infinity before there is an ensemble */
  readonly objective: number
  /** the log evidence of the best ensemble so far, as the search has it */
  readonly logEvidence: number
  /** how many ensembles were scored so far */
  readonly scored: number
  /** how many rows are looked at */
  readonly rows: number
}

/** What a search knows: the model's declaration and the ensembles that it keeps. */
export interface Posterior {
  readonly plan: Plan.Declared
  readonly archive: Archive
}

/** A restart that a search begins with: its number, and the number of rows that it looks at first. */
export interface Start {
  readonly restart: number
  readonly rows: number
}

/** The search for the hard ensembles of highest posterior probability: one restart after the other. */
export interface Search extends Algorithm.Algorithm<State, Info, Posterior> {
  /** The number of rows that a search may look at unless they do not fit into memory. */
  readonly most: number
  /** The state before a restart, as if those before it had found nothing. */
  readonly before: (key: Rng.Key, start: Start) => State
  /** The result of a restart at the state at which it has ended, in a search without further restarts. */
  readonly outcome: (state: State) => States.Outcome
  /**
   * The state after a restart that was made elsewhere, from the state before it: as if its steps were taken here, bit for bit but for
   * caches.
   */
  readonly after: (state: State, outcome: States.Outcome) => readonly [State, converged: boolean]
  /** A last state with the ensembles of restarts that were ended before they had ended by themselves. */
  readonly joined: (state: State, outcomes: ReadonlyArray<States.Outcome>) => State
}
