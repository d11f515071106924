/** The other systems, on the same data and before the same judge. */
import { look } from "../../harness/chart.ts"
import { blocks } from "../../harness/markdown.ts"
import { problems } from "../../problems.ts"
import { noises } from "../arms.ts"
import type { PeerCase, PeerResult } from "../case.ts"
import * as Claims from "../claims.ts"
import { mean } from "../../harness/statistics.ts"
import * as Paper from "../paper.ts"
import * as Peers from "../peers.ts"
import * as Store from "../store.ts"
import { type AllArms, at, models, rowsOf } from "./arms.ts"
import { meanSd, seconds, share } from "./numbers.ts"
import type { Out } from "./out.ts"

type Done = Store.Done<PeerCase, PeerResult>

/** What a method did in a row: out-of-sample errors and CPU seconds. */
interface Column {
  readonly title: string
  readonly paper: string | undefined
  readonly rmse: (problem: string, noise: number) => ReadonlyArray<number>
  readonly cpu: (problem: string, noise: number) => ReadonlyArray<number>
}

const inPaper: Readonly<Record<string, string>> = {
  deap: "DEAP",
  gplearn: "gplearn",
  pyoperon: "Operon",
  bsr: "BSR",
  bms: "BMS",
}

const ofPeer = (peer: Peers.Peer, done: ReadonlyArray<Done>): Column => {
  const of = (problem: string, noise: number): ReadonlyArray<PeerResult> =>
    done
      .filter(({ case: one }) => one.peer === peer.name && one.problem === problem && one.noise === noise)
      .map(({ result }) => result)
  return {
    title: peer.title,
    paper: inPaper[peer.name],
    rmse: (problem, noise) => of(problem, noise).map(({ rmseTest }) => rmseTest ?? Number.NaN),
    cpu: (problem, noise) => of(problem, noise).map(({ cpu }) => cpu),
  }
}

const ofArms = (arms: AllArms): ReadonlyArray<Column> =>
  [arms.published, arms.tuned, arms.collapsed, arms.law].map((arm) => ({
    title: arm === arms.published ? "VaSST, published" : arm.title,
    paper: arm === arms.published ? "VaSST" : undefined,
    rmse: (problem, noise) =>
      models(arm, at(arm, { problem, noise, features: "reduced" })).map(({ rmseTest }) => rmseTest),
    cpu: (problem, noise) => at(arm, { problem, noise, features: "reduced" }).map(({ result }) => result.cpu),
  }))

const simulations = ["sim1", "sim2"]

const rmseTable = (out: Out, columns: ReadonlyArray<Column>): string => {
  const methods = [
    ...new Set([
      ...Paper.rmse.map(({ method }) => method),
      ...columns.map(({ paper, title }) => paper ?? title),
    ]),
  ]
  return out.table(
    "simulations",
    [
      "method",
      ...simulations.flatMap((problem) => noises.flatMap((noise) => [`${problem}, ${noise}: paper`, "here"])),
    ],
    methods.map((method) => {
      const column = columns.find(({ paper, title }) => (paper ?? title) === method)
      return [
        method,
        ...simulations.flatMap((problem) =>
          noises.flatMap((noise) => {
            const printed = Paper.rmse.find(
              (one) => one.method === method && one.problem === problem && one.noise === noise,
            )
            return [
              printed === undefined ? "" : `${printed.mean} ± ${printed.sd}`,
              column === undefined ? "" : meanSd(column.rmse(problem, noise)),
            ]
          }),
        ),
      ]
    }),
  )
}

const rmseChart = (columns: ReadonlyArray<Column>) => {
  const values = simulations.flatMap((problem) =>
    noises.flatMap((noise) => [
      ...Paper.rmse
        .filter((one) => one.problem === problem && one.noise === noise)
        .map((one) => ({
          problem,
          noise: `noise ${noise}`,
          method: one.method,
          who: "paper",
          rmse: one.mean,
        })),
      ...columns.flatMap((column) => {
        const list = column.rmse(problem, noise)
        return list.length === 0
          ? []
          : [
              {
                problem,
                noise: `noise ${noise}`,
                method: column.paper ?? column.title,
                who: "here",
                rmse: mean(list),
              },
            ]
      }),
    ]),
  )
  return {
    ...look,
    // Exact formulas have errors of 1e-16 or 0, which a logarithmic axis cannot show.
    data: { values: values.map((one) => ({ ...one, rmse: Math.max(1e-4, one.rmse) })) },
    mark: { type: "point" as const, filled: true, size: 50 },
    width: 180,
    encoding: {
      column: { field: "noise", type: "nominal" as const, title: null },
      row: { field: "problem", type: "nominal" as const, title: null },
      y: { field: "method", type: "nominal" as const, title: null, sort: null },
      x: {
        field: "rmse",
        type: "quantitative" as const,
        title: "RMSE, from 1e-4",
        scale: { type: "log" as const },
        axis: { values: [1e-4, 1e-3, 1e-2, 0.1, 1, 10], format: "~g" },
      },
      color: { field: "who", type: "nominal" as const, title: null },
      shape: { field: "who", type: "nominal" as const, title: null },
    },
  }
}

/** Formulas that are judged, with their verdicts. */
const judged = () => {
  const verdicts = new Map(
    Claims.verdicts()
      .lines()
      .map(({ key, verdict }) => [key, verdict]),
  )
  return Claims.claims().flatMap((claim) => {
    const verdict = verdicts.get(Claims.keyOf(claim))
    return verdict === undefined ? [] : [{ claim, verdict }]
  })
}

type Judged = ReturnType<typeof judged>

