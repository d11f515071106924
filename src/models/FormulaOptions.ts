import type * as Law from "./law.ts"

/** The options of a score: those of a fit that say what the model is. */
export type Options = Pick<
  Law.Options,
  "trees" | "depth" | "links" | "operators" | "constants" | "fitted" | "noise" | "error" | "weights" | "known"
> & {
  /** a column that says the order of rows, such as time: later rows are predicted from earlier ones (`LeaveFutureOut`) */
  readonly future?: string | undefined
}
