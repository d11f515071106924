import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * One turn of the event loop, in which timers, signals and input are handled. In Node it uses `setImmediate`, in browsers a
 * message, because browsers delay timers by 4 ms.
 */
export const turn: Effect.Effect<void> = Effect.callback((resume) => {
  const done = (): void => resume(Effect.void)
  if (typeof setImmediate === "function") {
    const handle = setImmediate(done)
    return Effect.sync(() => clearImmediate(handle))
  }
  const { port1, port2 } = new MessageChannel()
  const close = (): void => port1.close()
  port1.addEventListener("message", () => {
    close()
    done()
  })
  port1.start()
  port2.postMessage(undefined)
  return Effect.sync(close)
})

/** The longest time that steps keep the event loop waiting, in milliseconds. */
const PATIENCE = 8

/** A timer for turns of the event loop; the first turn is due at once. */
export const turns = (): { readonly due: () => boolean; readonly turn: Effect.Effect<void> } => {
  let last = -Infinity
  return {
    due: () => performance.now() - last >= PATIENCE,
    turn: Effect.map(turn, () => {
      last = performance.now()
    }),
  }
}

/**
 * What a computation of many parts does between them: nothing by default, so that it can run within one turn (`Effect.runSync`).
 * With `pausing` the event loop gets its turns.
 */
export const Pause: Context.Reference<Effect.Effect<void>> = Context.Reference("vasst/Pause", {
  defaultValue: () => Effect.void,
})

/** Runs a computation of many parts with a turn of the event loop every 8 ms, so that signals and timers are handled. */
export const pausing = <A, E, R>(computation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const { due, turn } = turns()
    return Effect.provideService(
      computation,
      Pause,
      Effect.suspend(() => (due() ? turn : Effect.void)),
    )
  })
