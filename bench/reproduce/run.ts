/**
 * The paper, reproduced: every case that is not there yet is run, and the pages are written.
 *
 *     npm run reproduce                     everything but the other systems, under an hour on two cores
 *     npm run reproduce -- --peers          the other systems: hours; PEERS_HOME and PEERS_SCRIPTS say where they are
 *     npm run reproduce -- --check          a few cases, compared with the record; CI runs it
 *     npm run reproduce -- --page           nothing but the pages, from the recorded results
 *
 * It can be stopped at any time and goes on where it was. `--jobs` says how many processors (2), `--only published,search`
 * which experiments or systems, `--sample 3` how many open cases of each at most.
 */
import { each } from "../harness/jobs.ts"
import { complain, options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { type Worker, worker } from "../harness/worker.ts"
import type { Case } from "./case.ts"
import { check } from "./check.ts"
import * as Claims from "./claims.ts"
import { type Experiment, experiments, own, rows, tuned } from "./experiments.ts"
import * as Peers from "./peers.ts"
import * as Store from "./store.ts"
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

const open = (experiment: string, cases: ReadonlyArray<Case>): ReadonlyArray<Case> =>
  Store.open(experiment, cases).slice(0, most)

const brief = (one: Case): string =>
  `${one.problem}${one.features === "raw" ? " raw" : ""} noise ${one.noise} seed ${one.seed}`

const by = provenance(["src", "bench/reproduce", "bench/harness", "bench/library", "bench/problems.ts"])

const runExperiment = async (experiment: Experiment, workers: ReadonlyArray<Worker>): Promise<void> => {
  const list = open(experiment.name, experiment.cases())
  if (list.length > 0) say(`== ${experiment.name}: ${experiment.about}, ${list.length} cases to run`)
  await each(list, { jobs, title: experiment.name, say }, async (one, slot) => {
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
  const chosen = Peers.peers.filter(({ name }) => only?.includes(name) ?? true)
  const here = chosen.filter((peer) => {
    const found = Peers.programOf(peer)
    if ("missing" in found) say(`left out: ${peer.name} (${found.missing})`)
    return "command" in found
  })
  for (const [experiment, cases] of [
    ...here.map((peer) => ["peers", Peers.casesOf(peer)] as const),
    [
      "peers-scaling",
      Peers.scaling(rows).filter(({ peer }) => here.some(({ name }) => name === peer)),
    ] as const,
  ])
    await each(open(experiment, cases), { jobs, title: experiment, say }, async (one, slot) => {
      if (one.kind !== "peer") throw new Error("not a case of another system")
      const answer = await Peers.runPeer(one, slot)
      Store.write(experiment, { case: one, by, ...answer })
      return `${one.peer} ${brief(one)}${"error" in answer ? `: ${answer.error}` : ""}`
    })
}

/** Formulas of all methods before one judge. */
const runJudge = async (): Promise<void> => {
  const judge = Claims.judge()
  if ("missing" in judge) return say(`formulas are not judged: ${judge.missing}`)
  const verdicts = Claims.verdicts()
  const claims = [...new Map(Claims.claims().map((claim) => [Claims.keyOf(claim), claim])).values()]
  const judges = Array.from({ length: jobs }, (_, slot) => worker(judge.command, slot))
  await each(verdicts.open(claims), { jobs, title: "judge", say }, async (claim, slot) => {
    const answer = await judges[slot]!.ask(Claims.question(claim), 120)
    const verdict: Claims.Verdict =
      "error" in answer
        ? { structural: false, nodes: null, note: answer.error }
        : // What judge.py writes.
          (answer.result as Claims.Verdict)
    verdicts.add({ key: Claims.keyOf(claim), verdict })
    return `${claim.method} ${claim.problem} noise ${claim.noise}: ${verdict.structural}`
  })
  for (const one of judges) one.end()
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
