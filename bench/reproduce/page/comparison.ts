/** The columns beside each other: recovery, errors, complexity, time; and what each part of the method contributes. */
import { look } from "../../harness/chart.ts"
import { blocks } from "../../harness/markdown.ts"
import { signTest } from "../../harness/statistics.ts"
import * as Paper from "../paper.ts"
import { type AllArms, at, models, otherwise, type Ran, type Row, rowsOf } from "./arms.ts"
import { meanSd, seconds, share } from "./numbers.ts"
import type { Out } from "./out.ts"

const columns = (arms: AllArms): ReadonlyArray<Ran> => [
  arms.untrained,
  arms.many,
  arms.published,
  arms.tuned,
  arms.collapsed,
  arms.law,
]

const rowName = ({ problem, noise }: Row): ReadonlyArray<string> => [problem, String(noise)]

const foundIn = (arm: Ran, row: Row): string => {
  const list = models(arm, at(arm, row))
  return share(list.filter(({ found }) => found).length, list.length)
}

const aloneIn = (arm: Ran, row: Row): string => {
  const list = models(arm, at(arm, row))
  return share(list.filter(({ alone }) => alone).length, list.length)
}

const paperRecovery = ({ problem, noise }: Row): string => Paper.recovery("VaSST", problem, noise) ?? ""

const paperRmse = ({ problem, noise }: Row): string => {
  const of = <A extends { readonly problem: string; readonly noise: number; readonly method: string }>(
    list: ReadonlyArray<A>,
  ): A | undefined =>
    list.find((one) => one.method === "VaSST" && one.problem === problem && one.noise === noise)
  const repeated = of(Paper.rmse)
  if (repeated !== undefined) return `${repeated.mean.toFixed(4)} ± ${repeated.sd.toFixed(4)}`
  return String(of(Paper.expressions)?.rmse ?? "")
}

const paperSeconds = ({ problem, noise }: Row): string =>
  Paper.seconds
    .find((one) => one.method === "VaSST" && one.problem === problem && one.noise === noise)
    ?.seconds.toFixed(0) ?? ""

const tableOf = (
  out: Out,
  name: string,
  rows: ReadonlyArray<Row>,
  list: ReadonlyArray<Ran>,
  cell: (arm: Ran, row: Row) => string,
  paper?: (row: Row) => string,
): string =>
  out.table(
    name,
    ["problem", "noise", ...(paper === undefined ? [] : ["paper"]), ...list.map(({ title }) => title)],
    rows.map((row) => [
      ...rowName(row),
      ...(paper === undefined ? [] : [paper(row)]),
      ...list.map((arm) => cell(arm, row)),
    ]),
  )

const rmseOf =
  (which: "rmseTest" | "rmseTrain") =>
  (arm: Ran, row: Row): string =>
    meanSd(models(arm, at(arm, row)).map((model) => model[which]))

const size = (arm: Ran, row: Row): string => {
  const list = models(arm, at(arm, row)).map(({ complexity }) => complexity)
  return list.length === 0 ? "" : (list.reduce((sum, c) => sum + c, 0) / list.length).toFixed(1)
}

const cpu = (arm: Ran, row: Row): string => seconds(at(arm, row).map(({ result }) => result.cpu))

/** How two columns compare on the same data. */
interface Pairs {
  /** runs in which only the second found the law, only the first, and all that both have */
  readonly gained: number
  readonly lost: number
  readonly both: number
  /** of the two-sided sign test */
  readonly p: number
  /** whether the second found more in most of what the test counts */
  readonly more: boolean
}

/**
 * Laws that two columns found on the same data. Noise levels share features and draws, reduced variables are made of the raw
 * ones: runs of one problem and seed count as one in the test, for the column that found more in them.
 */
const pairs = (a: Ran, b: Ran): Pairs => {
  const found = (arm: Ran) =>
    new Map(
      arm.done.flatMap(({ case: one, result }) => {
        const model = arm.model(result)
        const sample = `${one.problem} ${one.seed}`
        return model === undefined
          ? []
          : [[`${sample} ${one.features} ${one.noise}`, { sample, found: model.found }] as const]
      }),
    )
  const [before, after] = [found(a), found(b)]
  const shared = [...before].flatMap(([key, was]) => {
    const is = after.get(key)
    return is === undefined ? [] : [{ sample: was.sample, change: Number(is.found) - Number(was.found) }]
  })
  const samples = new Map<string, number>()
  for (const { sample, change } of shared) samples.set(sample, (samples.get(sample) ?? 0) + change)
  const count = (changes: Iterable<number>, sign: 1 | -1): number =>
    [...changes].filter((change) => Math.sign(change) === sign).length
  const changes = shared.map(({ change }) => change)
  const [better, worse] = [count(samples.values(), 1), count(samples.values(), -1)]
  return {
    gained: count(changes, 1),
    lost: count(changes, -1),
    both: shared.length,
    p: signTest(better, worse),
    more: better > worse,
  }
}

const total = (arm: Ran): string => {
  const list = models(arm)
  return share(list.filter(({ found }) => found).length, list.length)
}

const within = (arm: Ran): string =>
  share(arm.done.filter(({ result }) => result.within).length, arm.done.length)

const changes = (arms: AllArms): ReadonlyArray<readonly [what: string, from: Ran, to: Ran]> => {
  const { untrained, many, published, tuned, collapsed, law } = arms
  return [
    ["training as published", untrained, published],
    ["ten times the draws in place of training", published, many],
    ["the best rate, temperature and restarts", published, tuned],
    ["ranking the untrained draws by another evidence (hyper-g/n)", untrained, otherwise(untrained)],
    ["ranking the published draws by another evidence (hyper-g/n)", published, otherwise(published)],
    ["searching hard trees in place of relaxing them, same model", published, collapsed],
    ["the model that ships in place of the paper's, both searched", collapsed, law],
  ]
}

