/** What watches the steps of fits, so that somebody sees from outside how they go. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"

/** Steps of a fit, one after another: those of a tenth of a second, or one that takes longer. Plain data. */
export interface Steps {
  /** the numbers of the first and the last, from 1 */
  readonly first: number
  readonly last: number
  /** when the first began, in milliseconds since 1970 */
  readonly began: number
  /** how long they took */
  readonly seconds: number
  /** the ensembles that they scored; 0 for a fit that scores none */
  readonly scored: number
  /** the objective after the last one */
  readonly objective: number
}

/** Told of the steps of one fit, in order. */
export type Told = (steps: Steps) => void

/** What watches the fits that run: it is asked for each fit. Undefined where nobody watches. */
export const Current = Context.Reference<Effect.Effect<Told> | undefined>("vasst/infer/Watch", {
  defaultValue: () => undefined,
})

/** A step as a fit counts it. */
interface Counted {
  readonly step: number
  /** ensembles scored since the start of the fit */
  readonly scored: number
  readonly objective: number
}

/** Milliseconds of the steps that are told together: a search takes hundreds of steps a second. */
const together = 100

const now = (): number => performance.timeOrigin + performance.now()

/** Gathers the steps of one fit. */
export interface Gatherer {
  /** The fit begins, or goes on from a state. @returns the state */
  readonly from: <S extends Pick<Counted, "scored">>(state: S) => S
  readonly step: (step: Counted) => void
  /** The fit has ended. */
  readonly end: () => void
}

const nobody: Gatherer = { from: (state) => state, step: () => undefined, end: () => undefined }

const gatherer = (tell: Told): Gatherer => {
  let [began, before] = [now(), 0]
  let steps: { readonly first: number; readonly last: Counted } | undefined
  const flush = (end: number): void => {
    if (steps === undefined) return
    const { first, last } = steps
    const gained = last.scored - before
    tell({
      first,
      last: last.step,
      began,
      seconds: (end - began) / 1000,
      scored: gained,
      objective: last.objective,
    })
    began = end
    before = last.scored
    steps = undefined
  }
  return {
    from: (state) => {
      began = now()
      before = state.scored
      return state
    },
    step: (last) => {
      steps = { first: steps?.first ?? last.step, last }
      const end = now()
      if (end - began >= together) flush(end)
    },
    end: () => flush(now()),
  }
}

/** Begins to watch a fit, if anybody does. */
export const begin: Effect.Effect<Gatherer> = Effect.gen(function* () {
  const watch = yield* Current
  return watch === undefined ? nobody : gatherer(yield* watch)
})

const scored = Metric.counter("vasst.scored", {
  description: "ensembles that searches have scored",
  incremental: true,
})
const rate = Metric.gauge("vasst.scored.rate", {
  description: "ensembles scored a second, of the last steps of any fit",
})

const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(1000 * milliseconds)) * 1000n

/** Makes a span `vasst.steps` of each, below the current span, and counts the ensembles scored. */
export const exported: Effect.Effect<Told> = Effect.gen(function* () {
  const tracer = yield* Effect.tracer
  const parent = yield* Effect.option(Effect.currentSpan)
  const context = yield* Effect.context<never>()
  return ({ first, last, began, seconds, scored: gained, objective }) => {
    const span = tracer.span({
      name: "vasst.steps",
      parent,
      annotations: Context.empty(),
      links: [],
      startTime: nanoseconds(began),
      kind: "internal",
      root: false,
      sampled: Option.match(parent, { onNone: () => true, onSome: (one) => one.sampled }),
    })
    for (const [name, value] of Object.entries({ first, last, scored: gained, objective }))
      span.attribute(name, value)
    span.end(nanoseconds(began + 1000 * seconds), Exit.void)
    if (gained <= 0) return
    scored.updateUnsafe(gained, context)
    if (seconds > 0) rate.updateUnsafe(gained / seconds, context)
  }
})

/** The documentation is that of `Fit.watched`. */
export const layer: Layer.Layer<never> = Layer.succeed(Current, exported)
