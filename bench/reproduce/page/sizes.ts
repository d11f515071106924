/** The appendices: the ablation over K and D, gradient variance, parameters, the time of a pass; and run time against rows. */
import { look } from "../../harness/chart.ts"
import { blocks } from "../../harness/markdown.ts"
import { median } from "../../harness/statistics.ts"
import type {
  FitCase,
  FitResult,
  GradientCase,
  GradientResult,
  PeerCase,
  PeerResult,
  Variance,
} from "../case.ts"
import * as Experiments from "../experiments.ts"
import { figure, sampleCounts, temperatures } from "../gradient.ts"
import * as Paper from "../paper.ts"
import * as Peers from "../peers.ts"
import * as Store from "../store.ts"
import { meanSd, seconds, share } from "./numbers.ts"
import type { Out } from "./out.ts"

const { sizes } = Experiments

const ablationOf = (out: Out, problem: string): string => {
  const load = (trained: boolean) =>
    Store.results<FitCase, FitResult>("ablation", Experiments.ablation(trained))
  const [trained, untrained] = [load(true), load(false)]
  const rows = sizes.flatMap((trees) =>
    sizes.map((depth) => {
      const of = (list: ReadonlyArray<Store.Done<FitCase, FitResult>>) =>
        list
          .filter(
            ({ case: { settings, problem: name } }) =>
              name === problem && settings.trees === trees && settings.depth === depth,
          )
          .map(({ result }) => result)
      const paper = Paper.ablation.find(
        (one) => one.problem === problem && one.trees === trees && one.depth === depth,
      )
      const [with_, without] = [of(trained), of(untrained)]
      const found = (list: ReadonlyArray<FitResult>): string =>
        share(list.filter(({ best }) => best.found).length, list.length)
      return [
        String(trees),
        String(depth),
        String(paper?.rmse ?? ""),
        meanSd(with_.map(({ best }) => best.rmseTest)),
        found(with_),
        meanSd(without.map(({ best }) => best.rmseTest)),
        found(without),
        String(paper?.seconds ?? ""),
        seconds(with_.map(({ cpu }) => cpu)),
        seconds(without.map(({ cpu }) => cpu)),
      ]
    }),
  )
  return out.table(
    `ablation-${problem}`,
    [
      "K",
      "D",
      "paper: RMSE",
      "published: RMSE",
      "found",
      "untrained: RMSE",
      "found",
      "paper: s",
      "published: s",
      "untrained: s",
    ],
    rows,
  )
}

export const ablation = (out: Out): string =>
  blocks(
    "## Ablation over K and D",
    "Tables ablation-I_13_12 and ablation-II_2_42: noise 0.1, operators +, ×, / and ×, -, /. The paper has one run of each; here are three runs with training and three without.",
    "CPE:",
    ablationOf(out, "CPE"),
    "FTC:",
    ablationOf(out, "FTC"),
  )

type Gradient = Store.Done<GradientCase, GradientResult>

const middle = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : median(values)

const varianceAt = (
  runs: ReadonlyArray<Gradient>,
  depth: number,
  wanted: Pick<Variance, "trained" | "temperature" | "samples">,
  which: "coordinate" | "total",
): number | undefined =>
  middle(
    runs
      .filter(({ case: one }) => one.depth === depth)
      .flatMap(({ result }) => result.variances)
      .filter(
        (one) =>
          one.trained === wanted.trained &&
          one.temperature === wanted.temperature &&
          one.samples === wanted.samples,
      )
      .map((one) => one[which]),
  )

const short = (value: number | undefined): string => (value === undefined ? "" : value.toPrecision(3))

const states = [
  { trained: false, name: "before training", temperature: figure.before },
  { trained: true, name: "after training", temperature: figure.after },
] as const

const line = (values: ReadonlyArray<object>, x: string, y: string, title: string) => ({
  width: 220,
  height: 180,
  data: { values: [...values] },
  mark: { type: "line" as const, point: true },
  encoding: {
    x: { field: x, type: "ordinal" as const, title: x, axis: { labelAngle: 0 } },
    y: { field: y, type: "quantitative" as const, title, scale: { type: "log" as const } },
    color: { field: "state", type: "nominal" as const, title: null, sort: null },
  },
})

/** Total variance before training against the temperature, a line for each depth, a panel for each number of samples. */
const gridChart = (runs: ReadonlyArray<Gradient>) => ({
  ...look,
  data: {
    values: sizes.flatMap((depth) =>
      sampleCounts.flatMap((samples) =>
        temperatures.flatMap((temperature) => {
          const total = varianceAt(runs, depth, { trained: false, temperature, samples }, "total")
          return total === undefined ? [] : [{ D: depth, samples: `S = ${samples}`, temperature, total }]
        }),
      ),
    ),
  },
  mark: { type: "line" as const, point: true },
  width: 150,
  height: 160,
  encoding: {
    column: { field: "samples", type: "nominal" as const, title: null, sort: null },
    x: { field: "temperature", type: "quantitative" as const, title: "temperature" },
    y: {
      field: "total",
      type: "quantitative" as const,
      title: "total variance, before training",
      scale: { type: "log" as const },
    },
    color: { field: "D", type: "ordinal" as const },
  },
})

