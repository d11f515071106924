/**
 * Writes docs/calibration.md and its picture from the simulations in bench/results/calibration and the runs in bench/results/laws:
 *
 *     npm run calibration:page
 *     npm run calibration:page -- --check     writes nothing; ends with 1 where the page or the picture is not that of the runs
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { format, resolveConfig } from "prettier"
import * as Unseen from "../../src/rank/Unseen.ts"
import * as Calibration from "../../src/testing/calibration.ts"
import type { Simulated } from "../../src/testing/simulation.ts"
import { svg } from "../harness/chart.ts"
import { lines } from "../harness/lines.ts"
import { blocks, table } from "../harness/markdown.ts"
import { options } from "../harness/options.ts"
import type { Run } from "../laws/record.ts"
import { judged as feynmanRuns } from "../feynman/results.ts"
import { picture } from "./picture.ts"
import { casesOf, crossed, fit, names } from "./weights.ts"

const { values } = options(import.meta.url, { options: { check: { type: "boolean", default: false } } })

const results = new URL("../results/", import.meta.url).pathname
const docs = new URL("../../docs/", import.meta.url).pathname

const filesOf = (folder: string): ReadonlyArray<string> =>
  existsSync(join(results, folder))
    ? readdirSync(join(results, folder))
        .toSorted()
        .map((file) => join(results, folder, file))
    : []

/** Simulations before there were places of numbers have none. */
type Recorded = Omit<Simulated, "numbers"> & Partial<Pick<Simulated, "numbers">>
const simulations = lines<Recorded>(join(results, "calibration/simulations.jsonl"))
const runs = filesOf("laws").flatMap((file) => lines<Run>(file))
const sets = [...new Set(runs.map(({ set }) => set))]

/** The best answers of a set's runs that state a probability and have a verdict. */
const judged = (set: string): ReadonlyArray<Calibration.Statement> =>
  runs
    .filter((run) => run.solver === "vasst" && run.set === set)
    .flatMap(({ answers: [best] }) =>
      best?.verdict === undefined || best.probability === null
        ? []
        : [{ probability: best.probability, right: best.verdict.law }],
    )

/** The runs of the Feynman benchmark that state a probability. */
const feynman = feynmanRuns(join(results, "feynman-vasst.jsonl")).flatMap(
  ({ noise, probability, verdict }) =>
    probability === undefined ? [] : [{ noise, probability, right: verdict.recovered }],
)
const noises = [...new Set(feynman.map(({ noise }) => noise))].toSorted((a, b) => a - b)

const cases = casesOf(join(results, "calibration/simulations.jsonl"))
const stated = Calibration.diagram(crossed(cases))
const shares = Calibration.diagram(cases.map(({ share, right }) => ({ probability: share, right })))
const benchmarks = [
  ...sets.map((set) => [`runs of the set ${set}`, Calibration.diagram(judged(set))] as const),
  ...noises.map(
    (noise) =>
      [
        `Feynman equations, ${100 * noise} % noise`,
        Calibration.diagram(feynman.filter((run) => run.noise === noise)),
      ] as const,
  ),
]
const { errors } = fit(cases)

const row = (name: string, { count, error, chance, brier, sure, sureWrong }: Calibration.Diagram) => [
  name,
  String(count),
  error.toFixed(3),
  chance.toFixed(3),
  brier.toFixed(3),
  String(sure),
  String(sureWrong),
]

const levels = simulations[0]?.bands.map(({ level }) => level) ?? []

/** Fits that have the law of data with noise: there bands are those of its fitted numbers. */
const found = simulations.filter(({ noise, answers: [first] }) => noise > 0 && first?.right === true)
/** The mean share of new rows inside the bands of a level, in percent. */
const covered = (some: typeof simulations, of: "predictive" | "credible", place: number): string =>
  ((100 * some.reduce((sum, { bands }) => sum + bands[place]![of], 0)) / Math.max(1, some.length)).toFixed(1)

/** The places of true numbers in their posterior, of fits that have the law of data with noise. */
const places = simulations.flatMap(({ numbers = [] }) => numbers)
const withNumbers = simulations.filter(({ numbers = [] }) => numbers.length > 0).length
const histogram = Calibration.places(places)
const percent = (share: number): string => (100 * share).toFixed(1)

