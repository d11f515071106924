/** Limits that ended a fit early, and a limit of time that was not kept, in words. */
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
}

/** The time of a whole fit. */
export interface Timed {
  /** seconds; undefined where it has no clock */
  readonly seconds: number | undefined
  /** the limit of time in seconds; undefined without one */
  readonly time?: number | undefined
}

/** A limit is kept where a fit takes at most this share of it longer. */
const longer = 0.05

const counted = (count: number): string => count.toLocaleString("en-US")

/** Whether a limit cut off the training of a variational posterior, or the draws from it: a line each. */
export const lines = (
  { asked, draws }: Trained,
  { stopReason, steps }: { readonly stopReason: string; readonly steps: number },
): ReadonlyArray<string> => [
  ...(steps < asked.steps && limit(stopReason) !== undefined
    ? [
        `cut off: ${limit(stopReason)} ended the training after ${counted(steps)} of ${counted(asked.steps)} steps`,
      ]
    : []),
  ...(draws < asked.draws
    ? [`cut off: ${counted(draws)} of ${counted(asked.draws)} draws were ranked within the limit of time`]
    : []),
]

/** A line where the limit of time was not kept. */
export const late = ({ seconds, time }: Timed, isTrained: boolean): ReadonlyArray<string> => {
  if (time === undefined || seconds === undefined || seconds <= (1 + longer) * time) return []
  const [made, mend] = isTrained
    ? ["a few draws", "fewer or smaller trees (--trees, --depth)"]
    : ["the scores of the best law", "fewer terms (--trees)"]
  return [
    `late: this took ${significant(seconds, 2)} s, and its limit is ${significant(time, 2)} s. The start, a first step and ${made} are made whatever the limit; ${mend} make them sooner`,
  ]
}
