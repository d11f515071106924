/**
 * Jobs in tables of a database: asked for once, given to one worker at a time, and ended once. A worker has a job for a time, the lease,
 * which it prolongs while it works. When the lease has run out another worker may have the job, with the next token. Every write of a
 * worker asks for its token in the same statement, so that one that was frozen, or cut off, changes nothing any more. All times are
 * those of the database's clock: the clocks of workers do not matter.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "./Database.ts"
import { oneLine } from "../internal/oneLine.ts"
import * as Jobs from "./Job.ts"
import { QueueError } from "./QueueError.ts"

/** The queue of a database. All functions fail with a `QueueError`. */
export interface Queue {
  /** Adds jobs; those that are known already stay as they are. */
  readonly add: (jobs: ReadonlyArray<Jobs.Job>) => Effect.Effect<void, QueueError>
  /** Keeps data under their hash. */
  readonly store: (bytes: Uint8Array) => Effect.Effect<string, QueueError>
  /** The data of a hash. Fails when they are not there, or are others. */
  readonly stored: (hash: string) => Effect.Effect<Uint8Array, QueueError>
  /** Gives the next job of a version to a worker, for a time in seconds; undefined when none is to be done. */
  readonly claim: (
    worker: string,
    version: string,
    lease: number,
  ) => Effect.Effect<Jobs.Claim | undefined, QueueError>
  /** Prolongs the lease and keeps a state, if one is given. @returns whether the job is still the worker's */
  readonly keep: (
    claim: Jobs.Claim,
    lease: number,
    checkpoint: Uint8Array | undefined,
  ) => Effect.Effect<boolean, QueueError>
  /** Ends a job. @returns whether this is its end: another worker may have had it since, whose result counts */
  readonly end: (
    claim: Jobs.Claim,
    outcome: Pick<Jobs.Outcome, "result" | "error">,
  ) => Effect.Effect<boolean, QueueError>
  /** Gives a job back, once, with its state, if one is given. `counts` says whether the attempt was one that may have ended its worker. */
  readonly release: (
    claim: Jobs.Claim,
    checkpoint: Uint8Array | undefined,
    counts: boolean,
  ) => Effect.Effect<void, QueueError>
  /** Those of the jobs that have ended. */
  readonly outcomes: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Jobs.Outcome>, QueueError>
  /** Forgets a job that has not ended: its worker ends it. */
  readonly withdraw: (id: string) => Effect.Effect<void, QueueError>
  /** Forgets jobs that ended more than `done` seconds ago with a result, and, where `failed` is given, more than `failed` seconds ago without one. */
  readonly forget: (done: number, failed: number | undefined) => Effect.Effect<void, QueueError>
  /** Makes jobs that have failed wait again. */
  readonly retry: (ids: ReadonlyArray<string>) => Effect.Effect<void, QueueError>
  readonly standings: Effect.Effect<ReadonlyArray<Jobs.Standing>, QueueError>
  readonly busy: Effect.Effect<ReadonlyArray<Jobs.Busy>, QueueError>
}

/** Rows of one statement: databases limit the number of values. */
const most = 200

const chunks = <A>(all: ReadonlyArray<A>): ReadonlyArray<Arr.NonEmptyReadonlyArray<A>> =>
  Arr.chunksOf(all, most)

