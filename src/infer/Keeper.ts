/** What keeps the states of fits, so that a fit that is interrupted goes on where it was. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DataError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { type Store, StoreError } from "./Store.ts"

/** Keeps the states of one fit. */
export interface Keeper {
  /** Whether it is time to keep a state. */
  readonly due: () => boolean
  /** Keeps a state. A state that cannot be kept does not end the fit. */
  readonly keep: (state: unknown) => Effect.Effect<void>
  /** The state that was kept last, before the fit began. */
  readonly state: unknown
  /** The keeper of a part of the fit, with states of its own. */
  readonly part: (name: string, subject: string) => Effect.Effect<Keeper, DataError>
}

/** The keeper of the fit that runs; undefined where none keeps states. */
export const Current = Context.Reference<Keeper | undefined>("vasst/infer/Keeper", {
  defaultValue: () => undefined,
})

/** How states are kept. */
export interface Options {
  /**
   * seconds between the end of keeping a state and the next; by default 5, or 20 times as long as keeping one takes. A process that is killed loses
   * these, a step, and the time in which two states are kept, at most
   */
  readonly every?: number | undefined
  /** told of states that cannot be kept, and of damaged ones; logs a warning by default */
  readonly onTrouble?: ((error: StoreError) => void) | undefined
}

/** A state with what it is a state of. */
interface Kept {
  readonly subject: string
  readonly state: unknown
}

/** The usual number of seconds between states, and the share of the time that keeping them takes at most. */
const [usual, share] = [5, 0.05]

/** The documentation is that of `Fit.checkpointed`. */
export const layer = (store: Store, { every, onTrouble }: Options = {}): Layer.Layer<never, StoreError> => {
  if (every !== undefined) Setting.positive("the number of seconds between states", every)
  const tell = (error: StoreError): Effect.Effect<void> =>
    onTrouble === undefined ? Effect.logWarning(error.message) : Effect.sync(() => onTrouble(error))
  return Layer.effect(
    Current,
    Effect.gen(function* () {
      const { latest, damaged } = yield* store.read
      yield* Effect.forEach(damaged, tell, { discard: true })
      const make = (name: string, subject: string): Effect.Effect<Keeper, DataError> =>
        Effect.gen(function* () {
          const bytes = latest.get(name)
          const kept =
            bytes && (yield* Effect.try({ try: () => Checkpoint.read<Kept>(bytes), catch: unread }))
          if (kept !== undefined && kept.subject !== subject)
            return yield* new DataError({
              message:
                "the states that were kept are of another fit: its data, settings or seed differ; give those, or keep states elsewhere",
            })
          let [last, pause] = [performance.now(), 1000 * (every ?? usual)]
          return {
            state: kept?.state,
            due: () => performance.now() - last >= pause,
            keep: (state) =>
              Effect.gen(function* () {
                const began = performance.now()
                const bytes = Effect.try({
                  try: () => Checkpoint.write({ subject, state }),
                  catch: unwritten,
                })
                yield* bytes.pipe(
                  Effect.flatMap((all) => store.write(name, all)),
                  Effect.catch(tell),
                )
                last = performance.now()
                if (every === undefined) pause = Math.max(1000 * usual, (last - began) / share)
              }),
            part: make,
          }
        })
      return yield* Effect.mapError(make("fit", ""), ({ message }) => new StoreError({ message }))
    }),
  )
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const unwritten = (cause: unknown): StoreError =>
  new StoreError({ message: `the state cannot be kept: ${messageOf(cause)}` })

const unread = (cause: unknown): DataError =>
  new DataError({ message: `a state that was kept cannot be read: ${messageOf(cause)}` })

/**
 * A part of a fit, whose states are kept by themselves where states are kept.
 *
 * @param name letters and digits
 * @param subject a text that is another one where the data, the model or the seed is another one
 * @errors DataError when the state that was kept is of another subject
 */
export const part =
  (name: string, subject: () => Effect.Effect<string>) =>
  <A, E, R>(fit: Effect.Effect<A, E, R>): Effect.Effect<A, E | DataError, R> =>
    Effect.gen(function* () {
      const keeper = yield* Current
      if (keeper === undefined) return yield* fit
      return yield* Effect.provideService(fit, Current, yield* keeper.part(name, yield* subject()))
    })
