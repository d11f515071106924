/** Limits that ended a fit early, in words. */
import { significant } from "./Table.ts"

const limits: Readonly<Record<string, string>> = {
  time: "its limit of time",
  effort: "its limit of effort",
  steps: "its limit of steps",
  interrupted: "a request",
  memory: "its limit of memory",
}

/** The limit that ended a fit before it had converged; undefined where none did. */
export const limit = (stopReason: string): string | undefined => limits[stopReason]

/** The training of a variational posterior, and the draws from it. */
export interface Trained {
  /** the steps and the draws that were asked for */
  readonly asked: { readonly steps: number; readonly draws: number }
  /** the draws that were made */
  readonly draws: number
  /** the limit of time in seconds; undefined without one */
  readonly time: number | undefined
}

/** A limit is kept where a fit takes at most this share of it longer. */
const longer = 0.05

const counted = (count: number): string => count.toLocaleString("en-US")

/**
 * Whether a limit cut off the training of a variational posterior, or the draws from it, and whether the limit of time could not be kept: a line each.
 *
 * @param seconds of the whole fit; undefined where it has no clock
 */
export const lines = (
  { asked, draws, time }: Trained,
  {
    stopReason,
    steps,
    seconds,
  }: { readonly stopReason: string; readonly steps: number; readonly seconds: number | undefined },
): ReadonlyArray<string> => [
  ...(steps < asked.steps && limit(stopReason) !== undefined
    ? [
        `cut off: ${limit(stopReason)} ended the training after ${counted(steps)} of ${counted(asked.steps)} steps`,
      ]
    : []),
  ...(draws < asked.draws
    ? [`cut off: ${counted(draws)} of ${counted(asked.draws)} draws were ranked within the limit of time`]
    : []),
  ...(time !== undefined && seconds !== undefined && seconds > (1 + longer) * time
    ? [
        `late: this took ${significant(seconds, 2)} s, and its limit is ${significant(time, 2)} s. The start, a first step and a few draws are made whatever the limit; fewer or smaller trees (--trees, --depth) make them sooner`,
      ]
    : []),
]
