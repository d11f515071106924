import { blocks } from "../harness/markdown.ts"
import { placeOf, type Run } from "./record.ts"
import { isMeasured, type Measured, type ProblemSet } from "./sets.ts"
import { figures, summary } from "./summary.ts"
import { code, cut, probability, readable } from "./texts.ts"

/** Answers below this share of the best one's probability are not listed. */
const worthListing = 0.05

/** At most so many of them. */
const listed = 4

const kinds = {
  law: "This is the textbook's law.",
  more: "This is the textbook's law with further numbers or terms.",
  special: "This is a special case of the textbook's law.",
  other: "This is another law than the textbook's.",
} as const

/** The law that a set of rows leaves open: the other answers that are nearly as probable, and where the textbook's stands. */
const undecided = (run: Run): string => {
  const [best, ...rest] = run.answers
  const place = placeOf(run)
  const others = rest.filter((answer) => (answer.probability ?? 0) >= worthListing * (best?.probability ?? 1))
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
          .map((answer) => `${code(readable(answer.expression))} (${probability(answer.probability ?? 0)})`)
          .join(", ")}${others.length > listed ? `, and ${others.length - listed} more` : ""}.`
  return [textbook, open].filter((text) => text !== "").join(" ")
}

const formula = ({ formula: text, parameters }: Measured): string =>
  `${code(text)} with ${Object.entries(parameters)
    .map(([name, value]) => `${name} = ${Number(value.toPrecision(5))}`)
    .join(", ")}`

/** NIST's remarks, in words; others as they are. */
const remark = (text: string): string => {
  const [, kind, level] = /^(observed|generated), (\w+)$/.exec(text) ?? []
  const words = kind === undefined ? text : `${kind} data, ${level} level of difficulty`
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`
}

/** Several laws of a source may be about one table: then one of them at most can be its best answer. */
const sameRows = (one: Measured, set: ProblemSet): string => {
  const others = set.cases.filter(
    (other) =>
      other !== one && isMeasured(other) && JSON.stringify(other.columns) === JSON.stringify(one.columns),
  )
  return others.length === 0
    ? ""
    : `The rows are those of ${others.map(({ name }) => name).join(", ")}: at most one of these laws can be the best answer.`
}

const section = (set: ProblemSet, one: Measured, run: Run | undefined, image: string): string => {
  const rows = one.columns[one.target]!.length
  const [best] = run?.answers ?? []
  return blocks(
    `## ${one.name}`,
    [`${rows} rows.`, one.remark === undefined ? "" : remark(one.remark), sameRows(one, set)]
      .filter((text) => text !== "")
      .join(" "),
    `![${one.name}: the rows, the textbook's law, and the best answer](${image})`,
    `The textbook: ${formula(one)}.`,
    run === undefined || best === undefined
      ? cut(run?.error ?? "There is no answer yet.", 200)
      : blocks(
          `The best answer, ${best.probability === null ? "" : `with probability ${probability(best.probability)}, `}after ${run.wall.toFixed(1)} s: ` +
            `${code(readable(best.expression))}. ${kinds[best.verdict?.kind ?? "other"]}`,
          undecided(run),
        ),
  )
}

/**
 * The page of a set of measured data.
 *
 * @param runs of the set by our solver
 * @param imageOf where the picture of a case is, relative to the page
 */
export const gallery = (
  set: ProblemSet,
  runs: ReadonlyArray<Run>,
  imageOf: (name: string) => string,
): string => {
  const { first, ten, runs: count } = figures(runs)
  const [run] = runs
  return `${blocks(
    "# Measured data",
    `Written by \`npm run laws:page\` from the runs of \`npm run laws -- --set ${set.name}\`. Each table was given to \`vasst fit DATA --target NAME --time ${run?.budget ?? "SECONDS"}\`
with no other option. An answer is the textbook's law where both are one family of functions, whatever the values of their numbers
([decision 26](adr/0026-a-law-is-a-family-of-functions.md)). Sources: ${set.source}.`,
    runs.length === 0
      ? "No runs yet."
      : `**The textbook's law is the best answer for ${first} of ${count} sets, and among the ten best for ${ten}.** ${run!.budget < 30 ? `These are short runs, of at most ${run!.budget} s on a busy machine.` : ""}`,
    runs.length === 0 ? "" : summary(runs),
    ...set.cases.filter(isMeasured).map((one) =>
      section(
        set,
        one,
        runs.find((each) => each.case === one.name),
        imageOf(one.name),
      ),
    ),
  )}\n`
}
