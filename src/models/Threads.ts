/** The threads of `Law.fit`. */
import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import * as Setting from "../errors/Setting.ts"
import * as Fit from "../infer/Fit.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Help } from "../search/ParallelSearch.ts"
import type { Search, State, Step } from "../search/Search.ts"
import * as Workers from "../workers/Workers.ts"
import type { Options } from "./law.ts"

/** Whether options can be posted to a thread: all but functions can. */
const postable = (options: Options): boolean => {
  try {
    structuredClone(options)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === "DataCloneError") return false
    throw error
  }
}

/**
 * The threads of a search over data; undefined where it has one, or where its options cannot be posted.
 *
 * @throws SettingError when the number of workers is not a whole number from 1 on
 */
export const of = (options: Options, data: Dataset): Effect.Effect<Help<Options> | undefined> =>
  Effect.suspend(() => {
    const { workers = Workers.cores() } = options
    Setting.whole("the number of workers", workers, 1)
    if (workers === 1 || !postable(options)) return Effect.succeed(undefined)
    return Effect.map(
      Effect.promise(() => import("./lawRestarts.ts")),
      ({ restarts }) => ({ task: restarts, spec: options, data, workers }),
    )
  })

/** The last state of a search by threads (`ParallelSearch.last`), or by this one (`Fit.last`). */
export const last = (
  search: Search,
  help: Help<Options> | undefined,
  onStep: (info: Step, state: Fit.State<State>) => void,
): Effect.Effect<{ readonly state: Fit.State<State> }, never, Stop> =>
  help === undefined
    ? Fit.last(search, onStep)
    : Effect.flatMap(
        Effect.promise(() => import("../search/ParallelSearch.ts")),
        (parallel) => parallel.last(search, help, onStep),
      )
