import type { Summary } from "../infer/Fit.ts"
import type { Fitted } from "../models/Fitted.ts"
import type * as Document from "../report/Document.ts"

/** The reported fields of a fit. */
export const of = (
  objective: string,
  backend: string,
  { models, seconds, posterior, unseen }: Fitted<Summary>,
): Document.Fitted => ({
  objective,
  models,
  unseen,
  backend,
  seed: posterior.seed,
  stopReason: posterior.stopReason,
  seconds,
  steps: posterior.steps,
})
