import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Rng from "../random/Rng.ts"
import type { Algorithm, Info } from "./Algorithm.ts"
import * as Keeper from "./Keeper.ts"
import { isLate, Stop, type StopReason } from "./Stop.ts"
import * as Turn from "./Turn.ts"
import * as Watch from "./Watch.ts"

export { turns } from "./Turn.ts"

/** The seed of a fit: same seed, same random bits on every backend. */
export const Seed = Context.Reference<number>("vasst/infer/Seed", { defaultValue: () => 0 })

/** A layer that fits with a seed. */
export const seed = (value: number): Layer.Layer<never> => Layer.succeed(Seed, value)

/** A request to stop the fit, read after every step, and why it was made: `interrupted` by default. */
export const Interrupt = Context.Reference<{
  readonly requested: () => boolean
  readonly reason?: (() => "interrupted" | "memory") | undefined
}>("vasst/infer/Interrupt", {
  defaultValue: () => ({ requested: () => false }),
})

/**
 * A layer that keeps the state of a fit in a store, every few seconds and at its end, and begins a fit with the state that was
 * kept last: it ends as if nothing had ended it, unless time does. A store is for one fit; `Law.fit` and the other models refuse
 * states of other data, settings or seeds.
 *
 * *When to use*: for fits of minutes and more (docs/how-to/runs-that-last.md); `FileStore.checkpointed` for a folder.
 *
 * @errors StoreError when the states in the store cannot be read
 * @throws SettingError when `every` is not greater than 0
 */
export const checkpointed = Keeper.layer

/**
 * A layer by which fits are seen from outside, by Effect's `Tracer` and metrics: spans `vasst.steps` below the current one, of a tenth of a
 * second each, and metrics `vasst.scored` and `vasst.scored.rate` (docs/how-to/watching.md). It changes no result; without it nothing is measured.
 */
export const watched = Watch.layer

/** The state of a fit: the state of its algorithm, and the progress that the rules of `Stop` read. Plain data. */
export interface State<S> {
  readonly step: number
  /** wall-clock seconds since the start, those before a checkpoint included */
  readonly seconds: number
  /** the number of consecutive steps, the last one included, whose objective was NaN */
  readonly failures: number
  /** the objective of every finite step so far; one array that grows while a fit runs */
  readonly trace: Array<number>
  /** the number of ensembles scored, and the objective, at every step that is better than all before; one array that grows */
  readonly course: Array<readonly [scored: number, objective: number]>
  /** the number of ensembles scored so far; 0 for an algorithm that scores none */
  readonly scored: number
  /** the reason why the fit ended; undefined while it runs */
  readonly reason: StopReason | undefined
  readonly algorithm: S
}

/** The report of a step of a fit: that of the algorithm, the number of the step, and the time. */
export type Step<I> = I & {
  /** from 1 */
  readonly step: number
  /** the largest number of steps of the fit; undefined without a limit */
  readonly steps: number | undefined
  /** wall-clock seconds since the start */
  readonly seconds: number
}

/** The summary of a fit: steps, time, trace, and the reason why it ended. */
export interface Summary {
  readonly seed: number
  readonly stopReason: StopReason
  readonly steps: number
  /** the objective of every finite step */
  readonly trace: ReadonlyArray<number>
  /** the number of ensembles scored, and the best objective so far, at every step that is better than all before, and at the end */
  readonly course: ReadonlyArray<readonly [scored: number, objective: number]>
  /** wall-clock seconds, those before an interruption included */
  readonly seconds: number
}

/** The posterior at the end of a fit, and the fit's summary. */
export type Fitted<P> = P & Summary

