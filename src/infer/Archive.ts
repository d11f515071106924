import type { Tree } from "../prob/Tree.ts"

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
 * ensembles, each value once, best first; of every start a bounded number.
 */
export interface Archive {
  readonly ensembles: () => ReadonlyArray<Archived>
  /** how many ensembles were scored */
  readonly scored: () => number
}

/** An archive as plain data: what of it can be posted to another thread. */
export interface Kept {
  readonly scored: number
  readonly ensembles: ReadonlyArray<Archived>
}

/** What an archive holds now. */
export const keep = (archive: Archive): Kept => ({
  scored: archive.scored(),
  ensembles: archive.ensembles(),
})

export const open = ({ scored, ensembles }: Kept): Archive => ({
  scored: () => scored,
  ensembles: () => ensembles,
})

/** The archives of several searches of one model over the same data as one, best first. */
export const together = (archives: ReadonlyArray<Archive>): Archive => ({
  scored: () => archives.reduce((sum, { scored }) => sum + scored(), 0),
  ensembles: () => archives.flatMap(({ ensembles }) => ensembles()).sort((a, b) => b.score - a.score),
})
