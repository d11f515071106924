import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Dataset } from "../data/Data.ts"
import * as SharedData from "../data/SharedData.ts"
import * as Fit from "../infer/Fit.ts"
import { isLate, type Stop } from "../infer/Stop.ts"
import * as Workers from "../workers/Workers.ts"
import type { Job, Report, Served } from "./Ahead.ts"
import type { Info, Search, Step } from "./Search.ts"
import type { State } from "./State.ts"

export interface Help<Spec> {
  /** the module and the name of what makes restarts of this very search (`Ahead.serve`) */
  readonly task: Pick<Served<Spec>, "module" | "name">
  /** plain data, from which the task builds the search */
  readonly spec: Spec
  readonly data: Dataset
  /** the most threads that are busy at a time, the calling one included */
  readonly workers: number
  /** seconds after which a search uses other threads; two if left out: a short one is over before a thread has warmed up */
  readonly after?: number | undefined
}

/** A restart that another thread makes. */
interface Made {
  readonly restart: number
  readonly rows: number
  /** when it was started, in milliseconds */
  readonly since: number
  readonly stop: Int32Array
  /** what waits for the thread */
  fiber: Fiber.Fiber<void> | undefined
  readonly done: Deferred.Deferred<void>
  /** undefined until the thread has answered, and of a thread that was lost */
  report: Report | undefined
}

/** Milliseconds between looks at clocks and requests while the search waits for a thread. */
const watching = 20
/** The default of `Help.after`. */
const long = 2
/** A restart is made anew here while another thread has spent less than this share of the time of a restart on it. */
const early = 0.5

type Running = Fit.State<State>

/**
 * The last state of a search, and its seed, as `Fit.last` has them bit for bit, whatever the number of threads: while this
 * thread makes one restart, others make the next ones ahead, and their results are taken in the order of the restarts. A
 * result that is not needed any more, or that goes past the rules of `Stop`, is left. With a time limit, which gives no
 * result twice, unfinished restarts are taken too.
 *
 * *When to use*: for a search on several cores. `Fit.last` takes all steps in this thread.
 *
 * @param onStep called after every step of this thread, and for the steps of a restart of another, in order, when it is taken
 */
export const last = <Spec>(
  search: Search,
  help: Help<Spec>,
  onStep: (info: Step, state: Running) => void = () => undefined,
): Effect.Effect<{ readonly state: Running; readonly seed: number }, never, Stop> =>
  Effect.gen(function* () {
    const { workers, task } = help
    const pool = workers < 2 ? undefined : yield* Workers.threads<Job<Spec>, Report, never>(task, workers)
    if (pool === undefined) return yield* Fit.last(search, onStep)
    const driver = yield* Fit.driver(search)
    const { seed } = driver
    let state = driver.begin()
    const ahead = launcher(help, pool, seed)
    const { due, turn } = Fit.turns()
    let began = performance.now()
    /** The reason to end a search that waits for a thread. */
    let late: Fit.State<State>["reason"]
    while (state.reason === undefined) {
      const { restart, core, rows } = state.algorithm
      const made = restart === core.restart ? undefined : ahead.of(restart, rows)
      const now = performance.now()
      const young =
        made !== undefined && made.report === undefined && now - made.since < early * (now - began)
      if (restart !== core.restart) began = now
      if (young) ahead.leave(made)
      else if (made !== undefined && state.algorithm.most === search.most) {
        late = yield* awaited(made, () => driver.waiting(state))
        if (late !== undefined) break
        const taken = made.report === undefined ? undefined : take(search, driver, state, made.report)
        ahead.leave(made)
        if (taken !== undefined) {
          state = taken[0]
          for (const info of taken[1]) onStep(info, state)
          continue
        }
      }
      if (due()) {
        yield* ahead.launch(state, restart + 1)
        yield* turn
        yield* driver.keep(state, false)
      }
      const [next, info] = driver.advance(state)
      state = next
      if (info.unfinished !== true) onStep(info, next)
    }
    // Without unfinished restarts, which a fit that goes on does not have.
    yield* driver.keep(state, true)
    const reason = state.reason ?? late
    const unfinished = yield* ahead.end(isLate(reason))
    return { state: { ...state, reason, algorithm: search.joined(state.algorithm, unfinished) }, seed }
  }).pipe(Effect.scoped)

