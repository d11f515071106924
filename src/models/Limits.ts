import type * as Layer from "effect/Layer"
import * as Stop from "../infer/Stop.ts"

/** The limits of a search. */
export interface Limits {
  /** the time limit of the search in seconds; 60 by default, none with a limit of effort or steps */
  readonly time?: number | undefined
  /** the limit of ensembles that the search scores, for the same result on every machine; none by default */
  readonly effort?: number | undefined
  /** the limit of the search's steps; none by default */
  readonly steps?: number | undefined
}

/**
 * The stopping rule of limits.
 *
 * @param usual the time limit in seconds where no limit is given
 */
export const layer = ({ time, effort, steps }: Limits, usual: number): Layer.Layer<Stop.Stop> => {
  const seconds = time ?? (effort === undefined && steps === undefined ? usual : undefined)
  return Stop.layer({
    steps,
    rules: [
      ...(effort === undefined ? [] : [Stop.afterEffort(effort)]),
      ...(seconds === undefined ? [] : [Stop.afterSeconds(seconds)]),
    ],
  })
}
