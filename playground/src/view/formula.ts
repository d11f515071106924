import { ParseError, render } from "katex"
import { html, type TemplateResult } from "lit-html"
import { guard } from "lit-html/directives/guard.js"

/**
 * A formula, typeset. It is built as elements and not as markup, because the page's policy forbids styles in markup. Screen readers
 * have its MathML.
 *
 * @param text shown where the formula cannot be set
 */
export const formula = (latex: string, text: string): TemplateResult =>
  html`<span class="formula"
    >${guard([latex], () => {
      const place = document.createElement("span")
      try {
        render(latex, place, { strict: "ignore" })
      } catch (error) {
        if (!(error instanceof ParseError)) throw error
        place.textContent = text
      }
      return place
    })}</span
  >`

/** The name of a column as LaTeX: upright, whatever characters it has. */
export const nameLatex = (name: string): string =>
  `\\text{${name.replace(/[\\~^{}$&#_%]/g, (sign) => ({ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" })[sign] ?? `\\${sign}`)}}`
