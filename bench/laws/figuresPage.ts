import { blocks, table } from "../harness/markdown.ts"
import { placeOf, type Run } from "./record.ts"
import { caseOf, type ProblemSet, setOf } from "./sets.ts"
import { beside as besidePublished, groups, summary } from "./summary.ts"
import { code, cut, probability, readable } from "./texts.ts"

const titles: Readonly<Record<string, string>> = {
  "srsd-easy": "Laws in physical units, easy",
  "srsd-medium": "Laws in physical units, medium",
  "srsd-hard": "Laws in physical units, hard",
  measured: "Measured data",
  "measured-more": "More measured data, held out",
  "class-sr": "Laws over groups",
  dso: "Published problems of symbolic regression",
}

const kinds = { law: "the law", more: "law and more", special: "special case", other: "another" } as const

/** The runs of our solver that did not find the law. */
const misses = (set: ProblemSet, runs: ReadonlyArray<Run>): string => {
  const missed = runs.filter((run) => run.solver === "vasst" && placeOf(run) !== 1)
  return missed.length === 0
    ? ""
    : table(
        ["case", "noise", "law", "best answer", "which is", "probability", "place of the law"],
        missed.map((run) => {
          const [best] = run.answers
          return [
            run.case,
            String(run.noise),
            code(caseOf(set, run.case).formula),
            best === undefined ? cut(run.error ?? run.stop) : code(cut(readable(best.expression))),
            best === undefined ? "" : kinds[best.verdict?.kind ?? "other"],
            best === undefined || best.probability === null ? "" : probability(best.probability),
            String(placeOf(run) ?? ""),
          ]
        }),
      )
}

const share = (runs: ReadonlyArray<Run>): string =>
  runs.length === 0
    ? ""
    : String(Math.round((100 * runs.filter((run) => placeOf(run) === 1).length) / runs.length))

/** Our recovery beside the published one, case by case. */
const beside = (set: ProblemSet, runs: ReadonlyArray<Run>): string => {
  const systems = [...new Set(set.cases.flatMap(({ published = {} }) => Object.keys(published)))]
  return systems.length === 0
    ? ""
    : blocks(
        "Recovery in percent of runs, case by case; published figures where they are known.",
        table(
          ["case", "vasst", ...systems],
          set.cases.map(({ name, published = {} }) => [
            name,
            share(runs.filter((run) => run.solver === "vasst" && run.case === name && run.noise === 0)),
            ...systems.map((system) => String(published[system] ?? "")),
          ]),
        ),
      )
}

const section = (set: ProblemSet, runs: ReadonlyArray<Run>): string =>
  blocks(
    `## ${titles[set.name] ?? set.name}`,
    `${set.cases.length} cases. ${set.source}.`,
    runs.length === 0 ? `Not measured yet: \`npm run laws -- --set ${set.name}\`.` : summary(runs),
    runs.length === 0 ? "" : beside(set, runs),
    runs.length === 0 || set.published === undefined ? "" : besidePublished(set.published, runs),
    runs.length === 0 ? "" : misses(set, runs),
  )

const versions = (runs: ReadonlyArray<Run>): string =>
  [...new Set(runs.map(({ solver, by }) => `${solver}: ${by}`))]
    .map((text) => `- ${text}, ${runs.filter((run) => `${run.solver}: ${run.by}` === text).length} runs`)
    .join("\n")

/**
 * The page of figures.
 *
 * @param names of the sets, in the order of the page
 */
export const figuresPage = (names: ReadonlyArray<string>, runs: ReadonlyArray<Run>): string => {
  const short = groups(runs).some(([run]) => run!.budget < 30)
  return `${blocks(
    "# Laws of measured data and in physical units",
    `Written by \`npm run laws:page\` from the runs of \`npm run laws\`. Each table was given to one command, \`vasst fit DATA --target NAME --time SECONDS\`,
with no other option, and one setting for all. Noise is in proportion to the target. Without noise an answer is the law where the difference or
the ratio to the formula is a constant, numbers right to three significant digits; with noise, and on measured data, where it is the same family of functions
([decision 26](adr/0026-a-law-is-a-family-of-functions.md)). On the published problems it has to be the formula itself.`,
    short
      ? "Runs of less than 30 s are short ones, on a busy machine: they show that the program runs, and are no record."
      : "",
    "_First hit_: seconds until the form of the answer was first reported as the best, at the end at the latest, of runs that found the law. _Wall_ and _CPU_: from the start of the process to its end. All are medians.",
    runs.some(({ solver }) => solver !== "vasst")
      ? "Other systems had the same rows and seconds and one processor, in the configurations of bench/peers/laws.py (`pyoperon_mdl` is Operon by minimum description length, `rils` is rils-rols, `bms` the Bayesian machine scientist). They give one formula each and state no probability; their protected operations are read as the plain ones."
      : "",
    ...names.map((name) =>
      section(
        setOf(name),
        runs.filter((run) => run.set === name),
      ),
    ),
    runs.length === 0 ? "" : "## Versions",
    versions(runs),
  )}\n`
}
