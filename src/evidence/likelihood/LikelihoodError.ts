import * as Schema from "effect/Schema"

/** An invalid likelihood, such as one with an impossible hyperparameter. Thrown while the model is declared. */
export class LikelihoodError extends Schema.TaggedError<LikelihoodError>()("LikelihoodError", {
  message: Schema.String,
}) {}
