import type * as HallOfFame from "./HallOfFame.ts"

/** The best node of a form, at rough values of its constants, and its score. */
export interface Look {
  readonly form: number
  readonly id: number
  readonly score: number
}

export type Sum = HallOfFame.Held & Pick<HallOfFame.Scored, "score">

/**
 * The work of a stage: sums of like terms are begun, or sums go on with further terms. Sums of waves and sums of terms that are none are
 * built apart, and then together: beside a law of peaks, a sum of waves is a local optimum that no single term leads out of.
 */
export interface Stage {
  readonly work: "begin" | "goOn"
  /** whether terms are waves; undefined for both kinds */
  readonly turns: boolean | undefined
  /** of sums of one term, of two and so on: how many go on. One of another form may end at the law where the best does not. */
  readonly counts: ReadonlyArray<number>
}

export const stages: ReadonlyArray<Stage> = [
  { work: "begin", turns: false, counts: [] },
  { work: "goOn", turns: false, counts: [6, 2, 2] },
  { work: "begin", turns: true, counts: [] },
  { work: "goOn", turns: true, counts: [6, 2, 2] },
  { work: "goOn", turns: undefined, counts: [4, 2, 0] },
]

/** How far the sums of a response are built, as plain data. */
export interface Progress {
  /** the place among `stages`; their number when all are built */
  stage: number
  /** whether the queue of the stage was made */
  entered: boolean
  /** the rest of the stage: forms to begin with, or sums that go on */
  queue: ReadonlyArray<Look | Sum>
  /** the sums that were begun, and whether their terms are waves */
  begun: ReadonlyArray<Sum & { readonly turns: boolean }>
}

export const nothing = (): Progress => ({ stage: 0, entered: false, queue: [], begun: [] })

export const areBuilt = ({ stage }: Progress): boolean => stage >= stages.length

/** The sums of a stage that go on, the best of each length. */
export const goingOn = ({ begun }: Progress, { turns, counts }: Stage): ReadonlyArray<Sum> => {
  const own = begun
    .filter((sum) => turns === undefined || sum.turns === turns)
    .sort((a, b) => b.score - a.score)
  return counts.flatMap((count, k) => own.filter(({ trees }) => trees.length === k + 1).slice(0, count))
}
