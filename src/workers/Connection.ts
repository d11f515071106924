import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { oneLine } from "../internal/oneLine.ts"
import type { Answer, Assignment, FromWorker } from "./Protocol.ts"

/** Why there is no answer: the worker is gone, or the job could not be posted to it. */
export interface Silence {
  readonly reason: "crashed" | "uncloneable"
  readonly message: string
}

/** A worker that has loaded its task, as the caller talks with it. */
export interface Connection {
  /** Posts a job and waits for its answer. One job at a time. */
  readonly call: (input: unknown, onNews: (news: unknown) => void) => Effect.Effect<Answer<unknown>, Silence>
}

/** Starts a worker for a task, and waits until it has loaded the task. It is terminated when the scope closes, busy or not. */
export type Start = (assignment: Assignment) => Effect.Effect<Connection, Silence, Scope.Scope>

/** How workers are started where it is not Node that starts them; undefined for Node's threads. */
export const Starter = Context.Reference<Start | undefined>("vasst/workers/Starter", {
  defaultValue: () => undefined,
})

/** A worker as its host has it. */
export interface Channel {
  /** @throws when the input cannot be cloned */
  readonly post: (input: unknown) => void
  readonly close: () => Promise<unknown>
}

/** Hears of a worker. */
export interface Ears {
  /** a message, which is looked at: one that is none ends the connection */
  readonly message: (message: unknown) => void
  /** that it has ended, or sends a message that cannot be read */
  readonly lost: (error: unknown) => void
}

/** The messages of a worker. What a task gives is the task's own, and is not looked at here. */
const Message: Schema.Codec<FromWorker<unknown, unknown>> = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Ready") }),
  Schema.Struct({ _tag: Schema.Literal("News"), news: Schema.Unknown }),
  Schema.Struct({ _tag: Schema.Literal("Done"), output: Schema.Unknown }),
  Schema.Struct({ _tag: Schema.Literal("Failed"), error: Schema.String, message: Schema.String }),
  Schema.Struct({
    _tag: Schema.Literal("Threw"),
    message: Schema.String,
    stack: Schema.UndefinedOr(Schema.String),
  }),
])
const read = Schema.decodeUnknownResult(Message)

const silence = (reason: Silence["reason"], error: unknown): Silence => ({
  reason,
  message: error instanceof Error ? error.message : String(error),
})

/** A connection to a worker that a host opens. */
export const make = (open: (ears: Ears) => Channel): Effect.Effect<Connection, Silence, Scope.Scope> =>
  Effect.gen(function* () {
    const ready = Deferred.makeUnsafe<void, Silence>()
    const gone = Deferred.makeUnsafe<never, Silence>()
    let receive: (
      message: Answer<unknown> | { readonly _tag: "News"; readonly news: unknown },
    ) => void = () => undefined
    const lost = (error: unknown): void =>
      void Deferred.doneUnsafe(gone, Effect.fail(silence("crashed", error)))
    const channel = yield* Effect.acquireRelease(
      Effect.try({
        try: () =>
          open({
            message: (message) => {
              const found = read(message)
              if (Result.isFailure(found)) lost(`its message cannot be read: ${oneLine(found.failure)}`)
              else if (found.success._tag === "Ready") Deferred.doneUnsafe(ready, Effect.void)
              else receive(found.success)
            },
            lost,
          }),
        catch: (error) => silence("crashed", error),
      }),
      ({ close }) => Effect.promise(close),
    )
    yield* Effect.raceFirst(Deferred.await(ready), Deferred.await(gone))

    const call: Connection["call"] = (input, onNews) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<Answer<unknown>>()
        receive = (message) => {
          if (message._tag !== "News") Deferred.doneUnsafe(answer, Effect.succeed(message))
          else
            try {
              onNews(message.news)
            } catch (error) {
              // The listener's fault and not the worker's: it goes to the caller that gave the listener.
              Deferred.doneUnsafe(answer, Effect.die(error))
            }
        }
        return Effect.try({
          try: () => channel.post(input),
          catch: (error) => silence("uncloneable", error),
        }).pipe(Effect.andThen(Effect.raceFirst(Deferred.await(answer), Deferred.await(gone))))
      })
    return { call }
  })
