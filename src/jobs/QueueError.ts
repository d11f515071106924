import * as Schema from "effect/Schema"

/** The database of jobs cannot be used; the message names the database and the remedy, and no password. */
export class QueueError extends Schema.TaggedError<QueueError>()("QueueError", { message: Schema.String }) {}
