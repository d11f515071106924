import { blocks, number, table } from "../harness/markdown.ts"
import { mean, quantile, sd, signTest } from "../harness/statistics.ts"
import { distinct, type Judged } from "./results.ts"

/** Runs of one problem from two files. */
export interface Pair {
  readonly before: Judged
  readonly after: Judged
}

/** Runs of the same problems, paired by set, equation, noise and seed, whatever the solver. */
export interface Pairing {
  readonly pairs: ReadonlyArray<Pair>
  /** runs of problems that the other file lacks */
  readonly unpaired: { readonly before: number; readonly after: number }
}

const problemOf = ({ set, equation, noise, seed }: Judged): string => [set, equation, noise, seed].join(" ")

const byProblem = (runs: ReadonlyArray<Judged>): ReadonlyMap<string, Judged> => {
  const found = new Map(runs.map((run) => [problemOf(run), run]))
  if (found.size < runs.length)
    throw new Error("a problem has several runs in one file; give files of one solver each")
  return found
}

/** Pairs runs. Throws where a file has several runs of one problem. */
export const pair = (before: ReadonlyArray<Judged>, after: ReadonlyArray<Judged>): Pairing => {
  const [first, second] = [byProblem(before), byProblem(after)]
  const pairs = [...first].flatMap(([problem, run]) => {
    const other = second.get(problem)
    return other === undefined ? [] : [{ before: run, after: other }]
  })
  return { pairs, unpaired: { before: first.size - pairs.length, after: second.size - pairs.length } }
}

/** CPU seconds after over CPU seconds before, of the pairs where both are known. */
export interface CpuRatio {
  readonly pairs: number
  /** of the sums */
  readonly total: number
  /** geometric mean of the pairs' ratios */
  readonly mean: number
  /** an interval of 95 % for it, by the normal distribution of the logarithms' mean; NaN of fewer than two pairs */
  readonly low: number
  readonly high: number
  readonly median: number
}

/** What changed between two files. */
export interface Comparison {
  readonly pairs: number
  readonly foundBefore: number
  readonly foundAfter: number
  readonly lost: ReadonlyArray<Pair>
  readonly gained: ReadonlyArray<Pair>
  /** two-sided exact sign test of lost against gained */
  readonly p: number
  /** undefined where no pair has both CPU times */
  readonly cpu: CpuRatio | undefined
}

const cpuRatio = (pairs: ReadonlyArray<Pair>): CpuRatio | undefined => {
  const times = pairs.flatMap(({ before, after }) =>
    before.cpu === null || after.cpu === null ? [] : [{ before: before.cpu, after: after.cpu }],
  )
  if (times.length === 0) return undefined
  const logs = times.map(({ before, after }) => Math.log(after / before))
  const [centre, error] = [mean(logs), (1.96 * sd(logs)) / Math.sqrt(logs.length)]
  const sum = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0)
  return {
    pairs: times.length,
    total: sum(times.map(({ after }) => after)) / sum(times.map(({ before }) => before)),
    mean: Math.exp(centre),
    low: Math.exp(centre - error),
    high: Math.exp(centre + error),
    median: Math.exp(quantile(logs, 0.5)),
  }
}

export const compare = (pairs: ReadonlyArray<Pair>): Comparison => {
  const found = ({ verdict }: Judged): boolean => verdict.recovered
  const lost = pairs.filter(({ before, after }) => found(before) && !found(after))
  const gained = pairs.filter(({ before, after }) => !found(before) && found(after))
  return {
    pairs: pairs.length,
    foundBefore: pairs.filter(({ before }) => found(before)).length,
    foundAfter: pairs.filter(({ after }) => found(after)).length,
    lost,
    gained,
    p: signTest(lost.length, gained.length),
    cpu: cpuRatio(pairs),
  }
}

const row = (name: string, pairs: ReadonlyArray<Pair>): ReadonlyArray<string> => {
  const { foundBefore, foundAfter, lost, gained, p, cpu } = compare(pairs)
  const ratio =
    cpu === undefined
      ? ["", "", ""]
      : [
          cpu.mean.toFixed(3),
          Number.isNaN(cpu.low) ? "" : `${cpu.low.toFixed(3)} to ${cpu.high.toFixed(3)}`,
          cpu.total.toFixed(3),
        ]
  const counts = [pairs.length, foundBefore, foundAfter, lost.length, gained.length].map(String)
  return [name, ...counts, p < 0.001 ? p.toExponential(1) : p.toFixed(3), ...ratio]
}

const listed = (title: string, pairs: ReadonlyArray<Pair>): string =>
  pairs.length === 0
    ? ""
    : blocks(
        `${title}:`,
        pairs
          .map(
            ({ before, after }) =>
              `- ${before.equation} at noise ${before.noise}, seed ${before.seed}: ` +
              `before \`${before.expression}\`, after \`${after.expression}\` (${after.error ?? after.verdict.reason})`,
          )
          .join("\n"),
      )

const limits = (runs: ReadonlyArray<Judged>): string =>
  distinct(runs.map(({ budget }) => number(budget))).join(" or ")

/** The comparison as Markdown: a row for each set and noise level, one for all, and the problems lost and gained. */
export const report = ({ pairs, unpaired }: Pairing): string => {
  const [before, after] = [limits(pairs.map((one) => one.before)), limits(pairs.map((one) => one.after))]
  const groups = distinct(pairs.map(({ before: { set, noise } }) => `${set}, noise ${noise}`))
  const { lost, gained } = compare(pairs)
  return blocks(
    before === after ? "" : `The time limits differ: ${before} s before, ${after} s after.`,
    unpaired.before + unpaired.after === 0
      ? ""
      : `Not compared: ${unpaired.before} runs only before, ${unpaired.after} runs only after.`,
    table(
      [
        "problems",
        "runs",
        "found before",
        "after",
        "lost",
        "gained",
        "sign test",
        "CPU ratio",
        "95 %",
        "total",
      ],
      [
        ...groups.map((group) =>
          row(
            group,
            pairs.filter(({ before: { set, noise } }) => `${set}, noise ${noise}` === group),
          ),
        ),
        ...(groups.length > 1 ? [row("all", pairs)] : []),
      ],
    ),
    listed("Lost", lost),
    listed("Gained", gained),
  )
}
