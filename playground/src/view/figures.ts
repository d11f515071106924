import { html, nothing, type TemplateResult } from "lit-html"
import type { FinalLaw, Outcome } from "../engine/Messages.ts"
import type { Actions, State } from "../State.ts"
import { plot } from "./plot.ts"

/** The axis of a plot that is none of the columns. */
const byLaw = "value of the law"

const units = ({ settings, table }: State, column: string): string => {
  const unit = settings.units[column] ?? table?.look.columns.find(({ name }) => name === column)?.unit ?? ""
  return unit.trim() === "" ? column : `${column} [${unit.trim()}]`
}

/** The axes that a user may choose from: the columns that the law reads first. */
const axesOf = ({ text }: FinalLaw, { points }: Outcome): ReadonlyArray<string> => {
  const names = Object.keys(points.columns)
  const read = (name: string): number => (text.includes(name) ? 0 : 1)
  return [...names.toSorted((a, b) => read(a) - read(b)), byLaw]
}

/** The law through the data, or the data against the law; and the residuals. */
export const figures = (
  state: State,
  outcome: Outcome,
  actions: Actions,
): TemplateResult | typeof nothing => {
  const law = outcome.laws[state.chosen]
  if (law === undefined || state.width === 0) return nothing
  const { points, target } = outcome
  const { values, curve } = law.drawn
  const axes = axesOf(law, outcome)
  const axis = state.axis ?? axes[0] ?? byLaw
  const gap = 24
  // Two plots beside each other where there is room for both.
  const width = state.width > 720 ? Math.floor((state.width - gap) / 2) : state.width
  const residuals = points.y.map((value, row) =>
    law.relative ? value / values[row]! - 1 : value - values[row]!,
  )
  const against = axis === byLaw ? values : points.columns[axis]!
  const choose = (event: Event): void =>
    // The listener is that of the element below.
    actions.show({ axis: (event.currentTarget as HTMLSelectElement).value })
  return html`<section aria-labelledby="figures-title">
    <div class="bar-title">
      <h2 id="figures-title">The law and the data</h2>
      <label class="inline"
        >Residuals along
        <select .value=${axis} @change=${choose}>
          ${axes.map((name) => html`<option value=${name} ?selected=${name === axis}>${name}</option>`)}
        </select>
      </label>
    </div>
    <div class="figures">
      ${
        curve === undefined
          ? plot({
              name: "law",
              title: "Measured against the law",
              description: `${target} as measured against the value of the law, ${points.y.length} rows; they agree on the diagonal`,
              x: values,
              y: points.y,
              xLabel: `${units(state, target)} by the law`,
              yLabel: `${units(state, target)}, measured`,
              reference: "diagonal",
              same: true,
              width,
            })
          : plot({
              name: "law",
              title: `${target} along ${curve.column}${curve.low === undefined ? "" : ", 90 % band"}`,
              description: `${target} along ${curve.column}: ${points.y.length} rows as points, and the law as a curve with the band that holds 90 % of new values`,
              x: points.columns[curve.column]!,
              y: points.y,
              xLabel: units(state, curve.column),
              yLabel: units(state, target),
              curve,
              width,
            })
      }
      ${plot({
        name: "residuals",
        title: law.relative ? "Residuals, relative to the law" : "Residuals",
        description: `${target} less the value of the law along ${axis}`,
        x: against,
        y: residuals,
        xLabel: axis === byLaw ? `${units(state, target)} by the law` : units(state, axis),
        yLabel: law.relative ? "measured / law − 1" : "measured − law",
        reference: "zero",
        width,
      })}
    </div>
  </section>`
}
