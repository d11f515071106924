import * as Table from "../Table.ts"
import type { Column } from "../Record.ts"
import * as Axis from "./Axis.ts"
import * as Charts from "./Charts.ts"
import type { Point } from "./Draw.ts"
import { titled, sampled, wrongRows } from "./FitSection.ts"
import { type Html, html, shortened, table } from "./Html.ts"
import { figure, type Run, type Section } from "./Section.ts"
import * as Typeset from "./Typeset.ts"
import { level, type Rows } from "./Values.ts"
import { pow } from "../../numeric/Power.ts"

/** Columns that have a picture, places along each, and groups whose own laws are drawn. */
const [pictured, places, grouped] = [6, 61, 30]
/** Columns of less probability come after the others. */
const least = 0.02

const number = (value: number): string => Table.significant(value, 5)

/** Values along a column, from its least to its largest. */
const gridOf = (column: Column): Float64Array => {
  const low = column.values.reduce((a, b) => Math.min(a, b), Infinity)
  const high = column.values.reduce((a, b) => Math.max(a, b), -Infinity)
  const logarithmic = Axis.isLogarithmic(column.values)
  return Float64Array.from({ length: places }, (_, k) => {
    const share = k / (places - 1)
    // The ends are those of the data to the last digit: a law may have no value beyond.
    if (k === 0) return low
    if (k === places - 1) return high
    return logarithmic ? low * pow(high / low, share) : low + (high - low) * share
  })
}

/** Rows on which one column has values, and the others their medians. */
const along = ({ values }: Run, column: Column, at: Float64Array, group: number): Rows => ({
  columns: values.features.map(({ name, quantiles }) => ({
    name,
    values: name === column.name ? at : new Float64Array(at.length).fill(quantiles[2]!),
  })),
  count: at.length,
  groups: new Int32Array(at.length).fill(group),
  errors: undefined,
})

/** The observations as they would be with the medians of the other columns: the law's value there, and the same residual. */
const moved = (run: Run, column: Column): Float64Array => {
  const { values } = run
  const { rows, law } = values
  const here = values.bestOn({
    ...along(run, column, Float64Array.from(column.values), -1),
    groups: rows.groups,
    count: rows.count,
  })
  return Float64Array.from(values.target.values, (observed, row) =>
    here[row] === law[row] ? observed : values.moved(observed, law[row]!, here[row]!),
  )
}

const cell = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? Axis.rounded(value) : null

const pictureOf = async (run: Run, column: Column, index: number): Promise<Html> => {
  const { values, document, record } = run
  const { target } = values
  const at = gridOf(column)
  const rows = along(run, column, at, -1)
  const law = values.bestOn(rows)
  const found = values.predictOn(rows)
  const [bands] = found?.bands ?? []
  const grid: Array<Point> = Array.from(at, (x, k) => ({
    x: Axis.rounded(x),
    y: cell(law[k]),
    low: cell(bands?.predictive.low[k]),
    high: cell(bands?.predictive.high[k]),
    credibleLow: cell(bands?.credible.low[k]),
    credibleHigh: cell(bands?.credible.high[k]),
  }))
  const labels = (document.best.groups?.groups ?? []).slice(0, grouped)
  const groups = labels.flatMap((_, group) =>
    Array.from(values.bestOn(along(run, column, at, group)), (y, k): Point => ({
      x: Axis.rounded(at[k]!),
      y: cell(y),
      group,
    })),
  )
  const observed = moved(run, column)
  // A band that reaches below 0 has no place on a logarithmic scale, and decides that there is none.
  const ends = [bands?.predictive.low, bands?.predictive.high].flatMap((one) => Array.from(one ?? []))
  const reached = values.features.some((one) => one.name !== column.name && values.read.includes(one.name))
  return figure(
    run,
    Charts.band(
      `band-${index}`,
      `${shortened(target.name)} along ${shortened(column.name)}: the law, its bands, and the data.`,
      { title: titled(column), values: column.values },
      { title: titled(target), values: [...law, ...ends, ...observed] },
      {
        grid,
        groups,
        values: Charts.points(column.values, observed, wrongRows(run)),
      },
    ),
    html`Along
    ${Typeset.variable(column.name)}.${
      reached
        ? " The other columns have their medians; each point is an observation moved there, with its own residual."
        : ""
    }${groups.length === 0 ? "" : ` Thin lines are the laws of ${labels.length === record.data.labels?.length ? "the groups" : `the first ${labels.length} groups`}; the bands are those of a group that was not there.`}`,
    table(
      `along ${shortened(column.name)}`,
      [shortened(column.name, 24), "law", `credible ${100 * level} %`, `predictive ${100 * level} %`],
      grid
        .filter((_, k) => k % 6 === 0)
        .map((one) => {
          const range = (low: Point[string] | undefined, high: Point[string] | undefined): string =>
            typeof low === "number" && typeof high === "number" ? `${number(low)} to ${number(high)}` : "-"
          return [
            number(Number(one["x"])),
            typeof one["y"] === "number" ? number(one["y"]) : "-",
            range(one["credibleLow"], one["credibleHigh"]),
            range(one["low"], one["high"]),
          ]
        }),
    ),
  )
}

/** The law along each column, those that it may have first. */
export const bands = async (run: Run): Promise<Section> => {
  const { document, values } = run
  const probable = new Map(document.inclusion.columns.map((one) => [one.name, one.probability]))
  const columns = values.features.filter(({ quantiles }) => quantiles[0] !== quantiles[4])
  const mayHave = ({ name }: Column): boolean =>
    values.read.includes(name) || (probable.get(name) ?? 0) >= least
  const ordered = [...columns.filter(mayHave), ...columns.filter((column) => !mayHave(column))]
  const chosen = ordered.slice(0, pictured)
  const figures: Array<Html> = []
  for (const [index, column] of chosen.entries()) figures.push(await pictureOf(run, column, index))
  const banded = document.best.law !== null
  return {
    id: "bands",
    title: "Along each column",
    body: html`
      <p>
        ${
          banded
            ? html`<span class="key" style="background:var(--credible)"></span>where the law is, with
                ${100 * level} % probability, over all laws that were ranked;
                <span class="key" style="background:var(--predictive)"></span>where a new observation is. The
                line is the best law.`
            : "The line is the best law. It has no noise scale, and so there are no bands."
        }${sampled(run)}
        ${columns.length > pictured ? ` Of ${columns.length} columns the ${pictured} likeliest to be in the law are drawn.` : ""}
      </p>
      <div class="figures">${figures}</div>
    `,
  }
}