const page = blocks(
  "# Calibration",
  "A stated probability is right if, of all laws that are stated with 70 %, 70 % are the law. This page compares the two. `npm run calibration:page` writes it.",
  "## Laws drawn from the prior",
  `A law is drawn from the prior of the default model (link, number of terms, trees), with coefficients that make each term a part of it, over 10 to 200 rows of one to three columns; every fifth table has no noise, the others 0.1 to 100 % of the standard deviation. Each is fitted with an effort of 1,000 to 1,000,000 ensembles, so that most searches are cut off. The first answer is right if its form is that of the law: its numbers can be chosen so that both are one function, and it has no more numbers. Each tenth of the ${stated.count} simulations is stated with weights of the signs from the other nine tenths ([decision 40](adr/0040-the-lead-over-simpler-laws-is-a-sign.md)); the weights that are shipped are those of all.`,
  "![Reliability diagrams of shares among the models and of stated probabilities: the second lies along the diagonal.](images/calibration.svg)",
  table(
    ["stated", "laws", "mean", "right", "95 % interval"],
    stated.bins.map(({ low, high, count, stated: mean, right, interval: [least, most] }) => [
      `${low.toFixed(1)} to ${high.toFixed(1)}`,
      String(count),
      count === 0 ? "" : mean.toFixed(2),
      count === 0 ? "" : right.toFixed(2),
      count === 0 ? "" : `${least.toFixed(2)} to ${most.toFixed(2)}`,
    ]),
  ),
  "## Summary",
  "The expected calibration error is the mean distance of stated probability and share that is right over ten bins. A share is the probability among the models that a search kept, which vasst stated before decision 31. Chance is the error that right probabilities have with so few laws.",
  table(
    [
      "statements",
      "laws",
      "calibration error",
      "of which chance",
      "Brier score",
      "above 0.99",
      "of these wrong",
    ],
    [
      row("prior draws, shares among the models", shares),
      row("prior draws, stated probabilities", stated),
      ...benchmarks.filter(([, { count }]) => count > 0).map(([name, diagram]) => row(name, diagram)),
    ],
  ),
  "Runs of benchmarks have the probabilities that the version named in the record stated; those of versions before decision 31 are shares.",
  "## Bands of prediction",
  `The bands of \`fit.predict(rows, { bands })\` on 200 new rows of each table: new responses in predictive bands, and values of the true law in credible ones, which come from the fitted numbers. Where the law was not found the credible bands are those of other laws; the last column has the ${found.length} fits of data with noise that found it.`,
  table(
    ["band, %", "responses inside, %", "values of the law inside, %", "where it was found, %"],
    levels.map((level, place) => [
      String(100 * level),
      covered(simulations, "predictive", place),
      covered(simulations, "credible", place),
      covered(found, "credible", place),
    ]),
  ),
  "## Fitted numbers",
  `Where the law of data with noise was found its fitted numbers are compared with the true ones: ${places.length} numbers of ${withNumbers} laws, by Student's t distribution with the standard errors that the table states. An interval of a level should hold the true number that often.`,
  table(
    ["interval, %", "true numbers inside, %", "95 % interval"],
    Calibration.levels.map((level) => {
      const { share, interval } = Calibration.coverage(places, level)
      return [String(100 * level), percent(share), interval.map(percent).join(" to ")]
    }),
  ),
  `The rank histogram: the true numbers by the tenth of the posterior in which they lie (simulation-based calibration; Talts et al. 2018). All tenths are as likely where standard errors are right; the test of Kolmogorov and Smirnov has p = ${histogram.uniform.pValue.toPrecision(2)}. Numbers of one law are not independent.`,
  table(
    ["tenth", ...histogram.counts.map((_, tenth) => String(tenth + 1))],
    [["true numbers", ...histogram.counts.map(String)]],
  ),
  "## Enumerable grammars",
  "Where all laws can be enumerated nothing is unseen, and the place of the truth in the posterior is uniform over draws from the model (simulation-based calibration): `test/statistical/rank/SelectedScorerCalibration.test.ts` tests this, and that a posterior that is too bold fails.",
  "## The signs and their weights",
  "The log odds that the law was seen are a sum of signs (`rank/Unseen`):",
  table(
    ["sign", "weight", "standard error"],
    names.map((name) => [name, Unseen.weights[name].toFixed(2), errors.get(name)?.toFixed(2) ?? ""]),
  ),
  "## Your own model",
  "`vasst calibrate --count 100` repeats this for the default model. `simulate` of `vasst/testing/simulation` takes the options of `Law.fit`, and `diagram` of `vasst/testing/calibration` any list of probabilities and truths.",
)

const markdown = async (file: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(file)), parser: "markdown" })

const files = [
  ["calibration.md", await markdown(join(docs, "calibration.md"), page)],
  [
    "images/calibration.svg",
    await svg(
      picture([
        ["shares among the models", shares],
        ["stated probabilities", stated],
      ]),
    ),
  ],
] as const

for (const [name, text] of files) {
  const file = join(docs, name)
  if (!values.check) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`docs/${name} is not that of the runs; npm run calibration:page writes it`)
    process.exitCode = 1
  }
}
