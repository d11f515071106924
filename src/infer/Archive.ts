import type { Tree } from "../prob/Tree.ts"

/** An ensemble that an inference over hard trees has scored. */
export interface Archived {
  /** the index of the response's link; 0 for likelihoods without links */
  readonly link: number
  /** distinct trees, K at most */
  readonly trees: ReadonlyArray<Tree>
  /** log evidence plus log prior in the search's approximation, in nats: float32 columns, links to first order */
  readonly score: number
  /** the number of ensembles that had been scored when an ensemble with these values was first found */
  readonly found: number
}

/** How far a search has come: the probability of laws that it has not seen is estimated from this (`rank/Unseen`). */
export interface Reach {
  /** the number of independent restarts that have ended */
  readonly restarts: number
  /** the number of restarts that ended at the best score */
  readonly agreeing: number
  /** every term of at most this cost was scored with every link: a node costs 1, an operator that the prior holds for rare more */
  readonly exhausted: number
}

/**
 * The best of the ensembles that an inference over hard trees has scored, as plain data. The search's archive has the best
 * ensembles of each link and size. Ensembles with equal values occur once, and each restart adds a bounded number.
 */
export interface Archive {
  /** the number of ensembles that were scored */
  readonly scored: number
  /** best first */
  readonly ensembles: ReadonlyArray<Archived>
  /** undefined for an inference that does not restart */
  readonly reach?: Reach | undefined
}

/**
 * Joins the archives of several searches of one model over the same data, best first.
 *
 * *When to use*: to rank the ensembles of restarts, of runs with different settings, or of an earlier run together.
 */
export const together = (archives: ReadonlyArray<Archive>): Archive => ({
  scored: archives.reduce((sum, { scored }) => sum + scored, 0),
  ensembles: archives.flatMap(({ ensembles }) => ensembles).sort((a, b) => b.score - a.score),
})
