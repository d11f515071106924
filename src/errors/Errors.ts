import * as Schema from "effect/Schema"

/** The data cannot be used; the message names the row or column and the remedy. */
export class DataError extends Schema.TaggedError<DataError>()("DataError", { message: Schema.String }) {}

/** A model, a family and a data set do not fit together; the message names the site, operator or feature. */
export class CompileError extends Schema.TaggedError<CompileError>()("CompileError", {
  message: Schema.String,
}) {}

/** The tensor backend that was asked for does not load here. */
export class BackendError extends Schema.TaggedError<BackendError>()("BackendError", {
  message: Schema.String,
}) {}

/** A fit or a ranking has nothing to return. */
export class FitError extends Schema.TaggedError<FitError>()("FitError", { message: Schema.String }) {}

/** A text that is no unit, or a unit that has no place in a law; the message names the column and the remedy. */
export class UnitError extends Schema.TaggedError<UnitError>()("UnitError", { message: Schema.String }) {}
