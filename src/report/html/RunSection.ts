import * as redacted from "../../internal/redacted.ts"
import * as Progress from "../Progress.ts"
import * as Table from "../Table.ts"
import * as Charts from "./Charts.ts"
import { type Html, html, name, shortened, table } from "./Html.ts"
import * as LawSection from "./LawSection.ts"
import { figure, type Run, type Section } from "./Section.ts"

/** Columns whose summary is shown. */
const shown = 40

const number = (value: number | undefined): string => Table.significant(value ?? Number.NaN, 5)

/** How the search came to its law. */
export const search = async (run: Run): Promise<Section> => {
  const { trace } = run.record
  const { stopReason, steps, seconds } = run.document
  const ended = html`<p>
    It ended after ${steps.toLocaleString("en")}
    steps${seconds === null ? "" : ` and ${Progress.duration(seconds)}`} (${stopReason}).
  </p>`
  const sought = trace?.objective === "log posterior"
  const traces = (
    trace?.searches ?? (trace === null ? [] : [{ group: undefined, points: trace.points }])
  ).filter(({ points }) => points.length > 0)
  /** A line without a step says nothing. */
  const moving = traces.filter(({ points }) => points.some(([, value]) => value !== points[0]![1]))
  if (trace === null || (trace.searches === undefined && moving.length === 0))
    return {
      id: "search",
      title: "The search",
      body: html`${ended}
      ${trace === null ? "" : html`<p class="note">The first step found the best score.</p>`}`,
    }
  const { along, objective } = trace
  /** The rows of a search over groups. */
  const rowsOf = (group: string | null | undefined): string =>
    group === undefined
      ? ""
      : group === null
        ? " on the rows of all groups"
        : ` on the rows of ${shortened(group)}`
  const figures: Array<Html> = []
  for (const [k, { group, points }] of moving.entries())
    figures.push(
      await figure(
        run,
        Charts.trace(
          k === 0 ? "trace" : `trace-${k}`,
          `The ${objective} over ${along}${rowsOf(group)}.`,
          { title: along, values: points.map(([at]) => at), format: "~s" },
          { title: objective, values: points.map(([, value]) => value) },
          sought,
        ),
        group === undefined
          ? sought
            ? "The best score so far over the ensembles scored. Scores of the search are approximate; the ranking is exact."
            : "The objective of each step."
          : `The search${rowsOf(group)}.`,
        table(
          `the ${objective} over ${along}`,
          [along, objective],
          points.slice(-40).map(([at, value]) => [at.toLocaleString("en"), value.toFixed(2)]),
        ),
      ),
    )
  return {
    id: "search",
    title: "The search",
    body: html`
      ${ended}
      ${
        trace.searches === undefined
          ? ""
          : html`<p>
                Searches of single groups, and of the rows of all together, have found forms; the ranking
                compares these by the evidence of all groups. Scores of searches are approximate, and of their
                own rows.
              </p>
              ${table(
                "searches",
                ["rows", along, "best score", "found after"],
                traces.map(({ group, points }) => {
                  const [scored, best] = points.at(-1)!
                  const [found] = points.find(([, value]) => value === best)!
                  return [
                    group === null || group === undefined ? "all groups" : name(group),
                    scored.toLocaleString("en"),
                    best.toFixed(2),
                    found.toLocaleString("en"),
                  ]
                }),
              )}`
      }
      <div class="figures">${figures}</div>
    `,
  }
}

export const data = ({ record }: Run): Section => {
  const { columns, rows, width, numbers, testFraction, left = [], name: file } = record.data
  const of = { target: "target", feature: "", error: "standard errors", weights: "weights", group: "groups" }
  return {
    id: "data",
    title: "The data",
    body: html`
      <p>
        ${name(file)} has ${rows.toLocaleString("en")} rows, of which ${width.toLocaleString("en")} columns
        were read.
        ${
          testFraction > 0
            ? `${Table.significant(100 * testFraction, 3)} % of the rows were set aside to test the laws on; pictures have all rows.`
            : "All rows were fitted."
        }
        ${
          numbers.length < rows
            ? `This report has a sample of ${numbers.length.toLocaleString("en")} rows, drawn at random, with the rows that are probably wrong.`
            : ""
        }
        ${columns.length < width ? `It has the ${columns.length - 1} columns likeliest to be in the law.` : ""}
      </p>
      ${left.map((line) => html`<p>${LawSection.capital(line)}.</p>`)}
      ${table(
        "columns with their quantiles over all rows",
        ["column", "unit", "least", "lower quartile", "median", "upper quartile", "most", "values"],
        columns
          .slice(0, shown)
          .map((one) => [
            html`${name(one.name)}${of[one.role] === "" ? "" : html` <span class="note">${of[one.role]}</span>`}`,
            one.unit === null ? "" : shortened(one.unit),
            ...(one.role === "group" ? ["", "", "", "", ""] : one.quantiles.map(number)),
            one.distinct.toLocaleString("en"),
          ]),
      )}
    `,
  }
}

/** A text as one word of a POSIX shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The command, the settings, and the versions. Records that earlier versions have written may have a password. */
export const reproduce = ({ document, record }: Run): Section => ({
  id: "reproduce",
  title: "How to reproduce it",
  body: html`
    <pre dir="ltr">
npx vasst@${record.program} ${redacted.args(record.command).map((word, at) => html`${at === 0 ? "" : " "}<span class="word">${quoted(shortened(word, 2000))}</span>`)}</pre>
    <p>
      ${
        document.seconds === null
          ? "A limit of effort and a seed give the same result on every machine."
          : html`The seed gives the same search everywhere; a limit of time may end it elsewhere on another
              machine. Add <code class="word">--effort</code> for a result that does not depend on the
              machine.`
      }
    </p>
    ${table(
      "the run",
      ["setting", "value"],
      [
        ["vasst", record.program],
        ["objective", document.objective],
        ["backend", document.backend],
        ["seed", document.seed],
        ["steps", document.steps.toLocaleString("en")],
        ["ended by", document.stopReason],
        ...(document.seconds === null ? [] : [["time", Progress.duration(document.seconds)]]),
        ...(document.unseen === null
          ? []
          : [
              ["ensembles scored", document.unseen.scored.toLocaleString("en")],
              ["restarts that agree", `${document.unseen.agreeing} of ${document.unseen.restarts}`],
              ["terms all scored up to", `${document.unseen.exhausted} nodes`],
            ]),
        ["laws ranked", document.models.length.toLocaleString("en")],
      ],
    )}
  `,
})
