import { lines } from "../harness/lines.ts"
import { blocks, number, table } from "../harness/markdown.ts"
import { distinct, type Judged, summary } from "./results.ts"

/** A run of an ablation, as the archive has it. */
type Archived = Judged & { readonly ablation: string }

/** Runs of the search of version 0.1.0, with and without its parts, and their verdicts; `run.ts` does not write here. */
const archive = new URL("../results/ablations.jsonl.gz", import.meta.url).pathname

/** What each search of the archive was, in words after "the search". */
const searches: Readonly<Record<string, string>> = {
  vasst: "whole",
  "vasst-without-links": "without links",
  "vasst-without-constants": "without the constants 1, 2 and pi",
  "vasst-one-tree": "with one tree",
  "vasst-shallow": "with trees of depth 3",
  "vasst-deep": "with trees of depth 7",
  "vasst-depth-5": "with trees of depth 5",
  "vasst-learned": "with learned constants",
  "vasst-small-bank": "with an expression library of 1,000",
  "vasst-without-completion": "without completing columns to ensembles",
  "vasst-without-recombination": "without trying the trees of the hall of fame in every place",
  "vasst-without-likes": "without swaps of features in subtrees",
  "vasst-without-numerals": "without constant expressions as parts of new trees",
  "vasst-without-scaling": "without powers and dimensionless products that the logarithm of y shows",
  "vasst-without-lifting": "without operators on top of subtrees combined with a constant",
  "vasst-without-sharing": "without frequent subtrees of the best ensembles as parts",
  "vasst-without-spreading": "without trying trees under the other links",
  "vasst-without-dropping": "without leaving trees out",
  "vasst-without-restarting": "without restarts",
  "vasst-without-three": "without constant expressions, other links, and leaving trees out",
  "vasst-without-four": "without constant expressions, other links, leaving trees out, and feature swaps",
  "vasst-without-five":
    "without constant expressions, other links, leaving trees out, feature swaps, and completing columns",
  "vasst-without-draws": "without draws from the variational family",
  "vasst-conditional": "with a family of parent-conditional trees",
}

/** How the problems of each ablation were chosen, and from which seeds, in words after "problems". */
const sets: Readonly<Record<string, string>> = {
  first: "drawn by lot, with a second seed for problems on which searches disagreed",
  exact: "of the 21 that the whole search found in 2.2 to 5.7 s with seed 1, with another seed",
  together: "of both tables above, three seeds of the first and two of the second",
  sums: "with similar terms, sums and products, that one of these searches had lost, with other seeds, too",
  three: "at four levels of noise, the whole record",
}

const sameProblem = (a: Judged, b: Judged): boolean =>
  a.set === b.set && a.equation === b.equation && a.noise === b.noise && a.seed === b.seed

const found = ({ verdict }: Judged): boolean => verdict.recovered

/** More problems than these are not listed. */
const longest = 60

/** A paragraph and a table: the search without each of its parts, on the same problems as the whole one. */
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
    const times = [hit?.median, hit?.largest].map((time) => (time === undefined ? "" : number(time)))
    const name = searches[solver] ?? solver
    return [[name, String(pairs.length), String(recovered), count(false), count(true), ...times]]
  })
  const problems = distinct(whole.map(({ equation, noise }) => `${equation} at ${noise}`))
  const listed = problems.length > longest ? "" : ` (${problems.join(", ")})`
  return blocks(
    `On ${problems.length} problems ${chosen}${listed}, at most ${distinct(runs.map(({ budget }) => budget)).join(" or ")} s each.`,
    table(["the search", "runs", "recovered", "lost", "gained", "seconds to hit", "at most"], rows),
  )
}

/** The ablations of the archive; none where there is no archive. */
export const ablations = (): ReadonlyArray<string> => {
  const runs = lines<Archived>(archive)
  return Object.entries(sets).flatMap(([name, chosen]) => {
    const own = runs.filter((run) => run.ablation === name)
    return own.length === 0 ? [] : [ablation(own, chosen)]
  })
}
