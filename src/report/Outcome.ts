import type { Summary } from "../infer/Fit.ts"
import type { Fitted } from "../models/Fitted.ts"
import type * as Document from "./Document.ts"

/** The fields of a fit that are reported. */
export type Reported<P extends Summary> = Pick<Document.Fitted, "models" | "unseen"> &
  Pick<Fitted<P>, "posterior" | "seconds">

export const of = (
  objective: string,
  backend: string,
  { models, seconds, posterior, unseen }: Reported<Summary>,
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