const methodsOf = (claims: Judged): ReadonlyArray<string> => [
  ...new Set(claims.map(({ claim }) => claim.method)),
]

/** How often the set of terms is the law's, by run_peer.py's judge. */
const structural = (out: Out, claims: Judged): string => {
  if (claims.length === 0) return "Not judged yet."
  const cell = (list: Judged): string =>
    share(list.filter(({ verdict }) => verdict.structural).length, list.length)
  const nodes = (list: Judged): string => {
    const sizes = list.flatMap(({ verdict }) => verdict.nodes ?? [])
    return sizes.length === 0 ? "" : mean(sizes).toFixed(0)
  }
  return out.table(
    "structure",
    [
      "method",
      ...problems.map(({ name }) => name),
      ...noises.map((noise) => `noise ${noise}`),
      "all",
      "nodes",
    ],
    methodsOf(claims).map((method) => {
      const own = claims.filter(({ claim }) => claim.method === method)
      return [
        method,
        ...problems.map(({ name }) => cell(own.filter(({ claim }) => claim.problem === name))),
        ...noises.map((noise) => cell(own.filter(({ claim }) => claim.noise === noise))),
        cell(own),
        nodes(own),
      ]
    }),
  )
}

const structureChart = (claims: Judged) => {
  const groups = ["simulations", "Feynman equations"] as const
  const values = methodsOf(claims).flatMap((method) =>
    groups.flatMap((group) =>
      noises.flatMap((noise) => {
        const own = claims.filter(
          ({ claim }) =>
            claim.method === method &&
            claim.noise === noise &&
            simulations.includes(claim.problem) === (group === "simulations"),
        )
        const right = own.filter(({ verdict }) => verdict.structural).length
        return own.length === 0
          ? []
          : [{ method, group, noise: String(noise), share: (100 * right) / own.length }]
      }),
    ),
  )
  return {
    ...look,
    data: { values },
    mark: { type: "bar" as const },
    width: 240,
    height: { step: 7, for: "offset" as const },
    encoding: {
      column: { field: "group", type: "nominal" as const, title: null, sort: [...groups] },
      y: { field: "method", type: "nominal" as const, title: null, sort: null },
      yOffset: { field: "noise", type: "nominal" as const },
      x: {
        field: "share",
        type: "quantitative" as const,
        title: "terms are the law's, %",
        scale: { domain: [0, 100] as [number, number] },
      },
      color: { field: "noise", type: "nominal" as const, title: "noise" },
    },
  }
}

const times = (out: Out, columns: ReadonlyArray<Column>): string =>
  out.table(
    "seconds-methods",
    [
      "problem",
      "noise",
      ...columns.flatMap(({ title, paper }) => (hasSeconds(paper) ? [`${title}: paper`, title] : [title])),
    ],
    rowsOf("reduced").map(({ problem, noise }) => [
      problem,
      String(noise),
      ...columns.flatMap(({ paper, cpu }) => {
        const here = seconds(cpu(problem, noise))
        if (!hasSeconds(paper)) return [here]
        const printed = Paper.seconds.find(
          (one) => one.method === paper && one.problem === problem && one.noise === noise,
        )
        return [printed?.seconds.toFixed(0) ?? "", here]
      }),
    ]),
  )

const hasSeconds = (paper: string | undefined): boolean =>
  Paper.seconds.some(({ method }) => method === paper)

export const others = async (out: Out, arms: AllArms): Promise<string> => {
  const done = Peers.peers.flatMap((peer) =>
    Store.results<PeerCase, PeerResult>("peers", Peers.casesOf(peer)),
  )
  const columns = [...ofArms(arms), ...Peers.peers.map((peer) => ofPeer(peer, done))]
  const claims = judged()
  const capped = done.filter(({ result }) => result.capped).length
  const versions = [...new Set(done.map(({ result }) => result.version))]
  return blocks(
    "## Other systems",
    `\`npm run reproduce -- --peers\`: on the same data, one thread each. Versions: ${versions.join(", ") || "none were run yet"}.${capped === 0 ? "" : ` ${capped} runs were stopped at ten minutes of CPU time.`} PySR (which needs Julia), QLattice and DSR were not run here: only the paper's figures are shown for these.`,
    Peers.peers
      .map((peer) => {
        const runs = done.filter(({ case: one }) => one.peer === peer.name).length
        return `- **${peer.title}** (${runs} of ${Peers.casesOf(peer).length} runs, ${peer.repetitions} of each problem and noise): ${peer.about}.`
      })
      .join("\n"),
    "### Out-of-sample error of the simulations",
    "Figure rmse-barplot-simulations, Tables rmse-summary-all and sim3-rmse-summary-all.",
    rmseTable(out, columns),
    await out.chart("simulations", "Out-of-sample error of the simulations, by method", rmseChart(columns)),
    "### Recovery of the law's terms",
    "The number of runs whose set of terms is the law's, by one judge for all methods (bench/judge/judge.py --terms): terms below 0.1 % are dropped, constants inside functions are rounded to exact numbers, products are expanded; coefficients are free. VaSST has the first three seeds. This corresponds to Figures expression-recovery-simulations and expression-recovery-simulations-feynman. *nodes* is the mean number of nodes in SymPy.",
    structural(out, claims),
    claims.length === 0
      ? ""
      : await out.chart("structure", "Recovery of the law's terms, by method", structureChart(claims)),
    "### CPU seconds of all methods",
    "Table time_all_vertical has seconds of VaSST, BMS and BSR on an Apple M2. BSR has 25 of its 2,000 restarts here: its full configuration takes 80 times as long.",
    times(out, columns),
  )
}
