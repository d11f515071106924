/** The fit of a data set as a job, and a restart of one. */
import { gunzipSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Bootstrap from "../../data/Bootstrap.ts"
import * as Data from "../../data/Data.ts"
import { type BackendError, type CompileError, DataError, FitError } from "../../errors/Errors.ts"
import * as SharedData from "../../data/SharedData.ts"
import * as Checkpoint from "../../infer/Checkpoint.ts"
import * as Keeper from "../../infer/Keeper.ts"
import * as Watch from "../../infer/Watch.ts"
import type { Store } from "../../infer/Store.ts"
import { oneLine } from "../../internal/oneLine.ts"
import * as Cluster from "../../jobs/Cluster.ts"
import * as RestartSchema from "../../jobs/RestartSchema.ts"
import type { News, Posted } from "../../jobs/Runner.ts"
import * as Document from "../../report/Document.ts"
import * as Workers from "../../workers/Workers.ts"
import * as JsonSettings from "../JsonSettings.ts"
import * as LawFitter from "../LawFitter.ts"
import * as RunRecord from "../RunRecord.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Fit = Schema.Struct({
  task: Schema.Literal("fit"),
  settings: JsonSettings.Settings,
  /** the number of the bootstrap replica that is fitted, from 1; that of the table itself if left out */
  replica: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
})
const Restart = Schema.Struct({
  task: Schema.Literal("restart"),
  seed: Count,
  start: Schema.Struct({ restart: Count, rows: Count }),
})
/** What a job says beside its data. */
const Payload = Schema.Union([Fit, Restart])
export type Fit = typeof Fit.Type

const Floats = Schema.instanceOf(Float64Array)

/** A data set as the store has it. */
const Stored = Schema.Struct({
  features: Schema.Array(Schema.String),
  columns: Schema.Array(Floats),
  target: Schema.String,
  y: Floats,
  /** the rows of the table, where some are left out */
  numbers: Schema.UndefinedOr(Schema.instanceOf(Int32Array)),
})

/** A data set as bytes; equal data sets have equal bytes. */
export const bytesOf = ({ features, columns, target, y, numbers }: Data.Dataset): Uint8Array =>
  Checkpoint.write({ features: [...features], columns: [...columns], target, y, numbers })

/** The error of a part of the job that cannot be read here. */
const unread = (what: string) => (error: { readonly message: string }) =>
  new DataError({ message: `${what} of the job cannot be read: ${oneLine(error)}` })

const stored = (bytes: Uint8Array): Effect.Effect<unknown, DataError> =>
  Effect.try({
    try: () => Checkpoint.read<unknown>(bytes),
    catch: (error) => unread("the data")(error instanceof Error ? error : new Error(String(error))),
  })

const dataOf = (value: unknown): Effect.Effect<Data.Dataset, DataError> =>
  Effect.gen(function* () {
    const { numbers, ...columns } = yield* Effect.mapError(decodeData(value), unread("the data"))
    // The checks of every table: lengths, names, and numbers that are finite.
    const data = yield* Data.fromColumns(columns)
    return numbers === undefined ? data : { ...data, numbers }
  })

const decodeData = Schema.decodeUnknownEffect(Stored)
const decodeSearch = Schema.decodeUnknownEffect(RestartSchema.Shared, { onExcessProperty: "error" })
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Payload), { onExcessProperty: "error" })

type Made = Effect.Effect<string, DataError | CompileError | BackendError | FitError>

/** The largest states, in bytes. */
const largest = 2 ** 30

/** The states of a checkpoint, by their names. One that cannot be read counts as none: the fit begins again. */
const statesOf = (checkpoint: Uint8Array | undefined): Map<string, Uint8Array> => {
  try {
    const found = checkpoint && Checkpoint.read<unknown>(gunzipSync(checkpoint, { maxOutputLength: largest }))
    return new Map(
      found instanceof Map
        ? [...found].filter(([name, bytes]) => typeof name === "string" && bytes instanceof Uint8Array)
        : [],
    )
  } catch (error) {
    // That of zlib has a code.
    if (error instanceof Checkpoint.CheckpointError || (error instanceof Error && "code" in error))
      return new Map()
    throw error
  }
}

