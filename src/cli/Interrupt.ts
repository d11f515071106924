import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Ctrl-C and the signals TERM and HUP as a request to stop early with the laws found so far. */
export class Interrupt extends Context.Service<
  Interrupt,
  {
    /**
     * Runs a part of the program that can be asked to stop: the first of these signals calls `onInterrupt` and aborts
     * `signal`, a second ends the process: with code 130 after Ctrl-C, 143 after TERM, 129 after HUP. Where npx runs the program, its end is one, too.
     */
    readonly during: <A, E, R>(
      onInterrupt: () => void,
      use: (signal: AbortSignal) => Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E, R>
  }
>()("vasst/cli/Interrupt") {}

/** Signals that ask a program to end, with the code that it ends with where it has no time to. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Milliseconds between looks whether npx, which passes no signal on, is still there. */
const watching = 500

/** The signals of this process. Outside of `during` they end the process, as they do everywhere. */
export const layer: Layer.Layer<Interrupt> = Layer.succeed(Interrupt, {
  during: (onInterrupt, use) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const controller = new AbortController()
        const stop = (): void => {
          if (controller.signal.aborted) return
          onInterrupt()
          controller.abort()
        }
        const listeners = Object.entries(signals).map(([signal, code]) => {
          const listener = (): void => (controller.signal.aborted ? process.exit(code) : stop())
          process.on(signal, listener)
          return () => process.off(signal, listener)
        })
        const parent = process.ppid
        const watch =
          process.env["npm_command"] === "exec"
            ? setInterval(() => process.ppid !== parent && stop(), watching).unref()
            : undefined
        const leave = (): void => {
          listeners.forEach((off) => off())
          clearInterval(watch)
        }
        return { controller, leave }
      }),
      ({ controller }) => use(controller.signal),
      ({ leave }) => Effect.sync(leave),
    ),
})
