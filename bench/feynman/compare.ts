/**
 * Two files of results of the same problems, judged (`python bench/judge/judge.py FILE.jsonl`), side by side:
 *
 *     npm run feynman:compare -- AFTER.jsonl                  against bench/results/SET-vasst.jsonl, the committed record
 *     npm run feynman:compare -- BEFORE.jsonl AFTER.jsonl
 *
 * Prints, for each noise level, how many laws each file found, how many problems were lost and gained, the two-sided sign
 * test of these, and the pairwise ratio of CPU seconds, after over before: its geometric mean with an interval of 95 %, and
 * the ratio of the totals. Then the problems that were lost and gained.
 */
import { existsSync } from "node:fs"
import { complain, options } from "../harness/options.ts"
import { pair, report } from "./comparison.ts"
import { distinct, type Judged, judged, NotJudged } from "./results.ts"

const { positionals } = options(import.meta.url, { allowPositionals: true, options: {} })

const runsOf = (file: string): ReadonlyArray<Judged> => {
  if (!existsSync(file)) complain(`there is no file ${file}`)
  try {
    return judged(file)
  } catch (error) {
    if (error instanceof NotJudged) complain(error.message)
    throw error
  }
}

const committed = (set: string): ReadonlyArray<Judged> =>
  runsOf(new URL(`../results/${set}-vasst.jsonl`, import.meta.url).pathname)

const [first, second, ...rest] = positionals
if (first === undefined || rest.length > 0) complain("give one or two files of results; --help says more")
const after = runsOf(second ?? first)
if (after.length === 0) complain(`${second ?? first} has no runs`)
const before = second === undefined ? distinct(after.map(({ set }) => set)).flatMap(committed) : runsOf(first)
const pairing = pair(before, after)
if (pairing.pairs.length === 0) complain("the files have no problem in common")
console.log(report(pairing))