/** The functions that drive a fit. *When to use*: to take steps in an order of your own; `fit` takes one after the other. */
export interface Driver<S, I> {
  readonly seed: number
  /** The first state, or one to continue from: the given one, or that of `checkpointed`. The clock starts with this call. */
  readonly begin: (from?: State<S>) => State<S>
  readonly advance: (state: State<S>) => readonly [State<S>, Step<I>]
  /**
   * The state after steps that were taken elsewhere, in another thread, and the report of each. Undefined if a rule ends the
   * fit before the last of them, for another reason than time.
   *
   * @param infos of the steps in order
   * @param next the state of the algorithm after them
   */
  readonly adopt: (
    state: State<S>,
    infos: ReadonlyArray<I>,
    next: S,
  ) => readonly [State<S>, ReadonlyArray<Step<I>>] | undefined
  /** The reason to end a fit that waits at a state. */
  readonly waiting: (state: State<S>) => StopReason | undefined
  /** Keeps a state where states are kept: if it is time to, and at the end of a fit. */
  readonly keep: (state: State<S>, ended: boolean) => Effect.Effect<void>
}

/** The driver of an algorithm, by the rules of `Stop`, with the seed of `Seed`, until `Interrupt` requests an end. */
export const driver = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
): Effect.Effect<Driver<S, I>, never, Stop> =>
  Effect.gen(function* () {
    const stop = yield* Stop
    const interrupt = yield* Interrupt
    const asked = (): StopReason | undefined =>
      interrupt.requested() ? (interrupt.reason?.() ?? "interrupted") : undefined
    const seed = yield* Seed
    const keeper = yield* Keeper.Current
    const watch = yield* Watch.begin
    let started = performance.now()
    const now = (): number => (performance.now() - started) / 1000
    /** Counts a step, and looks for a reason to end; the trace is extended. */
    const count = (state: Omit<State<S>, "algorithm">, info: I): Omit<State<S>, "algorithm"> => {
      const { objective, scored = 0, unfinished = false } = info
      const step = state.step + (unfinished ? 0 : 1)
      const seconds = now()
      const failures = Number.isNaN(info.objective) ? state.failures + 1 : 0
      const { trace, course } = state
      if (!unfinished && Number.isFinite(objective)) {
        trace.push(objective)
        if (objective > (course.at(-1)?.[1] ?? -Infinity)) course.push([scored, objective])
      }
      const progress = { step, seconds, trace, failures, scored }
      // A request comes last: a fit that is over by itself does not go on when it is continued.
      const found = info.converged ? "converged" : (stop.rule(progress) ?? asked())
      const reason = unfinished && !isLate(found) ? undefined : found
      return { ...progress, course, reason }
    }
    const stepOf = (info: I, { step, seconds }: Pick<State<S>, "step" | "seconds">): Step<I> => ({
      ...info,
      step,
      steps: stop.steps,
      seconds,
    })
    const begin = (from?: State<S>): State<S> => {
      started = performance.now() - 1000 * (from?.seconds ?? 0)
      if (from !== undefined) return { ...from, reason: undefined }
      const nothing = { step: 0, seconds: 0, failures: 0, trace: [], course: [], scored: 0 }
      // It was written by a driver of the same algorithm.
      const kept = keeper?.state as State<S> | undefined
      if (kept === undefined)
        return { ...nothing, reason: stop.rule(nothing), algorithm: algorithm.init(Rng.key(seed)) }
      started -= 1000 * kept.seconds
      return { ...kept, reason: kept.reason === "converged" ? kept.reason : stop.rule(kept) }
    }
    return {
      seed,
      begin: (from) => watch.from(begin(from)),
      advance: (state) => {
        const [next, info] = algorithm.step(state.algorithm)
        const counted = count(state, info)
        watch.step({ ...counted, objective: info.objective })
        return [{ ...counted, algorithm: next }, stepOf(info, counted)]
      },
      adopt: (state, infos, next) => {
        // The trace is that of the fit once all steps count.
        let counted: Omit<State<S>, "algorithm"> = {
          ...state,
          trace: [...state.trace],
          course: [...state.course],
        }
        const told: Array<Step<I>> = []
        for (const [at, info] of infos.entries()) {
          counted = count(counted, info)
          told.push(stepOf(info, counted))
          const late = isLate(counted.reason)
          if (counted.reason !== undefined && !late && at + 1 < infos.length) return undefined
        }
        for (const info of told) watch.step({ scored: 0, ...info })
        return [{ ...counted, algorithm: next }, told]
      },
      waiting: ({ step, trace, failures }) =>
        asked() ?? stop.rule({ step, seconds: now(), trace, failures, scored: 0 }),
      keep: (state, ended) => {
        if (ended) watch.end()
        return keeper !== undefined && (ended || keeper.due()) ? keeper.keep(state) : Effect.void
      },
    }
  })

