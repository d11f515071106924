/** The threads of `Law.fit`. */
import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import * as Setting from "../errors/Setting.ts"
import * as Fit from "../infer/Fit.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Help } from "../search/ParallelSearch.ts"
import type { Search, State, Step } from "../search/Search.ts"
import * as Workers from "../workers/Workers.ts"
import type { Served } from "../search/Ahead.ts"

export interface Settings {
  /**
   * the number of threads, which does not change the result without a time limit; one for each core by default. Settings that cannot be
   * posted to a thread, such as priors and moves of your own, need one thread
   */
  readonly workers?: number | undefined
}

// Sources run as they are, and `dist` holds their translations. The module loads `law.ts`, which has this one: it has a name here only.
const module = new URL(
  import.meta.url.endsWith(".ts") ? "./lawRestarts.ts" : "./lawRestarts.js",
  import.meta.url,
).href

/** Whether options can be posted to a thread: all but functions can. */
const postable = (options: Settings): boolean => {
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
 * @param options those of `Law.fit`, from which the module builds the search
 * @throws SettingError when the number of workers is not a whole number from 1 on
 */
export const of = <Options extends Settings>(options: Options, data: Dataset): Help<Options> | undefined => {
  const { workers = Workers.cores() } = options
  Setting.whole("the number of workers", workers, 1)
  if (workers === 1 || !postable(options)) return undefined
  const task: Pick<Served<Options>, "module" | "name"> = { module, name: "restart" }
  return { task, spec: options, data, workers }
}

/** The last state of a search by threads (`ParallelSearch.last`), or by this one (`Fit.last`). */
export const last = (
  search: Search,
  help: Help<unknown> | undefined,
  onStep: (info: Step, state: Fit.State<State>) => void,
): Effect.Effect<{ readonly state: Fit.State<State> }, never, Stop> =>
  help === undefined
    ? Fit.last(search, onStep)
    : Effect.flatMap(
        Effect.promise(() => import("../search/ParallelSearch.ts")),
        (parallel) => parallel.last(search, help, onStep),
      )
