import type { Tree } from "../prob/Tree.ts"

/** An ensemble that an inference over hard trees has scored. */
export interface Archived {
  /** the index of the response's link; 0 for likelihoods without links */
  readonly link: number
  /** distinct trees, K at most */
  readonly trees: ReadonlyArray<Tree>
  /** log evidence and log prior as the search has them: float32 columns, links to first order */
  readonly score: number
  /** how many ensembles had been scored when one with these values first came */
  readonly found: number
}

/**
 * The ensembles that an inference over hard trees keeps of all that it has scored, as plain data. The search keeps, for each link
 * and each size, the best ensembles, each value once, of every restart a bounded number.
 */
export interface Archive {
  /** how many ensembles were scored */
  readonly scored: number
  /** best first */
  readonly ensembles: ReadonlyArray<Archived>
}

/**
 * The archives of several searches of one model over the same data as one, best first.
 *
 * When to use: to rank what restarts, runs of other settings, or an earlier run have found together.
 */
export const together = (archives: ReadonlyArray<Archive>): Archive => ({
  scored: archives.reduce((sum, { scored }) => sum + scored, 0),
  ensembles: archives.flatMap(({ ensembles }) => ensembles).sort((a, b) => b.score - a.score),
})