/** A running fit: its algorithm, its seed, and its steps, each with the state after it. */
export interface Running<S, I extends Info, P> {
  readonly algorithm: Algorithm<S, I, P>
  readonly seed: number
  readonly steps: Stream.Stream<{ readonly info: Step<I>; readonly state: State<S> }>
}

/**
 * A fit as a stream of steps. Each run of the stream is a new fit. The stream ends with the first step at which a rule of
 * `Stop` gives a reason, the algorithm has converged, or `Interrupt` requests it. The event loop gets a turn every 8 ms
 * between steps, so that timers and signals are handled and the fiber can be interrupted.
 *
 * A step may write into the arrays of the previous state (`Algorithm`). To keep a state, keep `Checkpoint.copy` of it.
 *
 * *When to use*: to stop at any step, to look at states, or to write checkpoints. `fit` returns the end only.
 *
 * @param from a state to continue from, as `Checkpoint.read` returns it; its reason to end is ignored. Without it the fit
 *   starts from the seed
 */
export const run = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  from?: State<S>,
): Effect.Effect<Running<S, I, P>, never, Stop> =>
  Effect.map(driver(algorithm), ({ seed, begin, advance, keep }) => ({
    algorithm,
    seed,
    steps: Stream.suspend(() => {
      const { due, turn } = Turn.turns()
      return Stream.unfold(begin(from), (state: State<S>) =>
        state.reason !== undefined
          ? Effect.as(keep(state, true), undefined)
          : Effect.map(due() ? Effect.andThen(turn, keep(state, false)) : Effect.void, () => {
              const [next, info] = advance(state)
              return [{ info, state: next }, next] as const
            }),
      )
    }),
  }))

/**
 * The posterior at a state of a fit, and the fit's summary. A state without a reason to end counts as interrupted: the
 * stream of steps was left there.
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
  course: courseOf(state),
  seconds: state.seconds,
})

/** The course of a fit to its end: what the last step scores may be worse than the best so far, as that of a later restart. */
const courseOf = ({ course, scored }: Omit<State<unknown>, "algorithm">): Summary["course"] => {
  const last = course.at(-1)
  return last === undefined || last[0] === scored ? [...course] : [...course, [scored, last[1]]]
}

/**
 * Drives an algorithm until it has converged or a rule of `Stop` gives a reason, and returns the posterior. At least one
 * step is taken unless a rule ends the fit before the first step.
 *
 * @param onStep called after every step
 * @param from a state to continue from, as for `run`
 */
export const fit = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  onStep?: (info: Step<I>) => void,
  from?: State<S>,
): Effect.Effect<Fitted<P>, never, Stop> =>
  Effect.map(last(algorithm, onStep, from), ({ state, seed }) => summarise(algorithm, state, seed))

/**
 * The last state of a fit, and its seed.
 *
 * @param onStep called after every step with its report and the state after it, which the next step may write into
 * @param from a state to continue from, as for `run`
 */
export const last = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  onStep: (info: Step<I>, state: State<S>) => void = () => undefined,
  from?: State<S>,
): Effect.Effect<{ readonly state: State<S>; readonly seed: number }, never, Stop> =>
  Effect.gen(function* () {
    const { seed, begin, advance, keep } = yield* driver(algorithm)
    const { due, turn } = Turn.turns()
    let state = begin(from)
    while (state.reason === undefined) {
      if (due()) {
        yield* turn
        yield* keep(state, false)
      }
      const [next, info] = advance(state)
      state = next
      if (info.unfinished !== true) onStep(info, next)
    }
    yield* keep(state, true)
    return { state, seed }
  })
