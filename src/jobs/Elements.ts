/**
 * The jobs of a queue as the elements of Effect's durable queues (`effect/persistence/PersistedQueue`, over which
 * `effect/workflow/DurableQueue` runs). Effect's own stores deliver at least once, and do not tell a handler by which lock it holds an
 * element, so that one that was frozen can write a second result. Elements of this store carry their fencing token: what a handler
 * writes (`Queue.keep`, `Queue.end`) asks for it in the same statement.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as Schema from "effect/Schema"
import * as Jobs from "./Job.ts"
import type { Queue } from "./Queue.ts"

/** How a worker takes elements. */
export interface Settings {
  /** the name of the worker, different from all others */
  readonly worker: string
  /** seconds for which an element is given; the handler prolongs them by `Queue.keep` */
  readonly lease: number
  /** Waits where there is no element. @returns whether to look again: otherwise `take` fails with an error of `isNothing` */
  readonly wait: Effect.Effect<boolean>
}

/** The elements of one version of vasst. */
export type Elements = PersistedQueue.PersistedQueue<Jobs.Claim>

/** Why `take` has no element where none is to be done and its worker does not wait for one. */
const nothing = new PersistedQueue.PersistedQueueError({ message: "no job is to be done" })

/** Whether `take` has ended without an element because none is to be done. */
export const isNothing = (error: { readonly _tag: string }): boolean => error === nothing

const json = Schema.toCodecJson(Jobs.Claim)

const failure = ({ message }: { readonly message: string }): PersistedQueue.PersistedQueueError =>
  new PersistedQueue.PersistedQueueError({ message })

/**
 * A queue of jobs as a store of Effect's durable queues. The name of a durable queue is the version of vasst whose jobs it has.
 *
 * - An element is offered once under its id, which is the hash of its content, and stays known when it has ended.
 * - A handler ends its element itself, under its token (`Queue.end`), whatever has come of it. One that fails, or is interrupted, gives
 *   the element back, unless it has done so itself, with a state (`Queue.release`); an interruption is no attempt. An element of which
 *   nothing is heard is another worker's when its lease has run out.
 * - How often an element is tried is up to its handler, which is told the number of the attempt: elements are not given up unheard.
 */
export const store = (
  queue: Queue,
  { worker, lease, wait }: Settings,
): PersistedQueue.PersistedQueueStore["Service"] =>
  PersistedQueue.PersistedQueueStore.of({
    offer: ({ name, element }) =>
      Schema.decodeUnknownEffect(json)(element).pipe(
        Effect.flatMap(({ id, name: called, payload, data }) =>
          queue.add([{ id, name: called, version: name, payload, data }]),
        ),
        Effect.mapError(failure),
      ),
    take: ({ name }) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          for (;;) {
            // Looking for jobs where there are none is no news.
            const claim = yield* restore(Effect.withTracerEnabled(queue.claim(worker, name, lease), false))
            if (claim !== undefined) {
              yield* Effect.addFinalizer((exit) =>
                Exit.isSuccess(exit)
                  ? Effect.void
                  : // A lease that cannot be given back runs out.
                    Effect.ignore(queue.release(claim, undefined, !Cause.hasInterruptsOnly(exit.cause))),
              )
              const { id, attempts } = claim
              return { id, attempts, element: yield* Schema.encodeEffect(json)(claim) }
            }
            if (!(yield* restore(wait))) return yield* nothing
          }
        }).pipe(Effect.catchTag(["QueueError", "SchemaError"], failure)),
      ),
    cleanup: ({ timeToLive, failedTimeToLive }) =>
      queue
        .forget(Duration.toSeconds(timeToLive), failedTimeToLive && Duration.toSeconds(failedTimeToLive))
        .pipe(Effect.mapError(failure)),
  })

/** The elements of a version, for a worker. */
export const make = (queue: Queue, version: string, settings: Settings): Effect.Effect<Elements> =>
  PersistedQueue.makeFactory.pipe(
    Effect.provideService(PersistedQueue.PersistedQueueStore, store(queue, settings)),
    Effect.flatMap((factory) => factory.make({ name: version, schema: Jobs.Claim })),
  )
