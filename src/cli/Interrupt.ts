import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Ctrl-C as a request to stop early with the laws found so far. */
export class Interrupt extends Context.Service<
  Interrupt,
  {
    /**
     * Runs a part of the program that can be asked to stop: the first Ctrl-C calls `onInterrupt` and aborts the
     * signal, a second ends the process with code 130.
     */
    readonly during: <A, E, R>(
      onInterrupt: () => void,
      use: (signal: AbortSignal) => Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E, R>
  }
>()("vasst/cli/Interrupt") {}

/** The signals of this process. Outside of `during` Ctrl-C ends the process, as it does everywhere. */
export const layer: Layer.Layer<Interrupt> = Layer.succeed(Interrupt, {
  during: (onInterrupt, use) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const controller = new AbortController()
        const listener = (): void => {
          if (controller.signal.aborted) process.exit(130)
          onInterrupt()
          controller.abort()
        }
        process.on("SIGINT", listener)
        return { controller, listener }
      }),
      ({ controller }) => use(controller.signal),
      ({ listener }) => Effect.sync(() => process.off("SIGINT", listener)),
    ),
})
