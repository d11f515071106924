import type { Key } from "../random/Rng.ts"

/**
 * What a step reports, whatever the algorithm: enough to draw a trace and to decide when to stop. Each algorithm extends it
 * by what it knows itself.
 */
export interface Info {
  /** What the algorithm maximises, in nats: the ELBO, or the log posterior score of the best ensemble. */
  readonly objective: number
  /** Whether further steps can gain nothing, as far as the algorithm can tell. */
  readonly converged: boolean
}

/**
 * The contract of everything that infers: ELBO descent, the search, a user's own (the shape of blackjax and optax).
 *
 * Laws, which `testing/algorithmLaws` checks of any algorithm:
 *
 * 1. A state is plain data: numbers, strings, booleans, undefined, arrays, typed arrays, maps, sets and records of
 *    these. `Checkpoint.write` turns it into bytes, and what `Checkpoint.read` makes of them is the same state.
 * 2. `init` depends on the key alone.
 * 3. A step depends on its state alone: the same state gives the same next state and the same info, whatever was run
 *    before. What an algorithm keeps beside its states are caches, which change the time that a step takes and nothing
 *    else. Hence a run that is written down, read back and continued equals one that was not.
 * 4. `posterior` changes nothing: the steps after it are those without it.
 *
 * A step owns the state that it is given and may write into its arrays: whoever wants to take another step from the same
 * state steps from `Checkpoint.copy` of it.
 *
 * @typeParam State plain data
 * @typeParam I what a step reports
 * @typeParam Posterior what is known at a state: parameters of a family, an archive of scored ensembles, draws
 */
export interface Algorithm<State, I extends Info, Posterior> {
  /** The state before the first step. */
  readonly init: (key: Key) => State
  /** A bounded piece of work, some milliseconds. */
  readonly step: (state: State) => readonly [State, I]
  /** What is known at a state. Valid at any state, the first included. */
  readonly posterior: (state: State) => Posterior
}

/** The state of an algorithm. */
export type StateOf<A> = A extends Algorithm<infer State, infer _I, infer _P> ? State : never

/** What an algorithm's steps report. */
export type InfoOf<A> = A extends Algorithm<infer _S, infer I, infer _P> ? I : never

/** What an algorithm knows at a state. */
export type PosteriorOf<A> = A extends Algorithm<infer _S, infer _I, infer P> ? P : never
