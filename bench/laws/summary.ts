import { number, table } from "../harness/markdown.ts"
import { median } from "../harness/statistics.ts"
import { placeOf, type Run } from "./record.ts"

/** Figures of runs. */
export interface Figures {
  readonly runs: number
  /** runs whose best answer is the law */
  readonly first: number
  /** runs with the law among the ten best */
  readonly ten: number
  /** runs whose best answer is not the law and has a stated probability above 0.99 */
  readonly sureAndWrong: number
  /** the mean stated probability of the best answers; undefined where none is stated */
  readonly stated: number | undefined
  /** median seconds until the form of the answer first was the best, of runs that found the law */
  readonly hit: number | undefined
  /** median seconds from start to end of the process */
  readonly wall: number
  /** median CPU seconds */
  readonly cpu: number | undefined
}

const middle = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : median(values)

const known = (values: ReadonlyArray<number | null | undefined>): ReadonlyArray<number> =>
  values.filter((value) => typeof value === "number")

export const figures = (runs: ReadonlyArray<Run>): Figures => {
  const found = runs.filter((run) => placeOf(run) === 1)
  const stated = known(runs.map(({ answers }) => answers[0]?.probability))
  return {
    runs: runs.length,
    first: found.length,
    ten: runs.filter((run) => placeOf(run) !== undefined).length,
    sureAndWrong: runs.filter((run) => placeOf(run) !== 1 && (run.answers[0]?.probability ?? 0) > 0.99)
      .length,
    stated: stated.length === 0 ? undefined : stated.reduce((a, b) => a + b, 0) / stated.length,
    hit: middle(known(found.map(({ hit }) => hit))),
    wall: median(runs.map(({ wall }) => wall)),
    cpu: middle(known(runs.map(({ cpu }) => cpu))),
  }
}

/** Runs that are counted together. */
export const groups = (runs: ReadonlyArray<Run>): ReadonlyArray<ReadonlyArray<Run>> => {
  const keyOf = ({ set, solver, noise, cores, budget }: Run): string =>
    [set, solver, noise, cores, budget].join(" ")
  return [...new Set(runs.map(keyOf))].map((key) => runs.filter((run) => keyOf(run) === key))
}

const or = (value: number | undefined, text: (value: number) => string): string =>
  value === undefined ? "" : text(value)

/** A table of figures: a row for every set, solver, noise, number of cores and time limit. */
export const summary = (runs: ReadonlyArray<Run>): string =>
  table(
    [
      "set",
      "solver",
      "noise",
      "cores",
      "at most, s",
      "runs",
      "the law is the best",
      "among the ten",
      "mean probability stated",
      "wrong above 0.99",
      "first hit, s",
      "wall, s",
      "CPU, s",
    ],
    groups(runs).map((list) => {
      const { set, solver, noise, cores, budget } = list[0]!
      const one = figures(list)
      return [
        set,
        solver,
        String(noise),
        String(cores),
        String(budget),
        String(one.runs),
        String(one.first),
        String(one.ten),
        or(one.stated, (value) => value.toFixed(2)),
        String(one.sureAndWrong),
        or(one.hit, number),
        number(one.wall),
        or(one.cpu, number),
      ]
    }),
  )

/** Shares of runs with the law as the best answer beside those published, by noise and number of groups. */
export const beside = (
  published: Readonly<Record<string, Readonly<Record<string, number>>>>,
  runs: ReadonlyArray<Run>,
): string =>
  table(
    ["noise", "groups", "runs", "the law is the best", "published"],
    Object.entries(published).flatMap(([noise, byGroups]) =>
      Object.entries(byGroups).flatMap(([groups, share]) => {
        const own = runs.filter((run) => run.noise === Number(noise) && run.groups === Number(groups))
        if (own.length === 0) return []
        const found = own.filter((run) => placeOf(run) === 1).length
        return [[noise, groups, String(own.length), (found / own.length).toFixed(2), share.toFixed(2)]]
      }),
    ),
  )
