/**
 * Writes docs/feynman.md and its picture from judged results:
 *
 *     node bench/feynman/table.ts [FILE.jsonl ...] [--out docs/feynman.md]
 *     node bench/feynman/table.ts --grammar         prints the grammar, for forms.py
 *
 * By default the files are bench/results/{feynman,paper}-*.jsonl. The failures listed are those of the solver `vasst`. The
 * tables of the search without its parts are of bench/results/ablations.jsonl.gz. Runs of vasst with the time of other solvers stand beside
 * these (feynman-vasst-30.jsonl), those with the longest time alone.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { options } from "../harness/options.ts"
import { format, resolveConfig } from "prettier"
import { save } from "../harness/chart.ts"
import { blocks, number, table } from "../harness/markdown.ts"
import { ablations } from "./ablation.ts"
import { benchmarks, equation } from "./equations.ts"
import { inexpressible } from "./forms.ts"
import { picture } from "./picture.ts"
import { distinct, type Judged, judged, summary } from "./results.ts"
import { grammar } from "./grammar.ts"

const { values, positionals } = options(import.meta.url, {
  allowPositionals: true,
  options: { out: { type: "string" }, grammar: { type: "boolean", default: false } },
})

const results = new URL("../results/", import.meta.url).pathname

const files = (): ReadonlyArray<string> =>
  positionals.length > 0
    ? positionals
    : readdirSync(results)
        .filter((name) => /^(feynman|paper)-/.test(name) && !name.endsWith(".judged.jsonl"))
        .map((name) => join(results, name))

const or = (value: number | undefined, text: (value: number) => string): string =>
  value === undefined ? "" : text(value)
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`
const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

/** Constants to five digits, names without quotes. */
const readable = (text: string): string =>
  text
    .replaceAll(/Symbol\('([^']*)'\)/g, "$1")
    .replaceAll(/\d+\.\d+(e[+-]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(5))))

const byNoise = (runs: ReadonlyArray<Judged>): string =>
  table(
    [
      "solver",
      "noise",
      "runs",
      "recovered",
      "share",
      "SRBench's rounding",
      "form only",
      "R2 > 0.999",
      "median R2",
      "seconds to hit",
      "at most",
      "seconds",
      "nodes",
    ],
    distinct(runs.map(({ solver }) => solver)).flatMap((solver) =>
      distinct(runs.map(({ noise }) => noise))
        .toSorted((a, b) => a - b)
        .map((noise) => runs.filter((run) => run.solver === solver && run.noise === noise))
        .filter((list) => list.length > 0)
        .map((list) => {
          const one = summary(list)
          return [
            solver,
            String(list[0]!.noise),
            String(one.runs),
            String(one.recovered),
            percent(one.recovered, one.runs),
            or(one.srbench, String),
            String(one.form),
            percent(one.close, one.runs),
            or(one.medianR2, (value) => value.toFixed(6)),
            or(one.hit?.median, number),
            or(one.hit?.largest, number),
            number(one.medianSeconds),
            or(one.medianNodes, String),
          ]
        }),
    ),
  )

/** Runs of other solvers, and those of vasst that had as many seconds as one of them. */
const sameTime = (runs: ReadonlyArray<Judged>): ReadonlyArray<Judged> => {
  const others = runs.filter(({ solver }) => solver !== "vasst")
  const given = new Set(others.map(({ budget }) => budget))
  return [...others, ...runs.filter(({ solver, budget }) => solver === "vasst" && given.has(budget))]
}

/** Runs of problems that all solvers were given; none where there is one solver. */
const shared = (runs: ReadonlyArray<Judged>): ReadonlyArray<Judged> => {
  const solvers = distinct(runs.map(({ solver }) => solver))
  const given = solvers.map((solver) => new Set(runs.filter((run) => run.solver === solver).map(problemOf)))
  return solvers.length < 2
    ? []
    : runs.filter((run) => given.every((problems) => problems.has(problemOf(run))))
}

