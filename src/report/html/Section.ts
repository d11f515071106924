import type { Operator } from "../../expr/Operator.ts"
import type { Document } from "../DocumentSchema.ts"
import type { Record } from "../Record.ts"
import type { Chart } from "./Draw.ts"
import { details, type Html, html, type Part } from "./Html.ts"
import type { Values } from "./Values.ts"

/** Everything that a section of a report is made of. */
export interface Run {
  readonly document: Document
  readonly record: Record
  readonly values: Values
  /** operators of the user's own, which formulas may have */
  readonly operators: ReadonlyArray<Operator>
  readonly draw: (chart: Chart) => Promise<Html>
}

/** A part of a report with a heading. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** A picture with its caption, and its data as a table that opens on request. */
export const figure = async (
  { draw }: Pick<Run, "draw">,
  chart: Chart,
  caption: Part,
  table: Part,
): Promise<Html> =>
  html`<figure>
    ${await draw(chart)}
    <figcaption>${caption}</figcaption>
    ${details("as a table", table)}
  </figure> `

/** Shares of probability as bars, largest first. */
export const bars = (
  rows: ReadonlyArray<{
    readonly what: Part
    readonly probability: number
    readonly kind?: "rest" | "unseen"
  }>,
  text: (probability: number) => string,
): Html =>
  html`<ul class="bars">
    ${rows.map(
      ({ what, probability, kind }) =>
        html`<li class="${kind ?? "own"}">
          <div class="what" tabindex="0" role="group" aria-label="part">${what}</div>
          <div class="share">${text(probability)}</div>
          <div class="track">
            <span
              class="bar"
              style="width:${(100 * Math.min(1, Math.max(0, probability))).toFixed(2)}%"
            ></span>
          </div>
        </li> `,
    )}
  </ul>`
