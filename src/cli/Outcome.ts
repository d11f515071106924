import type { Fitted } from "../models/Fitted.ts"
import type * as Document from "../report/Document.ts"

/** The reported fields of a fit. */
export const of = (objective: string, { models, backend, seconds, posterior }: Fitted): Document.Fitted => ({
  objective,
  models,
  backend: backend.name,
  seed: posterior.seed,
  stopReason: posterior.stopReason,
  seconds,
  steps: posterior.steps,
})
