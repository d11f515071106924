import type { Archive } from "../infer/Archive.ts"
import type { Declared } from "../prob/Plan.ts"

/** What is known of a model at a state of a search (`Search.Posterior`, `Inclusive.Posterior`). */
export interface Searched {
  readonly plan: Declared
  readonly archive: Archive
}
