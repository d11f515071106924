import { latex } from "../../src/expr/text/latex.ts"
import { latexName } from "../../src/expr/text/latexName.ts"
import * as Term from "../../src/expr/Term.ts"
import { blocks } from "../harness/markdown.ts"
import { placeOf, type Run } from "./record.ts"
import { isMeasured, type Measured, type ProblemSet } from "./sets.ts"
import { figures, summary } from "./summary.ts"
import { code, cut, probability, readable, termOf } from "./texts.ts"

/** Answers below this share of the best one's probability are not listed. */
const leastShare = 0.05

/** The most answers that are listed. */
const listed = 4

const kinds = {
  law: "This is the textbook's law.",
  more: "This is the textbook's law with further numbers or terms.",
  special: "This is a special case of the textbook's law.",
  other: "This is another law than the textbook's.",
} as const

/** The law that a set of rows leaves open: the other answers that are nearly as probable, and where the textbook's stands. */
const undecided = ({ target }: Measured, run: Run): string => {
  const [best, ...rest] = run.answers
  const place = placeOf(run)
  const others = rest.filter((answer) => (answer.probability ?? 0) >= leastShare * (best?.probability ?? 1))
  const textbook =
    place === undefined
      ? "The textbook's law is not among the ten best answers."
      : place === 1
        ? ""
        : `The textbook's law is answer ${place}, with probability ${probability(run.answers[place - 1]?.probability ?? 0)}.`
  const open =
    others.length === 0
      ? "No other answer has more than a twentieth of its probability."
      : `Also probable: ${others
          .slice(0, listed)
          .map((answer) => `${answered(target, answer.expression)} (${probability(answer.probability ?? 0)})`)
          .join(", ")}${others.length > listed ? `, and ${others.length - listed} more` : ""}.`
  return [textbook, open].filter((text) => text !== "").join(" ")
}

/** Longer formulas are wider than a small screen: a fraction of mathematics has no place to break, a text has. */
const wide = 70

/** A formula in mathematics, where it is one of this library, and not long; its text otherwise. */
const mathematics = (target: string, term: Term.Term | undefined, text: string): string =>
  term === undefined || text.length > wide ? code(text) : `$${latexName(target)} = ${latex(term)}$`

const answered = (target: string, expression: string): string =>
  mathematics(target, termOf(readable(expression)), readable(expression))

const known = ({ name, target, formula, parameters }: Measured): string =>
  `${mathematics(target, termOf(formula), formula)} (${name}) with ${Object.entries(parameters)
    .map(
      ([number, value]) => `$${latexName(number)} = ${latex(Term.constant(Number(value.toPrecision(5))))}$`,
    )
    .join(", ")}.`

const generated = ({ remark = "" }: Measured): boolean => remark.startsWith("generated")

