import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Answer } from "./Protocol.ts"
import type { Silence } from "./Connection.ts"

/** A job without a result. */
export class JobError extends Schema.TaggedError<JobError>()("JobError", {
  task: Schema.String,
  /** the index of the job, from 0 */
  job: Schema.Number,
  /**
   * `failed`: with an error of its own; `threw`: a defect, or a result that cannot be cloned; `crashed`: its worker
   * did not start, exited or ran out of memory; `uncloneable`: the job cannot be posted
   */
  reason: Schema.Literals(["failed", "threw", "crashed", "uncloneable"]),
  /** the `_tag` of the error that a job failed with, empty for other reasons */
  error: Schema.String,
  detail: Schema.String,
  /** all of the above in a sentence */
  message: Schema.String,
  /** the thrown value, with the stack of its thread */
  cause: Schema.optional(Schema.Defect()),
}) {}

/** The result of an answer, or its error. */
export const resultOf = <O>(
  { name }: { readonly name: string },
  job: number,
  answer: Answer<O>,
): Effect.Effect<O, JobError> => {
  switch (answer._tag) {
    case "Done":
      return Effect.succeed(answer.output)
    case "Failed":
      return Effect.fail(
        new JobError({
          task: name,
          job,
          reason: "failed",
          error: answer.error,
          detail: answer.message,
          message: `job ${job} of ${name} failed with a ${answer.error}: ${answer.message}`,
        }),
      )
    case "Threw":
      return Effect.fail(thrown({ name }, job, answer.message, answer.stack))
  }
}

/** The error of a job that threw. */
export const thrown = (
  { name }: { readonly name: string },
  job: number,
  detail: string,
  stack: string | undefined,
): JobError =>
  new JobError({
    task: name,
    job,
    reason: "threw",
    error: "",
    detail,
    message: `job ${job} of ${name} threw: ${detail}`,
    cause: Object.assign(new Error(detail), stack === undefined ? {} : { stack }),
  })

/** The error of a job without an answer. */
export const silent =
  ({ name }: { readonly name: string }, job: number) =>
  ({ reason, message }: Silence): JobError =>
    new JobError({
      task: name,
      job,
      reason,
      error: "",
      detail: message,
      message:
        reason === "crashed"
          ? `job ${job} of ${name} lost its worker: ${message}`
          : `job ${job} of ${name} cannot be posted to a worker: ${message}`,
    })

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
