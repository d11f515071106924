/**
 * The paper, reproduced: every case that is not there yet is run, and the pages are written.
 *
 *     npm run reproduce                     everything but the other systems, under an hour on two cores
 *     npm run reproduce -- --peers          the other systems: hours; PEERS_HOME and PEERS_SCRIPTS say where they are
 *     npm run reproduce -- --check          a few cases, compared with what is recorded; CI runs it
 *     npm run reproduce -- --page           nothing but the pages, from what is there
 *
 * It can be stopped at any time and goes on where it was. `--jobs` says how many processors (2), `--only published,search`
 * which experiments or systems, `--sample 3` how many open cases of each at most.
 */
import { complain, options } from "../options.ts"
import { provenance } from "../provenance.ts"
import { type Case, keyOf } from "./case.ts"
import { check } from "./check.ts"
import { type Experiment, experiments, rows, tuned } from "./experiments.ts"
import * as Peers from "./peers.ts"
import * as Store from "./store.ts"
import { own, type Worker, worker } from "./workers.ts"
import { writePages } from "./page.ts"

const { values } = options(import.meta.url, {
  options: {
    jobs: { type: "string", default: "2" },
    only: { type: "string" },
    sample: { type: "string", default: "Infinity" },
    peers: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
})
const jobs = Number(values.jobs)
const most = Number(values.sample)
const only = values.only?.split(",")
const names = values.peers ? Peers.peers.map(({ name }) => name) : experiments.map(({ name }) => name)
const unknown = only?.find((name) => !names.includes(name))
if (unknown !== undefined)
  complain(`--only: there is no ${unknown}; there are ${[...new Set(names)].join(", ")}`)
if (!(jobs >= 1 && most >= 1)) complain("--jobs and --sample are numbers from 1 on")

const say = (text: string): void => console.error(text)

/** Runs things on several processors at a time and says how far it is. */
const each = async <A>(
  list: ReadonlyArray<A>,
  title: string,
  work: (one: A, slot: number) => Promise<string>,
): Promise<void> => {
  const started = performance.now()
  let next = 0
  let finished = 0
  const go = async (_: unknown, slot: number): Promise<void> => {
    for (let one = list[next++]; one !== undefined; one = list[next++]) {
      const told = await work(one, slot)
      finished += 1
      const left = (((performance.now() - started) / finished) * (list.length - finished)) / 60_000
      say(`${title} ${finished}/${list.length} (${left.toFixed(1)} min left) ${told}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, list.length) }, go))
}

const open = (experiment: string, cases: ReadonlyArray<Case>): ReadonlyArray<Case> => {
  const done = new Set(Store.results(experiment, cases).map((line) => keyOf(line.case)))
  return cases.filter((one) => !done.has(keyOf(one))).slice(0, most)
}

const brief = (one: Case): string =>
  `${one.problem}${one.features === "raw" ? " raw" : ""} noise ${one.noise} seed ${one.seed}`

const by = provenance(["src", "bench/reproduce", "bench/problems.ts"])

const runExperiment = async (experiment: Experiment, workers: ReadonlyArray<Worker>): Promise<void> => {
  const list = open(experiment.name, experiment.cases())
  if (list.length > 0) say(`== ${experiment.name}: ${experiment.about}, ${list.length} cases to run`)
  await each(list, experiment.name, async (one, slot) => {
    const answer = await workers[slot]!.ask(one, experiment.limit)
    Store.write(experiment.name, { case: one, by, ...answer })
    return `${brief(one)}${"error" in answer ? `: ${answer.error}` : ""}`
  })
}

const runAll = async (): Promise<void> => {
  const workers = Array.from({ length: jobs }, (_, slot) => worker(own, slot))
  for (const experiment of experiments)
    if (only?.includes(experiment.name) ?? true) await runExperiment(experiment, workers)
  for (const one of workers) one.end()
  if (tuned() === undefined)
    say(
      "the relaxed ELBO at its best is not there: the search for it lacks results, see the page's last lines",
    )
}

const runPeers = async (): Promise<void> => {
  const reason = Peers.missing()
  if (reason !== undefined) throw new Error(reason)
  const chosen = Peers.peers.filter(({ name }) => only?.includes(name) ?? true)
  const missing = chosen.filter((peer) => !Peers.installed(peer))
  if (missing.length > 0) say(`left out, not installed: ${missing.map(({ name }) => name).join(", ")}`)
  const here = chosen.filter(Peers.installed)
  for (const [experiment, cases] of [
    ...here.map((peer) => ["peers", Peers.casesOf(peer)] as const),
    [
      "peers-scaling",
      Peers.scaling(rows).filter(({ peer }) => here.some(({ name }) => name === peer)),
    ] as const,
  ])
    await each(open(experiment, cases), experiment, async (one, slot) => {
      if (one.kind !== "peer") throw new Error("not a case of another system")
      const answer = await Peers.runPeer(one, slot)
      Store.write(experiment, { case: one, by, ...answer })
      return `${one.peer} ${brief(one)}${"error" in answer ? `: ${answer.error}` : ""}`
    })
}

/** Formulas of all methods before one judge. */
const runJudge = async (): Promise<void> => {
  const known = new Set(Store.verdicts().map(({ key }) => key))
  const claims = [...new Map(Peers.claims().map((claim) => [Peers.keyOf(claim), claim])).values()]
  const list = claims.filter((claim) => !known.has(Peers.keyOf(claim)))
  const judges = Array.from({ length: jobs }, (_, slot) => Peers.judge(slot))
  if (judges.includes(undefined)) return
  await each(list, "judge", async (claim, slot) => {
    const answer = await judges[slot]!.ask(Peers.question(claim), 120)
    const verdict: Peers.Verdict =
      "error" in answer
        ? { structural: false, nodes: null, note: answer.error }
        : // What judge.py writes.
          (answer.result as Peers.Verdict)
    Store.judge({ key: Peers.keyOf(claim), verdict })
    return `${claim.method} ${claim.problem} noise ${claim.noise}: ${verdict.structural}`
  })
  for (const one of judges) one?.end()
}

if (values.check) {
  const failures = await check(jobs, say)
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  if (values.peers) {
    await runPeers()
    await runJudge()
  } else if (!values.page) await runAll()
  await writePages()
}
