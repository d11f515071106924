import type { Key } from "../random/Rng.ts"

/**
 * The part of a step's report that all algorithms share: enough to draw a trace and to decide when to stop. Each algorithm
 * extends it by fields of its own.
 */
export interface Info {
  /** The objective that the algorithm maximises, in nats: the ELBO, or the log posterior score of the best ensemble. */
  readonly objective: number
  /** Whether the algorithm expects no improvement from further steps. */
  readonly converged: boolean
  /** The number of ensembles scored so far; undefined for an algorithm that scores none. */
  readonly scored?: number | undefined
  /**
   * Whether the step is a part of a long one, which the next goes on with: a fit looks at the clock and at requests to end between them, and
   * counts them as one step.
   */
  readonly unfinished?: boolean | undefined
}

/**
 * The contract of all inference algorithms: ELBO descent, the search, and those of users (as in blackjax, Cabezas et al.
 * 2024).
 *
 * Laws, which `testing/algorithmLaws` checks for any algorithm:
 *
 * 1. A state is plain data: numbers, strings, booleans, undefined, arrays, typed arrays, maps, sets and records of
 *    these. `Checkpoint.write` turns it into bytes, and `Checkpoint.read` of these bytes gives the same state.
 * 2. `init` depends on the key alone.
 * 3. A step depends on its state alone: equal states give equal next states and equal infos, whatever was run before. Data
 *    that an algorithm keeps outside of its states are caches, which change the time of a step only. Hence a run that is
 *    written to bytes, read back and continued equals a run without the interruption.
 * 4. `posterior` does not change the state: the steps after it are those without it.
 *
 * A step owns the state that it is given and may write into its arrays. To take two steps from one state, take the first
 * from `Checkpoint.copy` of it.
 *
 * *When to use*: implement this interface for an inference method of your own; `Fit.fit` drives it (docs/how-to/algorithm.md).
 *
 * @typeParam State plain data
 * @typeParam I the report of a step
 * @typeParam Posterior the result at a state: parameters of a family, an archive of scored ensembles, or draws
 */
export interface Algorithm<State, I extends Info, Posterior> {
  /** The state before the first step. */
  readonly init: (key: Key) => State
  /** The next state and the report of one step, which takes some milliseconds. */
  readonly step: (state: State) => readonly [State, I]
  /** The posterior at a state. Defined at every state, the first included. */
  readonly posterior: (state: State) => Posterior
}