/** What the differing pairs say, in words. */
const verdict = ({ p, more }: Pairs): string => {
  if (p >= 0.05) return "no significant difference"
  return more ? "the change finds more" : "the change finds fewer"
}

const contributions = (out: Out, arms: AllArms): string => {
  const compared = changes(arms).map(([what, from, to]) => ({ what, from, to, all: pairs(from, to) }))
  const drawn = models(arms.untrained)
  const sentences = [
    `Ranking 2,000 draws from the untrained family finds the law in ${share(drawn.filter(({ found }) => found).length, drawn.length) || "-"} runs.`,
    ...compared
      .filter(({ all }) => all.both > 0)
      .map(
        ({ what, all }) =>
          `${what[0]!.toUpperCase()}${what.slice(1)}: of ${all.both} pairs, ${all.gained} find the law only with the change, ${all.lost} only without; ${verdict(all)}.`,
      ),
  ]
  return blocks(
    sentences.map((sentence) => `- ${sentence}`).join("\n"),
    out.table(
      "contributions",
      ["change", "from", "to", "pairs", "found with it only", "found without it only", "p"],
      compared.map(({ what, from, to, all }) => [
        what,
        from.title,
        to.title,
        String(all.both),
        String(all.gained),
        String(all.lost),
        all.both === 0 ? "" : all.p.toPrecision(2),
      ]),
    ),
  )
}

const chart = (arms: AllArms) => {
  const list = columns(arms)
  const values = rowsOf("reduced").flatMap((row) =>
    list.flatMap((arm, order) => {
      const found = models(arm, at(arm, row))
      return found.length === 0
        ? []
        : [
            {
              problem: row.problem,
              noise: `noise ${row.noise}`,
              arm: arm.title,
              order,
              found: (100 * found.filter((model) => model.found).length) / found.length,
            },
          ]
    }),
  )
  return {
    ...look,
    data: { values },
    mark: { type: "bar" as const },
    width: 560,
    height: 130,
    encoding: {
      row: { field: "noise", type: "nominal" as const, title: null },
      x: { field: "problem", type: "nominal" as const, title: null, sort: null, axis: { labelAngle: 0 } },
      xOffset: { field: "arm", type: "nominal" as const, sort: list.map(({ title }) => title) },
      y: {
        field: "found",
        type: "quantitative" as const,
        title: "law found, %",
        scale: { domain: [0, 100] as [number, number] },
      },
      color: {
        field: "arm",
        type: "nominal" as const,
        title: null,
        sort: list.map(({ title }) => title),
        legend: { labelLimit: 300 },
      },
    },
  }
}

export const comparison = async (out: Out, arms: AllArms): Promise<string> => {
  const list = columns(arms)
  const reduced = rowsOf("reduced")
  const raw = rowsOf("raw")
  const onRaw = list.filter((arm) => arm !== arms.many)
  return blocks(
    "## The columns",
    list
      .map(
        ({ title, about, done, planned }) => `- **${title}** (${done.length} of ${planned} runs): ${about}.`,
      )
      .join("\n"),
    `Laws found over all runs of a column: ${[...list, otherwise(arms.untrained), otherwise(arms.published)]
      .map((arm) => `${arm.title} ${total(arm) || "-"}`)
      .join(", ")}. The law is somewhere among the ranked ensembles in ${[
      arms.untrained,
      arms.published,
      arms.many,
    ]
      .map((arm) => `${within(arm) || "-"} (${arm.title})`)
      .join(
        ", ",
      )}. In all other runs the law was not drawn; in the runs between the two counts it was drawn and ranked below another model.`,
    "### What each part contributes",
    `Pairs are runs on the same data with the same seed. p is the two-sided sign test over problems and seeds: the
runs of one problem and seed share their data, and count as one run for the column that found more laws.`,
    contributions(out, arms),
    "### Recovery",
    "Figures expression-recovery-simulations and expression-recovery-simulations-feynman. They have no numbers: column *paper* is from the paper's text.",
    await out.chart("recovery", "Laws found by problem and noise", chart(arms)),
    tableOf(
      out,
      "recovery",
      reduced,
      [...list, otherwise(arms.untrained), otherwise(arms.published)],
      foundIn,
      paperRecovery,
    ),
    "The law alone, without a spurious term:",
    tableOf(out, "recovery-alone", reduced, list, aloneIn),
    "### Root mean square error out of sample",
    "Mean and standard deviation over the repetitions; the paper has ten of the simulations and one of each Feynman problem, whose ranges it does not state.",
    tableOf(out, "rmse-test", reduced, list, rmseOf("rmseTest"), paperRmse),
    "### In sample",
    tableOf(out, "rmse-train", reduced, list, rmseOf("rmseTrain")),
    "### Complexity",
    "Nodes of the distinct trees, mean over the repetitions. The paper does not report complexity.",
    tableOf(out, "complexity", reduced, list, size),
    "### Seconds",
    "CPU seconds of one fit and its ranking on one core, without the start of the process; the paper's figures are seconds of a run on an Apple M2 (Table time_all_vertical).",
    tableOf(out, "seconds", reduced, list, cpu, paperSeconds),
    "## Raw variables",
    "The same laws in the variables before the reduction: four or five features in place of two or three, same operators, K and D. sim1, sim2 and ADA have no reduction. The paper has no such figures.",
    "Laws found:",
    tableOf(out, "raw-recovery", raw, onRaw, foundIn),
    "Out-of-sample error:",
    tableOf(out, "raw-rmse-test", raw, onRaw, rmseOf("rmseTest")),
    "CPU seconds:",
    tableOf(out, "raw-seconds", raw, onRaw, cpu),
  )
}
