import * as Schema from "effect/Schema"

/** A formula that cannot be scored on the data: a name that is nearly a column's, or no value on some row. */
export class FormulaError extends Schema.TaggedError<FormulaError>()("FormulaError", {
  message: Schema.String,
}) {}
