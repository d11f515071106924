/** Jobs as plain data. The same job has the same id wherever it is made, so that it is asked for once and done once. */
import { createHash } from "node:crypto"
import * as Schema from "effect/Schema"

/** A job, as it is asked for. */
export interface Job {
  /** the hash of all that decides on the result */
  readonly id: string
  /** how people call it; two names may stand for one job */
  readonly name: string
  /** the version of vasst that does it: others refuse it */
  readonly version: string
  /** settings with the seed, as JSON */
  readonly payload: string
  /** the hash of its data in the store */
  readonly data: string
}

/** The name of bytes, or of a text, in the store. */
export const hash = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex")

/** A value as JSON whose names are in order: equal values have equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** The id of a job of a version, by its texts. */
const idOf = (version: string, { payload, data }: Pick<Job, "payload" | "data">): string =>
  hash(canonical([version, payload, data]))

/** Whether a job has the settings and the data that its id was made of: a row of a table may be damaged. */
export const isIntact = (job: Pick<Job, "id" | "payload" | "data">, version: string): boolean =>
  job.id === idOf(version, job)

/** @param payload plain data */
export const make = (job: Pick<Job, "name" | "version" | "data"> & { readonly payload: unknown }): Job => {
  const payload = canonical(job.payload)
  return { ...job, payload, id: idOf(job.version, { payload, data: job.data }) }
}

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Bytes = Schema.Uint8Array

/** A job that a worker has. */
export const Claim = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  payload: Schema.String,
  data: Schema.String,
  /** how often the job was given to a worker; only the worker with the last number may write */
  token: Count,
  /** how often it was given to a worker since a state was last kept */
  attempts: Count,
  /** the state to go on from */
  checkpoint: Schema.NullOr(Bytes),
})
export type Claim = typeof Claim.Type

/** How a job has ended. */
export const Outcome = Schema.Struct({
  id: Schema.String,
  result: Schema.NullOr(Schema.String),
  /** why there is no result */
  error: Schema.NullOr(Schema.String),
})
export type Outcome = typeof Outcome.Type

/** A row of the data store. */
export const Stored = Schema.Struct({ bytes: Bytes })

/** How many jobs of a version stand how. */
export const Standing = Schema.Struct({
  version: Schema.String,
  waiting: Count,
  running: Count,
  /** given to a worker that was not heard of in time; another one will have them */
  lost: Count,
  done: Count,
  failed: Count,
  /** ended in the last minute */
  lately: Count,
})
export type Standing = typeof Standing.Type

/** A worker with jobs. */
export const Busy = Schema.Struct({ worker: Schema.String, jobs: Count })
export type Busy = typeof Busy.Type
