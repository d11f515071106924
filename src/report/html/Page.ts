import type { Document } from "../DocumentSchema.ts"
import type { Record } from "../Record.ts"
import * as BandSection from "./BandSection.ts"
import { type Chart, draw, specification } from "./Draw.ts"
import * as FitSection from "./FitSection.ts"
import { type Html, html, markup, name, shortened } from "./Html.ts"
import * as LawSection from "./LawSection.ts"
import { mark } from "./mark.ts"
import { ownOperators } from "./ownOperators.ts"
import * as PartsSection from "./PartsSection.ts"
import * as RunSection from "./RunSection.ts"
import type { Run, Section } from "./Section.ts"
import { style } from "./Style.ts"
import * as Typeset from "./Typeset.ts"
import * as Values from "./Values.ts"

/** Nothing is asked for, and nothing runs: styles and fonts are in the page. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"

/** Data in a page that no browser runs. No text ends the element: `<` is escaped. */
const inert = (id: string, value: unknown): Html =>
  markup(
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>\n`,
  )

/** The name of a file without its folders. */
const fileOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== "") ?? path

const summary = ({ document, record }: Run): Html => {
  const { best, unseen } = document
  return html`<p>
    ${name(fileOf(record.data.name))}: ${record.data.rows.toLocaleString("en")} rows. The law has the
    probability
    ${LawSection.percent(LawSection.probabilityOf(best))}${unseen === null ? " among the models drawn" : ""}${[
      ...LawSection.known(document),
      ...LawSection.noise(document),
    ].map((line) => `; ${line}`)}.
  </p>`
}

/**
 * A report of a fit as one page of HTML: no script, no request, pictures as SVG with their Vega-Lite specifications as data beside, formulas
 * typeset with the fonts inside.
 *
 * *When to use*: with the document and the record of a run; `vasst report` reads both from its folder.
 */
export const make = async (document: Document, record: Record): Promise<string> => {
  const charts: Array<Chart> = []
  const operators = ownOperators(document)
  const run: Run = {
    document,
    record,
    values: Values.make(document, record, operators),
    operators,
    draw: (chart) => {
      charts.push(chart)
      return draw(chart)
    },
  }
  const sections: ReadonlyArray<Section> = [
    LawSection.decide(run),
    await FitSection.fit(run),
    await BandSection.bands(run),
    await FitSection.residuals(run),
    await PartsSection.numbers(run),
    PartsSection.inclusion(run),
    await PartsSection.front(run),
    PartsSection.tree(run),
    await RunSection.search(run),
    RunSection.data(run),
    RunSection.reproduce(run),
  ]
  const body = html`<header>
      <h1>A law of ${name(document.target)}</h1>
      ${LawSection.hero(run)} ${summary(run)}
      <nav aria-label="sections">
        ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}
      </nav>
    </header>
    <main>
      ${sections.map(
        ({ id, title, body: text }) =>
          html`<section id="${id}" aria-labelledby="${id}-heading">
            <h2 id="${id}-heading">${title}</h2>
            ${text}
          </section> `,
      )}
    </main>
    <footer>
      <p>
        Made by vasst ${record.program}. The pictures are Vega-Lite specifications, which are in the source of
        this page. Probabilities are posterior: they follow from the data, the prior over forms, and the laws
        that the search has scored.
      </p>
    </footer>`
  return `${mark}
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${html`<title>A law of ${shortened(document.target)}: vasst report</title>`.text}
<style>${Typeset.styleOf(body.text)}${style}</style>
</head>
<body>
${body.text}
${charts.map((chart) => inert(`${chart.id}-spec`, specification(chart)).text).join("")}</body>
</html>
`
}
