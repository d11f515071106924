import type { Archive } from "../infer/Archive.ts"
import type { Declared } from "../prob/Plan.ts"

/**
 * The posterior of a model at a state of a search: its plan and the archive of scored ensembles (`Search.Posterior`,
 * `Inclusive.Posterior`).
 */
export interface Searched {
  readonly plan: Declared
  readonly archive: Archive
}
