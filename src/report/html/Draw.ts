import * as vega from "vega"
import { expressionInterpreter } from "vega-interpreter"
import { compile, type TopLevelSpec } from "vega-lite"
import { escape, type Html, markup } from "./Html.ts"

/** A picture as data, and its text. */
export interface Chart {
  /** its identifier in the page */
  readonly id: string
  /** what it shows, for readers who do not see it */
  readonly alternative: string
  readonly spec: Spec
}

/** The parts of a Vega-Lite specification that are not the same for all pictures; fields of data have fixed names, those of a user are titles. */
export type Spec = Pick<Extract<TopLevelSpec, { layer: unknown }>, "layer"> & {
  readonly height?: number
  readonly data?: { readonly values: Array<Point> }
}

/** A row of the data of a picture. */
export type Point = { [field: string]: number | string | null }

/** The width of pictures, that of the narrowest screens, on which they are not scaled. */
const width = 328
const height = 248

/** Colours are variables of the page's style, so that a picture follows the colour scheme. */
const config = {
  background: "transparent",
  font: "system-ui, sans-serif",
  // A description is the page's.
  aria: false,
  view: { stroke: "transparent" },
  axis: {
    labelColor: "var(--soft)",
    titleColor: "var(--ink)",
    gridColor: "var(--grid)",
    domainColor: "var(--axis)",
    tickColor: "var(--axis)",
    labelFontSize: 11,
    titleFontSize: 12,
    titleFontWeight: "normal",
    tickCount: 5,
    // Widths are estimated by half as much again as texts have.
    titleLimit: 340,
    labelOverlap: true,
  },
  line: { strokeCap: "round" },
} as const

/** The whole specification of a picture, as a Vega-Lite editor takes it. */
export const specification = ({ spec, alternative }: Chart): TopLevelSpec => ({
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  description: alternative,
  width,
  height,
  autosize: { type: "fit", contains: "padding" },
  padding: 4,
  ...spec,
  config,
})

/** A picture as SVG, which scales with its place and has no script. */
export const draw = async (chart: Chart): Promise<Html> => {
  const { spec } = compile(specification(chart), {
    logger: vega.logger(vega.None),
  })
  // Expressions are interpreted and not compiled: pages that forbid the evaluation of text can draw, too.
  const view = new vega.View(vega.parse(spec, undefined, { ast: true }), {
    renderer: "none",
    logLevel: vega.Error,
    expr: expressionInterpreter,
  })
  try {
    const svg = await view.toSVG()
    const box = /viewBox="([^"]*)"/.exec(svg)?.[1] ?? `0 0 ${width} ${height}`
    // A picture is one image; the roles of its marks would name hundreds. Texts of users stand between tags alone.
    const body = svg
      .slice(svg.indexOf(">") + 1)
      .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/ (?:role|class|aria-[a-z]+)="[^"]*"/g, ""))
    return markup(
      `<svg class="chart" role="img" viewBox="${escape(box)}" aria-labelledby="${chart.id}-title" xmlns="http://www.w3.org/2000/svg"><title id="${chart.id}-title">${escape(chart.alternative)}</title>${body}`,
    )
  } finally {
    view.finalize()
  }
}
