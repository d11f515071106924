import type { Summary } from "../infer/Fit.ts"
import type { Trace } from "../report/Record.ts"

/** The trace of a search: a point for each step that is better than all before, and the end. */
export const ofSearch = (course: Summary["course"]): Trace => ({
  along: "ensembles scored",
  objective: "log posterior",
  points: course,
})

/** The trace of a fit that follows a gradient. */
export const ofSteps = (objectives: ReadonlyArray<number>): Trace => ({
  along: "steps",
  objective: "ELBO",
  points: objectives.map((value, step) => [step + 1, value] as const),
})

/** The traces of the searches of a fit over groups, each with its group, if it has one. */
export const ofGroups = (
  searches: ReadonlyArray<{ readonly label: string | undefined; readonly course: Summary["course"] }>,
): Trace => ({
  ...ofSearch([]),
  searches: searches.map(({ label, course }) => ({ group: label ?? null, points: course })),
})
