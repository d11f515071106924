/** A client of Effect's SQL over the SQLite that Node has: nothing is installed for it. */
import type * as NodeSqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { QueueError } from "./QueueError.ts"

/** Milliseconds that a statement waits while another process writes. */
const patience = 10_000

/** The module of Node, without its warning that it is new; undefined where Node has none. */
const load = (): typeof NodeSqlite | undefined => {
  const own = Object.getOwnPropertyDescriptor(process, "emitWarning")
  try {
    process.emitWarning = () => undefined
    return process.getBuiltinModule("node:sqlite")
  } finally {
    if (own !== undefined) Object.defineProperty(process, "emitWarning", own)
  }
}

/** What Node says of an error of SQLite; its number has another name in Effect. */
const classified = (cause: unknown): SqlError => {
  const errno = typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : undefined
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SqlError({
    reason: classifySqliteError(cause instanceof Error ? Object.assign(cause, { errno }) : cause, {
      message,
    }),
  })
}

/**
 * Opens a file of SQLite, or `:memory:`.
 *
 * @errors QueueError where Node has no SQLite, or the file cannot be opened
 */
export const make = (
  file: string,
): Effect.Effect<SqlClient.SqlClient, QueueError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const sqlite = load()
    if (sqlite === undefined)
      return yield* new QueueError({
        message: `Node ${process.versions.node} has no SQLite; run vasst with Node 22.13 or newer, or name a PostgreSQL database with --database-url`,
      })
    const db = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const opened = new sqlite.DatabaseSync(file)
          opened.exec(
            `PRAGMA busy_timeout = ${patience}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`,
          )
          return opened
        },
        catch: (cause) =>
          new QueueError({
            message: `${file} cannot be opened as a database of SQLite: ${classified(cause).message}`,
          }),
      }),
      (opened) => Effect.sync(() => opened.close()),
    )
    const run = <A>(use: () => A): Effect.Effect<A, SqlError> => Effect.try({ try: use, catch: classified })
    const values = (parameters: ReadonlyArray<unknown>) =>
      // Statements have values that SQLite knows: numbers, texts, bytes and null.
      parameters as ReadonlyArray<NodeSqlite.SQLInputValue>
    const rows: Connection["execute"] = (text, parameters, transform) =>
      run(() => {
        const found = db.prepare(text).all(...values(parameters))
        return transform === undefined ? found : transform(found)
      })
    const arrays: Connection["executeValues"] = (text, parameters) =>
      run(() =>
        db
          .prepare(text)
          .all(...values(parameters))
          .map(Object.values),
      )
    const connection: Connection = {
      execute: rows,
      executeRaw: (text, parameters) => rows(text, parameters, undefined),
      executeUnprepared: rows,
      executeValues: arrays,
      executeValuesUnprepared: arrays,
      executeStream: () => Stream.die("no statement is streamed"),
    }
    const acquirers = SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connection),
      semaphore: yield* Semaphore.make(1),
    })
    return yield* SqlClient.make({
      ...acquirers,
      driver: "node-sqlite",
      compiler: Statement.makeCompilerSqlite(),
      beginTransaction: "BEGIN IMMEDIATE",
      spanAttributes: [["db.system.name", "sqlite"]],
    })
  })
