import * as Table from "../Table.ts"
import type * as Axis from "./Axis.ts"
import * as Charts from "./Charts.ts"
import { type Html, html, name, shortened, table } from "./Html.ts"
import { capital, noise } from "./LawSection.ts"
import { figure, type Run, type Section } from "./Section.ts"
import * as Typeset from "./Typeset.ts"
import * as Values from "./Values.ts"

/** Rows that tables show, columns that have a picture, and rows whose bands are computed to count the rows within. */
const [listed, pictured, counted] = [40, 8, 300]

const number = (value: number | null | undefined): string =>
  value === null || value === undefined ? "-" : Table.significant(value, 5)

/** A column's title with its unit. */
export const titled = ({
  name: own,
  unit,
}: {
  readonly name: string
  readonly unit: string | null
}): string => (unit === null ? own : `${shortened(own, 30)} [${unit}]`)

/** The places of the rows that the best law calls wrong. */
export const wrongRows = ({ document, record }: Run): ((row: number) => boolean) => {
  const wrong = new Set(document.best.noise?.wrongRows.map(({ row }) => row))
  return (row) => wrong.has(record.data.numbers[row]!)
}

/** How many rows a picture draws, in words. */
export const sampled = ({ record: { data } }: Run): string => {
  const count = data.numbers.length
  const drawn = Math.min(count, Charts.most)
  if (drawn === data.rows) return ""
  return ` ${drawn.toLocaleString("en")} of ${data.rows.toLocaleString("en")} rows are drawn.`
}

const residualTitle = ({ standard }: Values.Values): string =>
  standard ? "residual / sigma" : "observed less predicted"

/** The share of rows within their predictive bands. */
const covered = ({ values }: Run): string => {
  const { count } = values.rows
  const chosen = Array.from({ length: Math.min(count, counted) }, (_, k) =>
    Math.floor((k * count) / Math.min(count, counted)),
  )
  const [bands] = values.predictOn(Values.pick(values.rows, chosen))?.bands ?? []
  if (bands === undefined) return ""
  const inside = chosen.filter((row, k) => {
    const observed = values.target.values[row]!
    return bands.predictive.low[k]! <= observed && observed <= bands.predictive.high[k]!
  }).length
  return ` ${inside} of ${chosen.length} rows lie within their ${100 * Values.level}\u00a0% predictive bands.`
}

const wrongTable = ({ document: { best } }: Run): Html | string => {
  const rows = best.noise?.wrongRows ?? []
  if (rows.length === 0) return ""
  return html`<div class="warn">
      <p>
        ${rows.length === 1 ? "One row is" : `${rows.length} rows are`} probably wrong: the law with its noise
        does not explain ${rows.length === 1 ? "it" : "them"}. Look there first.
      </p>
    </div>
    ${table(
      "rows that are probably wrong, counted from 1 without the header",
      ["row", "observed", "the law says", "standard deviations", "probability"],
      rows
        .slice(0, listed)
        .map(({ row, value, law, sigmas, probability }) => [
          row,
          number(value),
          number(law),
          number(sigmas),
          Table.probability(probability),
        ]),
    )}`
}

/** Rows with their predictions, those farthest from the law first. */
const farthest = ({ values, record }: Run): Html => {
  const { residuals, law, target } = values
  const order = Array.from(residuals.keys())
    .filter((row) => Number.isFinite(residuals[row]!))
    .toSorted((a, b) => Math.abs(residuals[b]!) - Math.abs(residuals[a]!))
  return table(
    `the ${Math.min(listed, order.length)} rows farthest from the law`,
    ["row", "observed", "predicted", residualTitle(values)],
    order
      .slice(0, listed)
      .map((row) => [
        record.data.numbers[row]!,
        number(target.values[row]),
        number(law[row]),
        Table.significant(residuals[row]!, 3),
      ]),
  )
}

