import type { Tree } from "../declare/Tree.ts"

/** An ensemble that a search has scored. */
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
 * What a search over hard trees keeps of everything that it has scored: for each link and each size the best
 * ensembles, each value once, best first. A bounded number of them.
 */
export interface Archive {
  readonly ensembles: () => ReadonlyArray<Archived>
  /** how many ensembles were scored */
  readonly scored: () => number
}