export const gradients = async (out: Out): Promise<string> => {
  const runs = Store.results<GradientCase, GradientResult>("gradients", Experiments.gradients())
  const at = (depth: number) => runs.filter(({ case: one }) => one.depth === depth)
  const { samples } = figure
  const byDepth = sizes.flatMap((depth) =>
    states.flatMap(({ trained, name, temperature }) => {
      const passes = at(depth).map(({ result }) => (trained ? result.pass.after : result.pass.before))
      const wanted = { trained, temperature, samples }
      return passes.length === 0
        ? []
        : [
            {
              D: depth,
              state: name,
              pass: middle(passes),
              coordinate: varianceAt(runs, depth, wanted, "coordinate"),
              total: varianceAt(runs, depth, wanted, "total"),
            },
          ]
    }),
  )
  const grid = sizes.flatMap((depth) =>
    temperatures.map((temperature) => [
      String(depth),
      String(temperature),
      ...sampleCounts.flatMap((count) =>
        states.map(({ trained }) =>
          short(varianceAt(runs, depth, { trained, temperature, samples: count }, "total")),
        ),
      ),
    ]),
  )
  return blocks(
    "## Parameters, the time of a pass, and gradient variance",
    `The appendix on computational scaling: CPE, K = 3, operators +, ×, /, noise 0.2, n = 2,000 rows to fit, R = 100 gradients; medians over ${Math.max(
      0,
      ...sizes.map((depth) => at(depth).length),
    )} of 5 repetitions, each with its own data, initial values and noise. A pass is forward and backward with S = 8, in milliseconds of CPU time. The figures cpu_runtime and gradvar_diagnostics have no numbers to compare with.`,
    out.table(
      "passes",
      ["D", "parameters, paper", "parameters", "pass before training, ms", "pass after training, ms"],
      sizes.map((depth) => [
        String(depth),
        String(Paper.parameters.find((one) => one.depth === depth)?.count ?? ""),
        String(at(depth)[0]?.result.parameters ?? ""),
        short(middle(at(depth).map(({ result }) => result.pass.before))),
        short(middle(at(depth).map(({ result }) => result.pass.after))),
      ]),
    ),
    `One sample per gradient, at the initial (${figure.before}) and final (${figure.after}) temperature of the training, as far as the paper states these; \`coordinate\` is the mean over coordinates, \`total\` the sum (Eq. var-summary):`,
    out.table(
      "gradient-variance",
      ["D", "state", "temperature", "coordinate", "total"],
      sizes.flatMap((depth) =>
        states.map(({ trained, name, temperature }) => [
          String(depth),
          name,
          String(temperature),
          short(varianceAt(runs, depth, { trained, temperature, samples }, "coordinate")),
          short(varianceAt(runs, depth, { trained, temperature, samples }, "total")),
        ]),
      ),
    ),
    byDepth.length === 0
      ? ""
      : await out.chart("gradients", "Time of a pass and gradient variance against depth", {
          ...look,
          hconcat: [
            line(byDepth, "D", "pass", "pass, ms"),
            line(byDepth, "D", "coordinate", "mean variance of a coordinate"),
            line(byDepth, "D", "total", "total variance"),
          ],
        }),
    "Total variance against depth, temperature and samples (b: before training, a: after):",
    out.table(
      "gradient-variance-grid",
      ["D", "temperature", ...sampleCounts.flatMap((count) => [`S = ${count}, b`, `S = ${count}, a`])],
      grid,
    ),
    runs.length === 0
      ? ""
      : await out.chart("gradient-variance", "Total gradient variance against temperature", gridChart(runs)),
  )
}

export const scaling = async (out: Out): Promise<string> => {
  const ours = Store.results<FitCase, FitResult>("scaling", Experiments.scaling())
  const theirs = Store.results<PeerCase, PeerResult>("peers-scaling", Peers.scaling(Experiments.rows))
  const of = (peer: string, n: number): ReadonlyArray<number> =>
    theirs.filter(({ case: one }) => one.peer === peer && one.rows === n).map(({ result }) => result.cpu)
  const vasst = (n: number): ReadonlyArray<number> =>
    ours.filter(({ case: one }) => one.rows === n).map(({ result }) => result.cpu)
  // BSR runs 25 of the paper's 2,000 restarts.
  const methods = [
    { name: "VaSST", cpu: vasst },
    { name: "BMS", cpu: (n: number) => of("bms", n) },
    { name: "BSR (all restarts, extrapolated)", cpu: (n: number) => of("bsr", n).map((s) => 80 * s) },
  ]
  const values = methods.flatMap(({ name, cpu }) =>
    Experiments.rows.flatMap((n) => cpu(n).map((value) => ({ n, seconds: value, method: name }))),
  )
  return blocks(
    "## Run time against rows",
    "Figure runtime_boxplot: sim1 without noise, n rows of which 90 % are fitted, ten repetitions of VaSST as published and one of each other system. CPU seconds; the figure has no numbers.",
    out.table(
      "scaling",
      ["n", ...methods.map(({ name }) => name)],
      Experiments.rows.map((n) => [String(n), ...methods.map(({ cpu }) => seconds(cpu(n)))]),
    ),
    values.length === 0
      ? ""
      : await out.chart("scaling", "CPU seconds against rows", {
          ...look,
          width: 320,
          height: 220,
          data: { values },
          mark: { type: "point", filled: true },
          encoding: {
            x: { field: "n", type: "ordinal", title: "rows", axis: { labelAngle: 0 } },
            y: { field: "seconds", type: "quantitative", title: "CPU seconds", scale: { type: "log" } },
            color: {
              field: "method",
              type: "nominal",
              title: null,
              sort: null,
              legend: { labelLimit: 300 },
            },
          },
        }),
  )
}