/** A store whose content is told, as a whole, each time that it changes. */
const storeOf = (checkpoint: Uint8Array | undefined, tell: Tell): Store => {
  const states = statesOf(checkpoint)
  return {
    read: Effect.sync(() => ({ latest: new Map(states), damaged: [] })),
    write: (name, bytes) =>
      Effect.sync(() => {
        states.set(name, bytes)
        // A state of 1.7 MB packs to a seventh in 30 ms.
        tell({ _tag: "State", state: gzipSync(Checkpoint.write(states), { level: 1 }) })
      }),
  }
}

/** A bootstrap replica of a data set. @errors DataError where its target does not vary */
const replicaOf = (table: Data.Dataset, which: { readonly seed: number; readonly replica: number }) => {
  const resampled = Bootstrap.resample(table, which)
  // Few rows may have few values of the target, of which a replica may draw one alone.
  return Effect.as(Data.fromColumns(resampled), resampled)
}

/** The document of a fit, as `vasst fit --json` prints it. */
const fit = ({ settings, replica }: Fit, { data: bytes, checkpoint, every }: Posted, tell: Tell): Made =>
  Effect.gen(function* () {
    const asked = { ...(yield* JsonSettings.of(settings)), workers: 1 }
    const table = yield* Effect.flatMap(stored(bytes), dataOf)
    const data = replica === undefined ? table : yield* replicaOf(table, { seed: asked.seed ?? 0, replica })
    const fitted = yield* LawFitter.fit(data, asked, {
      onBackend: () => undefined,
      onProgress: undefined,
      stop: new AbortController().signal,
    }).pipe(
      Effect.provide(Keeper.layer(storeOf(checkpoint, tell), { every })),
      Effect.catchTag("StoreError", ({ message }) => Effect.fail(new DataError({ message }))),
    )
    if (fitted.unseen !== undefined) tell({ _tag: "Unseen", mass: fitted.unseen.probability })
    const made = Document.make(fitted, data.target, {
      ...RunRecord.of(data, [], [], asked),
      ...(replica !== undefined && { replica }),
    })
    return made === undefined ? yield* new FitError({ message: "no law was ranked" }) : Document.toJson(made)
  })

/** A restart of a search, as `Cluster` asks for it. */
const restart = (
  { seed, start }: typeof Restart.Type,
  { data: bytes, checkpoint, every }: Posted,
  tell: Tell,
): Made =>
  Effect.gen(function* () {
    const { spec, data } = yield* Effect.mapError(
      Effect.flatMap(stored(bytes), decodeSearch),
      ({ message }) =>
        new DataError({
          message: `the search of restart ${start.restart} cannot be read: ${oneLine({ message })}`,
        }),
    )
    const { restarts } = yield* Effect.promise(() => import("../../models/lawRestarts.ts"))
    const report = yield* restarts
      .run(
        {
          spec,
          data: SharedData.share(yield* dataOf(data)),
          seed,
          start,
          stop: new Int32Array(1),
        },
        () => undefined,
      )
      .pipe(
        Effect.provide(Keeper.layer(storeOf(checkpoint, tell), { every })),
        Effect.mapError(({ message }) => new FitError({ message })),
      )
    return Cluster.textOf(report)
  })

type Tell = (news: News) => void

/** The result of a job as a text. Its states are told, and its steps where somebody watches. */
export const run = (job: Posted, tell: Tell): Made =>
  Effect.gen(function* () {
    const asked = yield* Effect.mapError(decode(job.payload), unread("the settings"))
    return yield* asked.task === "fit" ? fit(asked, job, tell) : restart(asked, job, tell)
  }).pipe(
    Effect.provideService(
      Watch.Current,
      job.watched ? Effect.succeed((steps) => tell({ _tag: "Steps", steps })) : undefined,
    ),
  )

/** Jobs for threads. */
export const fitJob = Workers.task(import.meta.url, "fitJob", run)
