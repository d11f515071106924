/** The database of jobs, by its address. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as redacted from "../internal/redacted.ts"
import { QueueError } from "./QueueError.ts"

/** A database that is open. */
export interface Database {
  readonly sql: SqlClient.SqlClient
  /** its address without a password, for messages */
  readonly name: string
  /**
   * Runs statements, each of which may be run twice. While the database cannot be reached they are tried again.
   *
   * @errors QueueError when they fail for another reason, or the patience ends
   */
  readonly run: <A>(statements: Effect.Effect<A, SqlError>) => Effect.Effect<A, QueueError>
}

/** How a lost connection is met. */
export interface Settings {
  /** seconds for which statements are tried again */
  readonly patience: number
  /** seconds after which a statement without an answer is tried again by another connection; 120 if left out */
  readonly answer?: number | undefined
  /** told once when a connection is lost */
  readonly onTrouble: (message: string) => void
}

/** The default of `Settings.answer`: without it a connection that a firewall has forgotten is noticed after a quarter of an hour. */
const usual = 120

/** Seconds between two attempts. */
const pause = 0.25

const prefix = "sqlite:"

/** Servers say that they are shutting down, or starting, by these codes, which are not those of a lost connection. */
const passing = /^(57P0\d|53300)$/

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/** Whether the same statement may succeed a little later. */
const isPassing = ({ reason }: SqlError): boolean =>
  reason.isRetryable || passing.test(String(codeOf(reason.cause)))

/** What a database says, which may hold the text of an address. */
const said = (message: string, secret: string | undefined): string =>
  redacted.text(secret === undefined || secret === "" ? message : message.replaceAll(secret, "***"))

/** The password in an address, as the server has it. */
const passwordOf = (address: string, name: string): Effect.Effect<string | undefined, QueueError> =>
  Effect.try({
    try: () => {
      if (!URL.canParse(address)) return undefined
      const { username, password, pathname } = new URL(address)
      return [password, username, pathname].map(decodeURIComponent)[0]
    },
    catch: () =>
      new QueueError({ message: `${name}: the address has a % that begins no character; write %25 for it` }),
  })

const client = (address: string, name: string) =>
  Effect.gen(function* () {
    if (address.startsWith(prefix))
      return yield* Effect.flatMap(
        Effect.promise(() => import("./Sqlite.ts")),
        ({ make }) => make(address.slice(prefix.length).replace(/^\/\//, "")),
      )
    if (!/^postgres(ql)?:\/\//.test(address))
      return yield* new QueueError({
        message: `${name}: the address of a database is postgres://USER@HOST/NAME or sqlite:FILE`,
      })
    const { make } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    return yield* make({
      url: Redacted.make(address),
      applicationName: "vasst",
      maxConnections: 4,
      keepAlive: "10 seconds",
    }).pipe(Effect.mapError(({ message }) => new QueueError({ message: `${name}: ${message}` })))
  })

/**
 * Opens a database until the scope closes, and looks whether it answers.
 *
 * @param address `postgres://USER:PASSWORD@HOST:PORT/NAME`, or `sqlite:FILE`
 * @errors QueueError when the address is none, or nobody answers there
 */
export const open = (
  address: string,
  { patience, answer = usual, onTrouble }: Settings,
): Effect.Effect<Database, QueueError, Scope.Scope> =>
  Effect.gen(function* () {
    const name = redacted.address(address)
    const secret = yield* passwordOf(address, name)
    const failure = (error: SqlError): QueueError =>
      new QueueError({
        message: `${name}: ${said(error.message, secret)}${error.reason.cause instanceof Error ? ` (${said(error.reason.cause.message, secret)})` : ""}`,
      })
    const sql = yield* client(address, name)
    yield* Effect.mapError(sql`SELECT 1`, failure)
    const silence = Effect.suspend(() => {
      const cause = new Error(`no answer in ${answer} s`)
      return new SqlError({ reason: new ConnectionError({ cause, message: "the connection is lost" }) })
    })
    let troubled = false
    const run: Database["run"] = (statements) =>
      statements.pipe(
        Effect.timeoutOrElse({ duration: 1000 * answer, orElse: () => silence }),
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (troubled || !isPassing(error)) return
            troubled = true
            onTrouble(`${failure(error).message}; trying again for ${patience} s`)
          }),
        ),
        Effect.retry({
          while: isPassing,
          schedule: Schedule.spaced(1000 * pause).pipe(Schedule.upTo({ duration: 1000 * patience })),
        }),
        Effect.tap(() =>
          Effect.sync(() => {
            troubled = false
          }),
        ),
        Effect.mapError(failure),
      )
    return { sql, name, run }
  }).pipe(Effect.provide(Reactivity.layer))