/** NIST's remarks, in words; others as they are. */
const remarked = (text: string): string => {
  const [, kind, level] = /^(observed|generated), (\w+)$/.exec(text) ?? []
  const words = kind === undefined ? text : `${kind} data, ${level} level of difficulty`
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`
}

/** Of two runs on the same rows that whose answers are nearer to the law that it was judged by. */
const nearest = (one: Run | undefined, other: Run | undefined): Run | undefined => {
  const place = (run: Run | undefined): number => (run === undefined ? Infinity : (placeOf(run) ?? 100))
  return place(other) < place(one) ? other : one
}

/** A table, with the laws that its sources have for it, and a run. */
interface Table {
  readonly laws: readonly [Measured, ...ReadonlyArray<Measured>]
  readonly source: string
  readonly run: Run | undefined
}

/** The tables of some sets: several laws of a source may be about one. Measured rows come before generated ones. */
const tablesOf = (sets: ReadonlyArray<ProblemSet>, runs: ReadonlyArray<Run>): ReadonlyArray<Table> => {
  const tables = new Map<string, Table>()
  for (const set of sets)
    for (const one of set.cases.filter(isMeasured)) {
      const rows = JSON.stringify(one.columns)
      const same = tables.get(rows)
      const run = runs.find((each) => each.set === set.name && each.case === one.name)
      tables.set(
        rows,
        same === undefined
          ? { laws: [one], source: one.source ?? set.source, run }
          : { ...same, laws: [...same.laws, one], run: nearest(same.run, run) },
      )
    }
  const all = [...tables.values()]
  return [...all.filter(({ laws }) => !generated(laws[0])), ...all.filter(({ laws }) => generated(laws[0]))]
}

const section = ({ laws, source, run }: Table, imageOf: (name: string) => string): string => {
  const [one] = laws
  const rows = one.columns[one.target]!.length
  const best = run?.answers[0]
  return blocks(
    `## ${laws.map(({ name }) => name).join(", ")}`,
    [
      `${rows} rows.`,
      ...(one.remark === undefined ? [] : [remarked(one.remark)]),
      `Source: ${source}.`,
      ...(laws.length === 1
        ? []
        : [`The source has ${laws.length} laws for these rows: one at most can be right.`]),
    ].join(" "),
    `![${one.name}: the rows, the textbook's law, and the best answer](${imageOf(one.name)})`,
    `**The textbook:** ${laws.map(known).join(" ")}`,
    run === undefined || best === undefined
      ? cut(run?.error ?? "There is no answer yet.", 200)
      : blocks(
          `**Our answer**${best.probability === null ? "" : `, with probability ${probability(best.probability)}`}, after ${run.wall.toFixed(1)} s: ` +
            `${answered(one.target, best.expression)}. ${kinds[best.verdict?.kind ?? "other"].replace("textbook's law", laws.length === 1 ? "textbook's law" : `law of ${run.case}`)}`,
          `**What the data cannot decide:** ${undecided(one, run)}`,
          run.says === undefined ? "" : `The run says: ${run.says.map((text) => `_${text}_`).join("; ")}.`,
        ),
  )
}

/**
 * The page of sets of measured data. The first set is there as a whole, of the others the tables that have a run.
 *
 * @param runs of the sets by our solver
 * @param imageOf where the picture of a case is, relative to the page
 */
export const gallery = (
  sets: ReadonlyArray<ProblemSet>,
  runs: ReadonlyArray<Run>,
  imageOf: (name: string) => string,
): string => {
  const { first, ten, runs: count } = figures(runs)
  const [whole] = sets
  const tables = tablesOf(sets, runs)
  const shown = tables.filter(({ run: own, laws }) => own !== undefined || whole?.cases.includes(laws[0]))
  const measured = shown.filter(({ laws }) => !generated(laws[0]))
  const waiting = tables.filter((one) => !shown.includes(one))
  return `${blocks(
    "# Gallery of measured data",
    `${measured.length} tables of measured rows and ${shown.length - measured.length} of generated ones, each with the law that its source has for it, our answer, and what the rows leave open.
Each table was given to \`vasst fit DATA --target NAME --time SECONDS\` with no other option; \`npm run laws:page\` wrote this page and its pictures from the runs of
\`npm run laws\`. An answer is the textbook's law where both are one family of functions, whatever the values of their numbers ([decision 26](adr/0026-a-law-is-a-family-of-functions.md)).`,
    runs.length === 0
      ? "No runs yet."
      : `**The textbook's law is the best answer in ${first} of ${count} runs, and among the ten best in ${ten}.** ${runs.some(({ budget }) => budget < 30) ? "Runs of less than 30 s are short ones, on a busy machine." : ""}`,
    runs.length === 0 ? "" : summary(runs),
    ...shown.map((table) => section(table, imageOf)),
    waiting.length === 0
      ? ""
      : `## Not run yet\n\n${waiting.map(({ laws }) => laws.map(({ name }) => name).join(", ")).join(", ")}.`,
  )}\n`
}
