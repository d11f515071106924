import type { Trace } from "../report/Record.ts"

/** A trace that a search writes while it runs: a point for each step that is better than all before, and the last step. */
export const ofSearch = (): {
  readonly tell: (step: { readonly scored?: number | undefined; readonly objective: number }) => void
  readonly trace: () => Trace
} => {
  const points: Array<readonly [number, number]> = []
  let last: readonly [number, number] | undefined
  return {
    tell: ({ scored = 0, objective }) => {
      if (!Number.isFinite(objective)) return
      last = [scored, objective]
      if (objective > (points.at(-1)?.[1] ?? -Infinity)) points.push(last)
    },
    trace: () => ({
      along: "ensembles scored",
      objective: "log posterior",
      points: last === undefined || last === points.at(-1) ? points : [...points, last],
    }),
  }
}

/** The trace of a fit that follows a gradient. */
export const ofSteps = (objectives: ReadonlyArray<number>): Trace => ({
  along: "steps",
  objective: "ELBO",
  points: objectives.map((value, step) => [step + 1, value] as const),
})

/** The traces of the searches of a fit over groups, told step by step in order. */
export const ofGroups = (): {
  readonly tell: (step: {
    readonly label: string | undefined
    readonly search: number
    readonly scored: number
    readonly objective: number
  }) => void
  /** the ensembles scored by all searches so far */
  readonly scored: () => number
  readonly trace: () => Trace
} => {
  const scored: Array<number> = []
  const searches: Array<{ readonly group: string | null; readonly own: ReturnType<typeof ofSearch> }> = []
  return {
    tell: (step) => {
      const { own } = (searches[step.search - 1] ??= { group: step.label ?? null, own: ofSearch() })
      own.tell(step)
      scored[step.search - 1] = step.scored
    },
    scored: () => scored.reduce((sum, one) => sum + one, 0),
    trace: () => ({
      ...ofSearch().trace(),
      searches: searches.map(({ group, own }) => ({ group, points: own.trace().points })),
    }),
  }
}