/** Waits for a thread; the reason to end the fit, if one comes first. */
const awaited = <Reason>(made: Made, reason: () => Reason | undefined): Effect.Effect<Reason | undefined> =>
  Effect.gen(function* () {
    for (;;) {
      if (yield* Deferred.isDone(made.done)) return undefined
      const found = reason()
      if (found !== undefined) return found
      yield* Effect.raceFirst(Deferred.await(made.done), Effect.sleep(watching))
    }
  })

/** The state after a restart that another thread has made; undefined if the fit has to end within it. */
const take = (
  search: Search,
  driver: Fit.Driver<State, Info>,
  state: Running,
  { outcome, infos, ended }: Report,
): readonly [Running, ReadonlyArray<Step>] | undefined => {
  if (!ended) return undefined
  const { past } = state.algorithm
  const [next, converged] = search.after(state.algorithm, outcome)
  const told = infos.map((info, at): Info => ({
    ...(info.objective > past.best ? info : { ...info, objective: past.best, logEvidence: past.logEvidence }),
    scored: past.scored + info.scored,
    converged: converged && at + 1 === infos.length,
  }))
  return driver.adopt(state, told, next)
}

/** Whether threads share memory here: pages that are not cross-origin isolated do not. */
const sharing = (): boolean => typeof SharedArrayBuffer !== "undefined"

/** Starts restarts in other threads. */
const launcher = <Spec>(
  { spec, data, workers, after = long }: Help<Spec>,
  pool: Workers.Pool<Job<Spec>, Report>,
  seed: number,
) => {
  const all = new Map<number, Made>()
  let shared: SharedData.Shared | undefined
  const stop = (made: Made): void => {
    Atomics.store(made.stop, 0, 1)
    // A thread that shares no memory does not see the request: it is terminated.
    if (!sharing()) made.fiber?.interruptUnsafe()
  }
  const leave = (made: Made): void => {
    stop(made)
    if (all.get(made.restart) === made) all.delete(made.restart)
  }
  const busy = (): number => [...all.values()].filter(({ report }) => report === undefined).length
  const start = (restart: number, rows: number): Effect.Effect<void, never, Scope.Scope> => {
    const made: Made = {
      restart,
      rows,
      since: performance.now(),
      stop: new Int32Array(sharing() ? new SharedArrayBuffer(4) : new ArrayBuffer(4)),
      fiber: undefined,
      done: Deferred.makeUnsafe(),
      report: undefined,
    }
    all.set(restart, made)
    shared ??= SharedData.share(data)
    const job = { spec, data: shared, seed, start: { restart, rows }, stop: made.stop }
    return pool.map([job]).pipe(
      Effect.map(([report]) => {
        made.report = report
      }),
      // A restart whose thread is lost is made by the search itself, which meets the same errors.
      Effect.ignore,
      Effect.ensuring(Deferred.succeed(made.done, undefined)),
      Effect.forkScoped,
      Effect.map((fiber) => {
        made.fiber = fiber
      }),
    )
  }
  return {
    leave,
    /** The restart that another thread makes or has made from a number of rows. */
    of: (restart: number, rows: number): Made | undefined => {
      const made = all.get(restart)
      return made?.rows === rows ? made : undefined
    },
    /** Starts the restarts from one on, as many as threads are free. */
    launch: ({ algorithm: { rows }, seconds }: Running, from: number) =>
      Effect.gen(function* () {
        for (const made of all.values()) if (made.rows !== rows) leave(made)
        const most = seconds < after ? 0 : workers - 1
        for (let restart = from; busy() < most && restart < from + workers; restart++)
          if (!all.has(restart)) yield* start(restart, rows)
      }),
    /** Ends all restarts. @returns the results of those that are unfinished, in order, if they are wanted */
    end: (wanted: boolean) =>
      Effect.gen(function* () {
        const left = [...all.values()].sort((a, b) => a.restart - b.restart)
        left.forEach(stop)
        if (!wanted) return []
        yield* Effect.forEach(left, ({ done }) => Deferred.await(done), { discard: true })
        return left.flatMap(({ report }) => (report === undefined ? [] : [report.outcome]))
      }),
  }
}
