/** Restarts of one search as jobs of a queue: workers on other machines are its threads. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SharedData from "../data/SharedData.ts"
import * as Checkpoint from "../infer/Checkpoint.ts"
import { oneLine } from "../internal/oneLine.ts"
import type { Job as Restart, Report } from "../search/Ahead.ts"
import type { Connection, Silence, Start } from "../workers/Connection.ts"
import type { Answer } from "../workers/Protocol.ts"
import * as Jobs from "./Job.ts"
import type { Queue } from "./Queue.ts"
import * as RestartSchema from "./RestartSchema.ts"

/** Seconds between two looks for a result. */
const look = 0.25
/** Looks after which a job is asked for again: another fit that wanted it, too, may have withdrawn it. */
const renewal = 20

/** How the jobs of a search are called. */
export interface Settings {
  readonly name: string
  readonly version: string
}

/**
 * Threads that are the workers of a queue, for the restarts of a search (`Connection.Starter`). A restart is a function of its key, its
 * number and its rows, so that the result of the search is the same as without. A restart that is not needed any more is withdrawn.
 */
export const starter = (queue: Queue, { name, version }: Settings): Start => {
  let known: { readonly of: unknown; readonly hash: string } | undefined
  /** What all restarts of a search share, which is stored once. */
  const stored = ({ spec, data }: Restart<unknown>) =>
    Effect.gen(function* () {
      if (known?.of === data) return known.hash
      const { features, columns, target, y } = SharedData.open(data)
      // Cloned as if posted: a value that cannot be posted is refused, and instances become plain data.
      const plain: unknown = structuredClone({
        spec,
        data: { features, columns, target, y, numbers: undefined },
      })
      const hash = yield* queue.store(Checkpoint.write(plain))
      known = { of: data, hash }
      return hash
    })
  const call: Connection["call"] = (input) =>
    Effect.gen(function* () {
      // A search posts its restarts.
      const restart = input as Restart<unknown>
      const { seed, start, stop } = restart
      const payload = { task: "restart", seed, start }
      const job = Jobs.make({
        name: `${name}: restart ${start.restart}`,
        version,
        payload,
        data: yield* stored(restart),
      })
      return yield* Effect.gen(function* () {
        for (let looks = 0; ; looks++) {
          if (looks % renewal === 0) yield* queue.add([job])
          const [outcome] = yield* queue.outcomes([job.id])
          if (outcome !== undefined) return answerOf(job.name, outcome)
          if (Atomics.load(stop, 0) !== 0) {
            yield* queue.withdraw(job.id)
            return failed("it is not needed any more")
          }
          yield* Effect.sleep(1000 * look)
        }
      }).pipe(Effect.onInterrupt(() => Effect.ignore(queue.withdraw(job.id))))
    }).pipe(Effect.mapError(({ message }): Silence => ({ reason: "crashed", message })))
  return () => Effect.succeed({ call })
}

const failed = (message: string): Answer<never> => ({ _tag: "Failed", error: "QueueError", message })

const decode = Schema.decodeUnknownResult(RestartSchema.Made)

/** The result of a job as a text: the hash of its bytes, which shows whether one has changed, and the bytes in base64. */
export const textOf = (output: unknown): string => {
  const bytes = Checkpoint.write(output)
  return `${Jobs.hash(bytes)} ${Buffer.from(bytes).toString("base64")}`
}

/**
 * What has come of a restart. A result that is damaged is a failure: the search makes the restart itself.
 *
 * @param name that of the job
 */
export const answerOf = (
  name: string,
  { result, error }: Pick<Jobs.Outcome, "result" | "error">,
): Answer<Report> => {
  if (result === null) return failed(error ?? `${name} has neither a result nor an error`)
  const [hash, text = ""] = result.split(" ")
  const bytes = Buffer.from(text, "base64")
  if (Jobs.hash(bytes) !== hash) return failed(`the result of ${name} is damaged: it is not that of its hash`)
  try {
    const output = Checkpoint.read<unknown>(bytes)
    const read = decode(output)
    return Result.isSuccess(read)
      ? // As it was written: what a schema gives has its fields in another order, and other bytes.
        { _tag: "Done", output: output as Report }
      : failed(`the result of ${name} cannot be read: ${oneLine(read.failure)}`)
  } catch (cause) {
    if (cause instanceof Checkpoint.CheckpointError)
      return failed(`the result of ${name} cannot be read: ${cause.message}`)
    throw cause
  }
}
