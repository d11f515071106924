import * as Schema from "effect/Schema"

/** A likelihood with an impossible hyperparameter. Thrown while the model is declared. */
export class LikelihoodError extends Schema.TaggedError<LikelihoodError>()("LikelihoodError", {
  message: Schema.String,
}) {}
