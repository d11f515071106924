/** The fit of a data set as a job. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Data from "../../data/Data.ts"
import { type BackendError, type CompileError, DataError, FitError } from "../../errors/Errors.ts"
import * as Checkpoint from "../../infer/Checkpoint.ts"
import type { Posted } from "../../jobs/Runner.ts"
import * as Document from "../../report/Document.ts"
import * as Workers from "../../workers/Workers.ts"
import * as JsonSettings from "../JsonSettings.ts"
import * as LawFitter from "../LawFitter.ts"
import * as RunRecord from "../RunRecord.ts"

/** What a job says beside its data. */
export const Payload = Schema.Struct({ task: Schema.Literal("fit"), settings: JsonSettings.Settings })
export type Payload = typeof Payload.Type

const Floats = Schema.instanceOf(Float64Array)

/** A data set as the store has it. */
const Stored = Schema.Struct({
  features: Schema.Array(Schema.String),
  columns: Schema.Array(Floats),
  target: Schema.String,
  y: Floats,
})

/** A data set as bytes; equal data sets have equal bytes. */
export const bytesOf = ({ features, columns, target, y }: Data.Dataset): Uint8Array =>
  Checkpoint.write({ features: [...features], columns: [...columns], target, y })

/** What was asked for cannot be read here. */
const unread = (what: string) => (error: { readonly message: string }) =>
  new DataError({ message: `${what} of the job cannot be read: ${error.message}` })

/** A data set of bytes. */
const dataOf = (bytes: Uint8Array): Effect.Effect<Data.Dataset, DataError> =>
  Effect.try({
    try: () => Checkpoint.read<unknown>(bytes),
    catch: (error) => (error instanceof Error ? error : new Error(String(error))),
  }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Stored)),
    Effect.mapError(unread("the data")),
    // The checks of every table: lengths, names, and numbers that are finite.
    Effect.flatMap(Data.fromColumns),
  )

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Payload), { onExcessProperty: "error" })

/** The document of a fit, as `vasst fit --json` prints it. */
export const document = ({
  payload,
  data: bytes,
}: Pick<Posted, "payload" | "data">): Effect.Effect<
  string,
  DataError | CompileError | BackendError | FitError
> =>
  Effect.gen(function* () {
    const { settings } = yield* Effect.mapError(decode(payload), unread("the settings"))
    const asked = { ...(yield* JsonSettings.of(settings)), workers: 1 }
    const data = yield* dataOf(bytes)
    const fitted = yield* LawFitter.fit(data, asked, {
      onBackend: () => undefined,
      onProgress: undefined,
      stop: new AbortController().signal,
    })
    const made = Document.make(fitted, data.target, RunRecord.of(data, [], [], asked))
    return made === undefined ? yield* new FitError({ message: "no law was ranked" }) : Document.toJson(made)
  })

/** Fits as jobs, for threads. */
export const fitJob = Workers.task(
  import.meta.url,
  "fitJob",
  (job: Posted, _tell: (state: Uint8Array) => void) => document(job),
)