const problemOf = ({ equation, noise, seed }: Judged): string => `${equation} ${noise} ${seed}`

/** All solvers on the problems that all of them were given. */
const together = (common: ReadonlyArray<Judged>, image: string): ReadonlyArray<string> => {
  const solvers = distinct(common.map(({ solver }) => solver))
  const names = distinct(common.map(({ equation }) => equation))
  const noises = distinct(common.map(({ noise }) => noise)).toSorted((a, b) => a - b)
  return [
    "## Comparison with other systems",
    `All systems had the same problems, rows and one processor: equations drawn by lot (${names.join(", ")}) at noise ${noises.join(" and ")}.
Configurations: bench/peers/feynman.py (\`pyoperon_mdl\` is Operon in its best configuration, by
minimum description length).`,
    image,
    table(
      [
        "solver",
        "at most, s",
        "runs",
        "recovered",
        ...noises.map((noise) => `at ${noise}`),
        "form only",
        "R2 > 0.999",
        "median seconds",
        "nodes",
      ],
      solvers.map((solver) => {
        const list = common.filter((run) => run.solver === solver)
        const one = summary(list)
        return [
          solver,
          budgets(list),
          String(one.runs),
          String(one.recovered),
          ...noises.map((noise) => {
            const { recovered, runs } = summary(list.filter((run) => run.noise === noise))
            return `${recovered}/${runs}`
          }),
          String(one.form),
          percent(one.close, one.runs),
          number(one.medianSeconds),
          or(one.medianNodes, String),
        ]
      }),
    ),
  ]
}

const failures = (runs: ReadonlyArray<Judged>): string =>
  table(
    ["equation", "noise", "seed", "truth", "result", "R2", "reason"],
    runs
      .filter(({ verdict }) => !verdict.recovered)
      .map((run) => [
        run.equation,
        String(run.noise),
        String(run.seed),
        code(equation(benchmarks[run.set], run.equation).formula),
        run.expression === "" ? "-" : code(readable(run.expression)),
        run.r2 === null ? "-" : run.r2.toFixed(6),
        run.error ?? run.verdict.reason.replaceAll("|", "\\|"),
      ]),
  )

const paperTable = (runs: ReadonlyArray<Judged>): string =>
  table(
    ["solver", "problem", "noise", "recovered", "median seconds to hit", "at most"],
    distinct(runs.map(({ solver }) => solver)).flatMap((solver) =>
      benchmarks.paper.equations.flatMap(({ name }) =>
        distinct(runs.map(({ noise }) => noise))
          .toSorted((a, b) => a - b)
          .map((noise) =>
            runs.filter((run) => run.solver === solver && run.equation === name && run.noise === noise),
          )
          .filter((list) => list.length > 0)
          .map((list) => {
            const one = summary(list)
            const hit = [or(one.hit?.median, number), or(one.hit?.largest, number)]
            return [solver, name, String(list[0]!.noise), `${one.recovered}/${one.runs}`, ...hit]
          }),
      ),
    ),
  )

/** All problems and noise levels together. */
const inAll = (runs: ReadonlyArray<Judged>): string => {
  const one = summary(runs)
  const hit = one.hit === undefined ? "" : `, found in ${number(one.hit.median)} s (median)`
  return `In total ${one.recovered} of ${one.runs} recovered${hit}.`
}

const unrecorded = "versions that were not recorded"

/** The versions of the runs, and their noise levels. */
const versions = (runs: ReadonlyArray<Judged>): string =>
  distinct(runs.map(({ by = unrecorded }) => by))
    .map((by) => {
      const own = runs.filter((run) => (run.by ?? unrecorded) === by)
      const noises = distinct(own.map(({ noise }) => noise)).toSorted((a, b) => a - b)
      return `- ${by}: ${own.length} runs, noise ${noises.join(", ")}`
    })
    .join("\n")