/** The tables, where there are none yet. A job is due at once (0), when its lease ends, or, when it has ended, never (null). */
const tables = (sql: SqlClient): Effect.Effect<void, SqlError> => {
  const [serial, bytes, real] = sql.onDialectOrElse({
    pg: () => ["BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA", "DOUBLE PRECISION"] as const,
    orElse: () => ["INTEGER PRIMARY KEY", "BLOB", "REAL"] as const,
  })
  const make = Effect.forEach(
    [
      `CREATE TABLE IF NOT EXISTS vasst_data (hash TEXT PRIMARY KEY, bytes ${bytes} NOT NULL)`,
      `CREATE TABLE IF NOT EXISTS vasst_jobs (
        place ${serial}, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version TEXT NOT NULL, payload TEXT NOT NULL,
        data TEXT NOT NULL REFERENCES vasst_data (hash), due ${real} DEFAULT 0, token INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0, worker TEXT, checkpoint ${bytes}, result TEXT, error TEXT, ended ${real})`,
      `CREATE INDEX IF NOT EXISTS vasst_due ON vasst_jobs (version, due, place) WHERE due IS NOT NULL`,
    ],
    (text) => sql.unsafe(text),
    { discard: true },
  )
  return sql.onDialectOrElse({
    // Two that make a table at the same time would meet an error; the number is that of this table alone.
    pg: () => sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(846725001)`, make)),
    orElse: () => make,
  })
}

/**
 * The queue of a database, whose tables are made where there are none.
 *
 * @errors QueueError when the database refuses
 */
export const make = ({ sql, name, run }: Database): Effect.Effect<Queue, QueueError> => {
  const now = sql.onDialectOrElse({
    pg: () => sql.literal("(extract(epoch from now())::float8)"),
    orElse: () => sql.literal("unixepoch('subsec')"),
  })
  const skipping = sql.onDialectOrElse({
    pg: () => sql.literal("FOR UPDATE SKIP LOCKED"),
    orElse: () => sql.literal(""),
  })
  const ask = <S extends Schema.Top & { readonly DecodingServices: never }>(
    schema: S,
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>,
  ): Effect.Effect<ReadonlyArray<S["Type"]>, QueueError> =>
    Effect.flatMap(run(statement), (rows) =>
      Schema.decodeUnknownEffect(Schema.Array(schema))(rows).pipe(
        Effect.mapError(
          (error) =>
            new QueueError({
              message: `${name}: the table of jobs has a row that this version of vasst cannot read: ${oneLine(error)}`,
            }),
        ),
      ),
    )
  const any = (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.map(run(statement), ({ length }) => length > 0)
  const inChunks = (
    ids: ReadonlyArray<string>,
    each: (some: ReadonlyArray<string>) => Effect.Effect<unknown, SqlError>,
  ) => Effect.forEach(chunks(ids), (some) => run(each(some)), { discard: true })

  const queue: Queue = {
    add: (jobs) =>
      Effect.forEach(
        chunks(jobs),
        (some) =>
          run(
            sql`INSERT INTO vasst_jobs ${sql.insert(Arr.map(some, (job) => ({ ...job })))} ON CONFLICT DO NOTHING`,
          ),
        { discard: true },
      ),
    store: (bytes) => {
      const hash = Jobs.hash(bytes)
      return Effect.as(
        run(sql`INSERT INTO vasst_data (hash, bytes) VALUES (${hash}, ${bytes}) ON CONFLICT DO NOTHING`),
        hash,
      )
    },
    stored: (hash) =>
      Effect.flatMap(ask(Jobs.Stored, sql`SELECT bytes FROM vasst_data WHERE hash = ${hash}`), ([row]) =>
        row !== undefined && Jobs.hash(row.bytes) === hash
          ? Effect.succeed(row.bytes)
          : new QueueError({
              message: `${name}: the data ${hash.slice(0, 12)} are ${row === undefined ? "not in the store" : "damaged"}; run vasst batch again`,
            }),
      ),
    claim: (worker, version, lease) =>
      Effect.map(
        ask(
          Jobs.Claim,
          sql`UPDATE vasst_jobs SET due = ${now} + ${lease}, token = token + 1, attempts = attempts + 1, worker = ${worker}
            WHERE place = (SELECT place FROM vasst_jobs WHERE version = ${version} AND due <= ${now}
              ORDER BY due, place LIMIT 1 ${skipping})
            RETURNING id, name, payload, data, token, attempts, checkpoint`,
        ),
        ([claim]) => claim,
      ),
    keep: ({ id, token }, lease, checkpoint) =>
      any(
        checkpoint === undefined
          ? sql`UPDATE vasst_jobs SET due = ${now} + ${lease}
              WHERE id = ${id} AND token = ${token} AND due IS NOT NULL RETURNING id`
          : sql`UPDATE vasst_jobs SET due = ${now} + ${lease}, checkpoint = ${checkpoint}, attempts = 1
              WHERE id = ${id} AND token = ${token} AND due IS NOT NULL RETURNING id`,
      ),
    end: ({ id, token }, { result, error }) =>
      Effect.flatMap(
        any(
          sql`UPDATE vasst_jobs SET due = NULL, result = ${result}, error = ${error}, ended = ${now}, checkpoint = NULL
            WHERE id = ${id} AND token = ${token} AND due IS NOT NULL RETURNING id`,
        ),
        // The first attempt may have been heard although its answer was lost.
        (ended) =>
          ended
            ? Effect.succeed(true)
            : any(sql`SELECT id FROM vasst_jobs WHERE id = ${id} AND token = ${token} AND due IS NULL`),
      ),
    release: ({ id, token }, checkpoint, counts) =>
      run(
        sql`UPDATE vasst_jobs SET due = 0, attempts = attempts - ${counts ? 0 : 1}, checkpoint = COALESCE(${checkpoint ?? null}, checkpoint)
          WHERE id = ${id} AND token = ${token} AND due > 0`,
      ),
    outcomes: (ids) =>
      Effect.map(
        Effect.forEach(chunks(ids), (some) =>
          ask(
            Jobs.Outcome,
            sql`SELECT id, result, error FROM vasst_jobs WHERE due IS NULL AND ${sql.in("id", some)}`,
          ),
        ),
        (found) => found.flat(),
      ),
    withdraw: (id) => run(sql`DELETE FROM vasst_jobs WHERE id = ${id} AND due IS NOT NULL`),
    forget: (done, failed) =>
      run(
        sql`DELETE FROM vasst_jobs WHERE due IS NULL AND (
          (result IS NOT NULL AND ended <= ${now} - ${done})
          OR (result IS NULL AND ended <= ${now} - ${failed ?? null}))`,
      ),
    retry: (ids) =>
      inChunks(
        ids,
        (some) =>
          sql`UPDATE vasst_jobs SET due = 0, error = NULL, ended = NULL, attempts = 0
            WHERE due IS NULL AND result IS NULL AND ${sql.in("id", some)}`,
      ),
    standings: ask(
      Jobs.Standing,
      sql`SELECT version, CAST(sum(CASE WHEN due = 0 THEN 1 ELSE 0 END) AS INTEGER) AS waiting,
          CAST(sum(CASE WHEN due > ${now} THEN 1 ELSE 0 END) AS INTEGER) AS running,
          CAST(sum(CASE WHEN due > 0 AND due <= ${now} THEN 1 ELSE 0 END) AS INTEGER) AS lost,
          CAST(sum(CASE WHEN result IS NOT NULL THEN 1 ELSE 0 END) AS INTEGER) AS done,
          CAST(sum(CASE WHEN error IS NOT NULL THEN 1 ELSE 0 END) AS INTEGER) AS failed,
          CAST(sum(CASE WHEN ended > ${now} - 60 THEN 1 ELSE 0 END) AS INTEGER) AS lately
        FROM vasst_jobs GROUP BY version ORDER BY version`,
    ),
    busy: ask(
      Jobs.Busy,
      sql`SELECT worker, CAST(count(*) AS INTEGER) AS jobs FROM vasst_jobs WHERE due > ${now} GROUP BY worker ORDER BY worker`,
    ),
  }
  return Effect.as(run(tables(sql)), queue)
}
