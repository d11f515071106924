import type * as Layer from "effect/Layer"
import * as Stop from "../infer/Stop.ts"

export interface Limits {
  /** the time limit of the fit in seconds, its ranking included; 60 by default, none with a limit of effort or steps */
  readonly time?: number | undefined
  /** seconds of `time` that have passed before the call, such as those of reading the data; 0 by default */
  readonly spent?: number | undefined
  /** the limit of ensembles that the search scores, for the same result on every machine; none by default */
  readonly effort?: number | undefined
  /** the limit of the search's steps; none by default */
  readonly steps?: number | undefined
}

/** The time limit in seconds; undefined where another limit ends the search. */
export const ofSearch = (
  { time, effort, steps }: Pick<Limits, "time" | "effort" | "steps">,
  usual: number,
): number | undefined => time ?? (effort === undefined && steps === undefined ? usual : undefined)

/**
 * The stopping rule of limits.
 *
 * @param usual the time limit in seconds where no limit is given
 */
export const layer = (limits: Limits, usual: number): Layer.Layer<Stop.Stop> => {
  const { effort, steps } = limits
  const seconds = ofSearch(limits, usual)
  return Stop.layer({
    steps,
    rules: [
      ...(effort === undefined ? [] : [Stop.afterEffort(effort)]),
      ...(seconds === undefined ? [] : [Stop.afterSeconds(seconds)]),
    ],
  })
}

/** The ranking's share of the time, and the most seconds that are kept for it; and the least share of the time that the search has. */
const ranking = { share: 0.1, most: 3 }
const searching = 0.25

/** The time of a fit: its search ends so early that the ranking is done within the limit. */
export interface Clock {
  /** seconds since the start of the fit */
  readonly seconds: () => number
  /** The stopping rule of a search that begins now. */
  readonly rules: () => Layer.Layer<Stop.Stop>
  readonly late: () => boolean
  /** Begins work that lasts to the limit. @returns whether a share of the time that was left then, from 0 to 1, is not used yet */
  readonly work: () => (share: number) => boolean
}

/**
 * Starts the clock of a fit. A table that is read late has a search all the same.
 *
 * @param usual the time limit in seconds where no limit is given
 */
export const start = (limits: Limits, usual: number): Clock => {
  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  const { spent = 0 } = limits
  const time = ofSearch(limits, usual)
  const left = (whole: number): number => whole - spent - seconds()
  const searchTime = (whole: number): number =>
    Math.max(searching * whole, left(whole) - Math.min(ranking.share * whole, ranking.most))
  return {
    seconds,
    rules: () =>
      layer(
        {
          ...limits,
          // A time that is none is refused by the rule, as it was given.
          time: time !== undefined && time > 0 ? searchTime(time) : time,
        },
        usual,
      ),
    late: () => time !== undefined && left(time) <= 0,
    work: () => {
      const begun = seconds()
      const whole = time === undefined ? Infinity : left(time)
      return (share) => seconds() - begun < share * whole
    },
  }
}