const budgets = (runs: ReadonlyArray<Judged>): string =>
  distinct(runs.map(({ budget }) => budget)).join(" or ")

const main = async (): Promise<void> => {
  const runs = files().flatMap(judged)
  const feynman = runs.filter(({ set }) => set === "feynman")
  const paper = runs.filter(({ set }) => set === "paper")
  const own = feynman.filter(({ solver }) => solver === "vasst")
  const longest = Math.max(...own.map(({ budget }) => budget))
  const ours = own.filter(({ budget }) => budget === longest)
  const missing = inexpressible(grammar)
  const parts = ablations()
  const out = values.out ?? new URL("../../docs/feynman.md", import.meta.url).pathname
  const common = shared(sameTime(feynman))
  /** Draws runs of the same problems, and returns where the page shows them. */
  const drawn = async (list: ReadonlyArray<Judged>, suffix: string): Promise<ReadonlyArray<string>> => {
    if (list.length === 0) return []
    const image = join(dirname(out), "images", `${basename(out, ".md")}${suffix}`)
    await save(image, picture(list))
    return [`![Recovery against noise and against time](${relative(dirname(out), image)}.svg)`]
  }
  const [whole, beside] = [await drawn(ours, ""), await drawn(common, "-peers")]
  const page = blocks(
    "# The Feynman equations",
    `Written by \`npm run feynman:table\` from the runs of \`npm run feynman\` and the verdicts of \`bench/judge/judge.py\`. All
${benchmarks.feynman.equations.length} equations of the main set of the Feynman Symbolic Regression Database with their ranges, 1800 rows to fit and 200 without
noise to test; noise is a share of the root mean square of the target. One set of operators for all: ${grammar.operators.join(", ")}.
One processor and at most ${budgets(ours) || "60"} s each.`,
    `_Recovered_ is SRBench's definition: the difference to the truth, or the ratio, simplifies to a constant, learned constants
rounded to three significant digits. _SRBench's rounding_ is the same definition as in SRBench's program: three decimal places, whatever the
size, and 0 for numbers below 0.0001; it misses laws with 9.870 for pi^2, and laws whose signs SymPy cannot decide. _Form only_: the law, but for its constants. _Seconds to hit_: the median over recovered runs of
the time at which the law entered the archive. _Nodes_ is the median size of the expressions as SymPy counts it.`,
    ...(ours.length > 0 ? [byNoise(ours)] : []),
    ...whole,
    ...beside.flatMap((image) => together(common, image)),
    ...(parts.length > 0
      ? [
          "## Contributions of the parts of the search",
          `The search without each of its parts, and in the last three tables without several parts that can replace each other. _Lost_: found by the whole search and
not by this one; _gained_: found by this one only. Differences of two or three are within the variation over seeds. The runs are those by which the parts
of the search were chosen, before the figures above; they are in \`bench/results/ablations.jsonl.gz\`.`,
          ...parts,
        ]
      : []),
    "## Laws outside the grammar",
    missing,
    ...(ours.length > 0 ? ["## Failures", failures(ours)] : []),
    ...(paper.length > 0
      ? [
          "## The paper's problems",
          `Raw variables, the same operators, at most ${budgets(paper)} s, ten seeds.`,
          `The noise is a standard deviation, whatever the size of y, as in the paper: Coulomb's law (CL) is weaker than its noise. ${inAll(paper)}`,
          paperTable(paper),
        ]
      : []),
    "## Versions",
    versions(runs.filter(({ solver }) => solver === "vasst")),
  )
  const style = { ...(await resolveConfig(out)), parser: "markdown" }
  writeFileSync(out, await format(`${page}\n`, style))
}

if (values.grammar) console.log(JSON.stringify(grammar))
else if (!existsSync(results) && positionals.length === 0) throw new Error(`there is no folder ${results}`)
else await main()
