import * as Real from "../../numeric/Real.ts"

/** A form that is compared with others. */
export interface Compared {
  /** with all numbers of each group's own (Schwarz 1978): `GroupScorer.Loose` */
  readonly score: number
  /** of a group */
  readonly numbers: number
  /** what the next fit of the form takes, in any unit: `workOf` */
  readonly work: number
}

/** The order in which forms are fitted. */
export interface FormQueue {
  /** Whether a form may come to the score of the best, were all its numbers shared. */
  readonly isHopeful: (form: Compared) => boolean
  /**
   * The best of each number of numbers, so that each has the same time. A score with all numbers of each group's own charges those
   * that groups may share, so that laws of many numbers are compared with each other. Forms without hope are last: they may have begun badly.
   */
  readonly chosen: <A extends Compared>(list: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
}

/** What a fit of numbers inside of terms takes in all groups, up to a factor: ten groups with 3, 5 and 6 numbers took 0.25, 2 and 4 s. */
export const workOf = (numbers: number): number => numbers * numbers * numbers * numbers

/** @param rows of all groups */
export const make = (groups: number, rows: number): FormQueue => {
  let leading = -Infinity
  /** What a number of each group's own costs more than one that all share, by the criterion of Schwarz. */
  const price = ((groups - 1) * Real.log(rows)) / 2
  const isHopeful = ({ score, numbers }: Compared): boolean => score + numbers * price >= leading
  return {
    isHopeful,
    chosen: (list, count) => {
      leading = list.reduce((most, { score }) => Math.max(most, score), leading)
      const works = new Map<number, number>()
      return list
        .toSorted((a, b) => b.score - a.score)
        .map((one) => {
          const work = (works.get(one.numbers) ?? 0) + one.work
          works.set(one.numbers, work)
          return { one, work, late: isHopeful(one) ? 0 : 1 }
        })
        .toSorted((a, b) => a.late - b.late || a.work - b.work)
        .slice(0, count)
        .map(({ one }) => one)
    },
  }
}
