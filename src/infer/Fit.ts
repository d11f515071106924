import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Rng from "../random/Rng.ts"
import type { Algorithm, Info } from "./Algorithm.ts"
import { Stop, type StopReason } from "./Stop.ts"
import * as Turn from "./Turn.ts"

/** The seed of a fit: same seed, same random bits on every backend. */
export const Seed = Context.Reference<number>("vasst/infer/Seed", { defaultValue: () => 0 })

/** A layer that fits with a seed. */
export const seed = (value: number): Layer.Layer<never> => Layer.succeed(Seed, value)

/** Whether the fit was asked to stop; looked at after every step. */
export const Interrupt = Context.Reference<{ readonly requested: () => boolean }>("vasst/infer/Interrupt", {
  defaultValue: () => ({ requested: () => false }),
})

/** Where a fit stands: the state of its algorithm and what the rules of `Stop` look at. Plain data, as the algorithm's state is. */
export interface State<S> {
  /** steps taken */
  readonly step: number
  /** wall-clock seconds since the start, those before a checkpoint included */
  readonly seconds: number
  /** steps in a row, up to now, whose objective was NaN */
  readonly failures: number
  /** the objective of every finite step so far; one array that grows while a fit runs */
  readonly trace: Array<number>
  /** why the fit ended; undefined while it has not */
  readonly reason: StopReason | undefined
  readonly algorithm: S
}

/** What a step of a fit reports: what the algorithm does, and where in the fit the step was. */
export type Step<I> = I & {
  /** from 1 */
  readonly step: number
  /** the number of steps at which the fit ends at the latest */
  readonly steps: number | undefined
  /** wall-clock seconds since the start */
  readonly seconds: number
}

/** How a fit went. */
export interface Summary {
  readonly seed: number
  readonly stopReason: StopReason
  readonly steps: number
  /** the objective of every finite step */
  readonly trace: ReadonlyArray<number>
  readonly seconds: number
}

/** What an algorithm knows at the end of a fit, and how the fit went. */
export type Fitted<P> = P & Summary

/** A fit that is ready to be driven. */
interface Driver<S, I> {
  readonly seed: number
  /** The first state, or the one to go on from; time runs from here. */
  readonly begin: (from?: State<S>) => State<S>
  readonly advance: (state: State<S>) => readonly [State<S>, Step<I>]
}

const driver = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
): Effect.Effect<Driver<S, I>, never, Stop> =>
  Effect.gen(function* () {
    const stop = yield* Stop
    const interrupt = yield* Interrupt
    const seed = yield* Seed
    let started = performance.now()
    return {
      seed,
      begin: (from) => {
        started = performance.now() - 1000 * (from?.seconds ?? 0)
        if (from !== undefined) return { ...from, reason: undefined }
        return {
          step: 0,
          seconds: 0,
          failures: 0,
          trace: [],
          reason: stop.rule({ step: 0, seconds: 0, trace: [], failures: 0 }),
          algorithm: algorithm.init(Rng.key(seed)),
        }
      },
      advance: (state) => {
        const [next, info] = algorithm.step(state.algorithm)
        const step = state.step + 1
        const seconds = (performance.now() - started) / 1000
        const failures = Number.isNaN(info.objective) ? state.failures + 1 : 0
        const { trace } = state
        if (Number.isFinite(info.objective)) trace.push(info.objective)
        const reason = interrupt.requested()
          ? "interrupted"
          : info.converged
            ? "converged"
            : stop.rule({ step, seconds, trace, failures })
        return [
          { step, seconds, failures, trace, reason, algorithm: next },
          { ...info, step, steps: stop.steps, seconds },
        ]
      },
    }
  })

/** How long steps may keep the event loop waiting, in milliseconds: less than people or timers notice. */
const PATIENCE = 8

/** Turns of the event loop, the first of which is due at once. */
const turns = (): { readonly due: () => boolean; readonly turn: Effect.Effect<void> } => {
  let last = -Infinity
  return {
    due: () => performance.now() - last >= PATIENCE,
    turn: Effect.map(Turn.turn, () => {
      last = performance.now()
    }),
  }
}

/**
 * A fit as a stream of steps, begun anew whenever it is pulled. The stream ends with the first step at which a rule of `Stop` gives
 * a reason, the algorithm has converged, or `Interrupt` asks for it. Between steps the event loop gets a turn every 8 ms, so that
 * timers and signals are heard and the fiber can be interrupted.
 *
 * A step owns the state of the step before it (`Algorithm`): whoever keeps a state keeps `Checkpoint.copy` of it.
 *
 * @param from a state to go on from, as `Checkpoint.read` gives it; the beginning if left out. Its reason to end is forgotten
 */
export const run = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  from?: State<S>,
): Effect.Effect<Stream.Stream<{ readonly info: Step<I>; readonly state: State<S> }>, never, Stop> =>
  Effect.map(driver(algorithm), ({ begin, advance }) =>
    Stream.suspend(() => {
      const { due, turn } = turns()
      return Stream.unfold(begin(from), (state: State<S>) =>
        state.reason !== undefined
          ? Effect.succeed(undefined)
          : Effect.map(due() ? turn : Effect.void, () => {
              const [next, info] = advance(state)
              return [{ info, state: next }, next] as const
            }),
      )
    }),
  )

/**
 * What is known at a state of a running fit, and how the fit went. A state that has no reason to end was left by whoever pulled
 * the steps: the fit counts as interrupted.
 */
export const summarise = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  state: State<S>,
  seed: number,
): Fitted<P> => ({
  ...algorithm.posterior(state.algorithm),
  seed,
  stopReason: state.reason ?? "interrupted",
  steps: state.step,
  trace: [...state.trace],
  seconds: state.seconds,
})

/**
 * Drives an algorithm until a rule of `Stop` gives a reason, and returns what it knows then. One step at least is taken unless the
 * rules end the fit before.
 *
 * @param onStep is told of every step
 */
export const fit = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  onStep: (info: Step<I>) => void = () => undefined,
): Effect.Effect<Fitted<P>, never, Stop> =>
  Effect.map(last(algorithm, onStep), ({ state, seed }) => summarise(algorithm, state, seed))

/** The last state of a fit, and its seed. */
export const last = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  onStep: (info: Step<I>) => void = () => undefined,
): Effect.Effect<{ readonly state: State<S>; readonly seed: number }, never, Stop> =>
  Effect.gen(function* () {
    const { seed, begin, advance } = yield* driver(algorithm)
    const { due, turn } = turns()
    let state = begin()
    while (state.reason === undefined) {
      if (due()) yield* turn
      const [next, info] = advance(state)
      state = next
      onStep(info)
    }
    return { state, seed }
  })
