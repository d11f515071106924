/**
 * The shortened reproduction: a few cases of some arms, and whether fewer laws are found than the record lets one expect.
 */
import { problems } from "../problems.ts"
import { each } from "../harness/jobs.ts"
import { worker } from "../harness/worker.ts"
import * as Arms from "./arms.ts"
import { fitOf, type FitCase, type FitResult } from "./case.ts"
import { own } from "./experiments.ts"
import * as Store from "./store.ts"

/** How often the check fails where nothing is wrong, over all arms together. */
export const failureRate = 0.002

const noise = 0.1

/** The runs of an arm, on seeds that are in no other experiment. */
interface Checked {
  readonly arm: Arms.Arm
  readonly problems: ReadonlyArray<string>
  readonly seeds: ReadonlyArray<number>
}

const all = problems.map(({ name }) => name)

/**
 * Enough runs for each arm that too few laws can be told from bad luck; of the slow one, of laws that it finds often. A search
 * without its neighbourhoods, which finds 15 of 21 by `models/law`, fails.
 */
const checked: ReadonlyArray<Checked> = [
  { arm: Arms.untrained, problems: all, seeds: [901, 902, 903] },
  { arm: Arms.asPublished, problems: ["sim1", "CL"], seeds: [901, 902, 903] },
  { arm: Arms.collapsed, problems: all, seeds: [901, 902, 903] },
  { arm: Arms.law, problems: all, seeds: [901, 902, 903] },
]

/**
 * The probability of x or fewer of n, where k of m were seen before: beta-binomial, with Jeffreys' prior, so that what the
 * record does not know is taken into account. Runs of several problems vary less than that.
 */
export const tail = (x: number, n: number, k: number, m: number): number => {
  const a = k + 0.5
  const b = m - k + 0.5
  let total = 0
  for (let i = 0; i <= x; i++) {
    // Pr(i) = C(n, i) B(a + i, b + n - i) / B(a, b), as a product of ratios that stay near 1.
    let p = 1
    for (let j = 0; j < n; j++) p *= (j < i ? a + j : b + j - i) / (a + b + j)
    for (let j = 0; j < i; j++) p *= (n - j) / (j + 1)
    total += p
  }
  return total
}

/** Runs the cases; says how many laws each arm found, and gives the arms that found too little. */
export const check = async (jobs: number, say: (text: string) => void): Promise<ReadonlyArray<string>> => {
  const workers = Array.from({ length: jobs }, (_, slot) => worker(own, slot))
  const failures: Array<string> = []
  for (const { arm, problems, seeds } of checked) {
    const recorded = Store.results<FitCase, FitResult>(
      arm.name,
      Arms.casesOf(arm).filter(
        (one) => one.noise === noise && one.features === "reduced" && problems.includes(one.problem),
      ),
    )
    const cases = problems.flatMap((name) =>
      seeds.map((seed) => fitOf({ problem: name, noise, seed }, arm.settings)),
    )
    let found = 0
    await each(cases, { jobs, title: arm.title, say: () => undefined }, async (one, slot) => {
      const answer = await workers[slot]!.ask(one, 120)
      if ("error" in answer) throw new Error(`${arm.title}, ${one.problem}: ${answer.error}`)
      // What the worker sends for a fit.
      const { best } = answer.result as FitResult
      if (best.found) found += 1
      return ""
    })
    const before = recorded.filter(({ result }) => result.best.found).length
    const chance = tail(found, cases.length, before, recorded.length)
    const failed = chance < failureRate / checked.length
    const record =
      recorded.length === 0
        ? "nothing recorded to compare with"
        : `${before} of ${recorded.length} recorded; as few or fewer by chance: ${chance.toPrecision(2)}`
    say(`${arm.title}: ${found} of ${cases.length} laws found, ${record}${failed ? ": TOO FEW" : ""}`)
    if (failed) failures.push(arm.name)
  }
  for (const one of workers) one.end()
  return failures
}
