import type * as Layer from "effect/Layer"
import * as Stop from "../infer/Stop.ts"
import { manyRows } from "../rank/ManyRows.ts"
import { begun, type Deadline } from "../rank/Deadline.ts"

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

/**
 * Seconds that a search leaves for the ranking: a share of the time and a little more, up to a limit. Scores on all rows take some time for each
 * row, for which there is at most a share of the time. Of many rows few ensembles are scored on all.
 */
const ranking = {
  share: 0.1,
  least: 0.35,
  leastOfMany: 0.45,
  most: 4,
  perRow: 2e-4,
  perManyRows: 1e-5,
  mostOfRows: 0.25,
} as const
/** Seconds of them that are left for what follows on the ranking, such as a report: a share of the time and a little more, up to a limit. */
const ending = { share: 0.01, least: 0.25, most: 0.4 } as const
/** The least share of the time that a search has, where reading took too long. */
const searching = 0.1

/** The seconds that a fit of a number of rows leaves for its ranking. */
const reserved = (whole: number, rows: number): number => {
  const least = rows > manyRows ? ranking.leastOfMany : ranking.least
  const usual = Math.min(ranking.most, ranking.share * whole + least)
  const own = Math.min(
    ranking.mostOfRows * whole,
    (rows > manyRows ? ranking.perManyRows : ranking.perRow) * rows,
  )
  return rows > manyRows ? Math.max(usual, own) : usual + own
}

/** The time of a fit: its search ends so early that the ranking is done within the limit. */
export interface Clock {
  /** seconds since the start of the fit */
  readonly seconds: () => number
  /**
   * The seconds of a search that begins now; undefined where another limit ends it.
   *
   * @param rows of the table
   */
  readonly search: (rows: number) => number | undefined
  /**
   * The stopping rule of a search that begins now.
   *
   * @param rows of the table
   */
  readonly rules: (rows: number) => Layer.Layer<Stop.Stop>
  /** the time of the ranking */
  readonly deadline: Deadline
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
  const search = (rows: number): number | undefined =>
    // A time that is none is refused by the rule, as it was given.
    time === undefined || !(time > 0) ? time : Math.max(searching * time, left(time) - reserved(time, rows))
  const deadline: Deadline = {
    left: () =>
      time === undefined ? Infinity : left(time) - Math.min(ending.most, ending.share * time + ending.least),
  }
  return {
    seconds,
    search,
    rules: (rows) => layer({ ...limits, time: search(rows) }, usual),
    deadline,
    work: () => {
      const late = begun(deadline)
      return (share) => !late(share)
    },
  }
}
