import { existsSync } from "node:fs"
import { join } from "node:path"
import { blocks, number, table } from "../harness/markdown.ts"
import { distinct, type Judged, judged, summary } from "./results.ts"
import { variants } from "./variants.ts"

const sameProblem = (a: Judged, b: Judged): boolean =>
  a.set === b.set && a.equation === b.equation && a.noise === b.noise && a.seed === b.seed

const found = ({ verdict }: Judged): boolean => verdict.recovered

/** More problems than these are not listed. */
const longest = 60

/**
 * A paragraph and a table: the search without each of its parts, on the same problems as the whole one.
 *
 * @param chosen how the problems were chosen, and from which seeds, in words after "problems"
 */
const ablation = (runs: ReadonlyArray<Judged>, chosen: string): string => {
  const whole = runs.filter(({ solver }) => solver === "vasst")
  const rows = distinct(runs.map(({ solver }) => solver)).flatMap((solver) => {
    const own = runs.filter((run) => run.solver === solver)
    const pairs = own.flatMap((run) => {
      const other = whole.find((one) => sameProblem(one, run))
      return other === undefined ? [] : [{ run, other }]
    })
    if (pairs.length === 0) return []
    const { recovered, hit } = summary(pairs.map(({ run }) => run))
    const count = (mine: boolean): string =>
      solver === "vasst"
        ? ""
        : String(pairs.filter(({ run, other }) => found(run) === mine && found(other) !== mine).length)
    const name = solver.replace(/^vasst-/, "")
    const what = variants[name]?.what ?? "whole"
    const times = [hit?.median, hit?.largest].map((time) => (time === undefined ? "" : number(time)))
    return [[what, String(pairs.length), String(recovered), count(false), count(true), ...times]]
  })
  const problems = distinct(whole.map(({ equation, noise }) => `${equation} at ${noise}`))
  const listed = problems.length > longest ? "" : ` (${problems.join(", ")})`
  return blocks(
    `On ${problems.length} problems ${chosen}${listed}, at most ${distinct(runs.map(({ budget }) => budget)).join(" or ")} s each.`,
    table(["the search", "runs", "recovered", "lost", "gained", "seconds to hit", "at most"], rows),
  )
}

/** Problems on which the search was tried without its parts, and how they were chosen. */
const sets: ReadonlyArray<{
  readonly file: string
  readonly chosen: string
  /** where the runs of the whole search are, if not in the same file */
  readonly whole?: string
}> = [
  {
    file: "ablation.jsonl",
    chosen: "drawn by lot, and another seed of those on which not all searches agreed",
  },
  {
    file: "ablation-exact.jsonl",
    chosen: "of the 21 that the whole search found in 2.2 to 5.7 s from seed 1, from another seed",
  },
  {
    file: "ablation-together.jsonl",
    chosen: "of both tables above, three seeds of the first and two of the second",
  },
  {
    file: "ablation-sums.jsonl",
    chosen:
      "of like terms, sums and products, that some of these searches had lost, from other seeds as well",
  },
  {
    file: "ablation-three.jsonl",
    chosen: "at four levels of noise, all of the above",
    whole: "feynman-vasst.jsonl",
  },
]

/** The ablations of a folder of results, those that are there. */
export const ablations = (results: string): ReadonlyArray<string> =>
  sets
    .filter(({ file }) => existsSync(join(results, file)))
    .map(({ file, chosen, whole }) =>
      ablation(
        [whole, file].flatMap((name) => (name === undefined ? [] : judged(join(results, name)))),
        chosen,
      ),
    )