/** Predictions against observations, with the errors, and what is wrong with the fit. */
export const fit = async (run: Run): Promise<Section> => {
  const { document, record, values } = run
  const { best, target, unseen } = document
  const misfit = unseen?.text.filter((line) => line.startsWith("misfit")) ?? []
  const undefinedRows = values.law.filter((value) => !Number.isFinite(value)).length
  const axis = (title: string, own: ArrayLike<number>): Axis.Axis => ({ title, values: own })
  const chart = Charts.predicted(
    "predicted",
    `Observed over predicted ${shortened(target)} on ${values.rows.count} rows, with the line on which they are equal.`,
    axis("predicted", values.law),
    axis(`observed ${shortened(titled(values.target), 28)}`, values.target.values),
    Charts.points(values.law, values.target.values, wrongRows(run)),
  )
  return {
    id: "fit",
    title: "How well it fits",
    body: html`
      ${noise(document).map((line) => html`<p>${capital(line)}.</p>`)}
      ${misfit.map((line) => html`<div class="warn"><p>${capital(line)}.</p></div>`)}
      ${
        undefinedRows === 0
          ? ""
          : html`<div class="warn"><p>The law has no finite value on ${undefinedRows} of the rows.</p></div>`
      }
      ${wrongTable(run)}
      <div class="pair">
        ${await figure(
          run,
          chart,
          html`Observed against predicted; on the line they are equal.${covered(run)}${sampled(run)}`,
          farthest(run),
        )}
        ${table(
          "root mean square errors",
          ["of", name(target)],
          [
            ["the rows fitted", number(best.rmseTrain)],
            ["each row by the others (leave-one-out)", number(best.rmseLoo)],
            ...(record.data.testFraction > 0 ? [["the rows set aside", number(best.rmseTest)]] : []),
          ],
        )}
      </div>
    `,
  }
}

/** The middle of residuals in five parts of a column, each with as many rows. */
const parts = (along: ArrayLike<number>, residuals: Float64Array, title: string): Html => {
  const order = Array.from(residuals.keys())
    .filter((row) => Number.isFinite(residuals[row]!) && Number.isFinite(along[row]!))
    .toSorted((a, b) => along[a]! - along[b]!)
  const count = Math.min(5, order.length)
  return table(
    "residuals in parts of the rows, along the column",
    [shortened(title, 24), "rows", "median residual", "most below", "most above"],
    Array.from({ length: count }, (_, k) => {
      const own = order.slice(
        Math.floor((k * order.length) / count),
        Math.floor(((k + 1) * order.length) / count),
      )
      const sorted = own.map((row) => residuals[row]!).toSorted((a, b) => a - b)
      return [
        `${number(along[own[0]!])} to ${number(along[own.at(-1)!])}`,
        own.length,
        Table.significant(sorted[Math.floor(sorted.length / 2)]!, 3),
        Table.significant(sorted[0]!, 3),
        Table.significant(sorted.at(-1)!, 3),
      ]
    }),
  )
}

/** Residuals against the order of the rows and each column. */
export const residuals = async (run: Run): Promise<Section> => {
  const { record, values } = run
  const along = [
    { name: "row", title: "row of the table", own: record.data.numbers },
    ...values.features
      .slice(0, pictured)
      .map((one) => ({ name: one.name, title: titled(one), own: one.values })),
  ]
  const left = record.data.width - 1 - Math.min(pictured, values.features.length)
  const y: Axis.Axis = { title: residualTitle(values), values: values.residuals }
  const figures: Array<Html> = []
  for (const [k, one] of along.entries())
    figures.push(
      await figure(
        run,
        Charts.residuals(
          `residuals-${k}`,
          `Residuals along ${shortened(one.name)}.`,
          { title: one.title, values: one.own, counts: k === 0 },
          y,
          Charts.points(one.own, values.residuals, wrongRows(run)),
        ),
        html`Residuals along ${k === 0 ? "the order of the rows" : Typeset.variable(one.name)}.`,
        parts(one.own, values.residuals, one.name),
      ),
    )
  return {
    id: "residuals",
    title: "Residuals",
    body: html`
      <p>
        If the law holds, residuals are noise around 0 whatever they are drawn along: a bend or a trend is a
        sign of a law that is missing something.${sampled(run)}
        ${left > 0 && values.features.length > pictured ? ` The ${pictured} columns likeliest to be in the law are drawn; ${left} are not.` : ""}
      </p>
      <div class="figures">${figures}</div>
    `,
  }
}
