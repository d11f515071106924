/**
 * Restarts of a search that other threads make ahead of it. A restart is a function of its key, its number and its rows
 * (docs/adr/0023), so that its result is the same wherever it is made.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Dataset } from "../data/Data.ts"
import * as SharedData from "../data/SharedData.ts"
import { type CompileError, DataError } from "../errors/Errors.ts"
import * as Fit from "../infer/Fit.ts"
import * as Keeper from "../infer/Keeper.ts"
import * as Turn from "../infer/Turn.ts"
import { oneLine } from "../internal/oneLine.ts"
import * as Rng from "../random/Rng.ts"
import type * as Workers from "../workers/Workers.ts"
import type { Info, Search, Start } from "./SearchAlgorithm.ts"
import type { Outcome, State } from "./State.ts"

/** A restart, as it is posted to a worker. */
export interface Job<Spec> {
  readonly spec: Spec
  readonly data: SharedData.Shared
  readonly seed: number
  readonly start: Start
  /** a number that is not 0 once the restart has to end, in memory that is shared where threads share memory */
  readonly stop: Int32Array
}

/** A restart that was made by itself. */
export interface Report {
  /** of the steps that a search takes in this restart, in order: those before the library is full are of the first restart */
  readonly infos: ReadonlyArray<Info>
  readonly outcome: Outcome
  /** whether the restart has ended by itself */
  readonly ended: boolean
}

/** A task that makes restarts. */
export type Served<Spec> = Workers.Task<Job<Spec>, Report>

/** Steps between two turns of the event loop. */
const turn = 64

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The parts of a job that are not options: the search checks those. Columns are looked at by their length alone. */
const Posted = Schema.Struct({
  seed: Count,
  start: Schema.Struct({ restart: Count, rows: Count }),
  stop: Schema.instanceOf(Int32Array),
  data: Schema.Struct({
    features: Schema.Array(Schema.String),
    target: Schema.String,
    rows: Count,
    memory: Schema.ObjectKeyword,
  }),
})
const read = Schema.decodeUnknownResult(Posted)

/** Why a message is no restart; undefined for one. */
const wrong = (job: Job<unknown>): string | undefined => {
  const found = read(job)
  if (Result.isFailure(found)) return oneLine(found.failure)
  const { data, stop } = job
  const bytes = (data.features.length + 1) * data.rows * Float64Array.BYTES_PER_ELEMENT
  if (stop.length === 0) return "its stop has no number"
  return data.memory instanceof ArrayBuffer && data.memory.byteLength < bytes
    ? `its columns have ${data.memory.byteLength} bytes, and not ${bytes}`
    : undefined
}

/** A restart that is under way. Plain data. */
interface Course {
  readonly state: State
  /** the reports of its steps that `Report` has */
  readonly infos: ReadonlyArray<Info>
  /** whether the state has the core that the restart began with */
  readonly first: boolean
}

/**
 * Makes a restart to its end, or until a stop is requested. Where states are kept it begins with the one that was kept last, and has the
 * same report.
 */
const follow = (search: Search, seed: number, start: Start, stopped: () => boolean): Effect.Effect<Report> =>
  Effect.gen(function* () {
    const keeper = yield* Keeper.Current
    // It was written below, for the same search.
    const kept = keeper?.state as Course | undefined
    const infos: Array<Info> = [...(kept?.infos ?? [])]
    let state = kept?.state ?? search.before(Rng.key(seed), start)
    let first = kept?.first ?? true
    let ended = false
    let steps = 0
    while (!ended && !stopped()) {
      const { core } = state
      const growing = first && core.mark === 0
      const [next, info] = search.step(state)
      state = next
      first &&= state.core === core
      ended = info.converged
      if (!growing && info.unfinished !== true) infos.push(info)
      if (++steps % turn === 0) yield* Turn.turn
      if (keeper?.due() === true && !ended) yield* keeper.keep({ state, infos, first } satisfies Course)
    }
    return { infos, outcome: search.outcome(state), ended }
  })

/**
 * The entry of a worker module for restarts of a search, as `Restarts.serve` is for fits.
 *
 * @param module `import.meta.url`
 * @param build the search without further restarts, from data that can be posted to a worker
 */
export const serve = <Spec>(
  module: string,
  build: (spec: Spec, data: Dataset, start: Start) => Effect.Effect<Search, CompileError>,
  name = "restart",
): Served<Spec> => ({
  module,
  name,
  run: (job) =>
    Effect.suspend((): Effect.Effect<Report, CompileError | DataError> => {
      const reason = wrong(job)
      if (reason !== undefined)
        return Effect.fail(
          new DataError({ message: `the message about a restart cannot be read: ${reason}` }),
        )
      const { spec, data, seed, start, stop } = job
      return build(spec, SharedData.open(data), start).pipe(
        Effect.provideService(Fit.Seed, seed),
        Effect.flatMap((search) => follow(search, seed, start, () => Atomics.load(stop, 0) !== 0)),
      )
    }),
})
