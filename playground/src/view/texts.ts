import { html, nothing, type TemplateResult } from "lit-html"
import type { FinalLaw, Outcome } from "../engine/Messages.ts"
import { formula, nameLatex } from "./formula.ts"
import { percent } from "./percent.ts"
import { type Actions, type Notation, notations, type State, stem } from "../State.ts"

/** The law in a notation. */
const textOf = (law: FinalLaw, target: string, notation: Notation): string => {
  switch (notation) {
    case "LaTeX":
      return law.exactLatex
    case "SymPy":
      return law.sympy
    case "NumPy":
      return law.numpy
    case "plain text":
      return `${target} = ${law.text}`
  }
}

const lines = (title: string, texts: ReadonlyArray<string>): TemplateResult | typeof nothing =>
  texts.length === 0
    ? nothing
    : html`<div>
        <h3>${title}</h3>
        <ul>
          ${texts.map((line) => html`<li>${line}</li>`)}
        </ul>
      </div>`

/** The numbers of the law, and the files and texts to take away. */
export const texts = (state: State, outcome: Outcome, actions: Actions): TemplateResult | typeof nothing => {
  const law = outcome.laws[state.chosen]
  if (law === undefined) return nothing
  const text = textOf(law, outcome.target, state.notation)
  const name = stem(state)
  return html`<section class="facts" aria-label="Numbers of the law">
      ${
        law.numbers.length === 0
          ? nothing
          : html`<div class="numbers">
              <h3>Numbers</h3>
              ${
                law.named === undefined
                  ? nothing
                  : formula(
                      `\\displaystyle ${nameLatex(outcome.target)} = ${law.named.latex}`,
                      law.named.text,
                    )
              }
              <ul>
                ${law.numbers.map((line) => html`<li>${line.replace("+-", "±")}</li>`)}
              </ul>
            </div>`
      }
      ${lines(
        "Noise",
        law.noise.map((line) => line.replace(/^noise: /, "")),
      )}
      ${lines(
        "Columns, in the laws seen",
        outcome.columns.map((one) => `${one.name}: ${percent(one.probability)}`),
      )}
    </section>
    <section aria-labelledby="export-title">
      <h2 id="export-title">Take it away</h2>
      <div class="notations" role="group" aria-label="Notation">
        ${notations.map(
          (notation) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${notation === state.notation ? "true" : "false"}
              @click=${() => actions.show({ notation })}
            >
              ${notation}
            </button>`,
        )}
      </div>
      <pre class="code" tabindex="0" aria-label="The law in ${state.notation}"><code>${text}</code></pre>
      <div class="go">
        <button type="button" class="quiet" @click=${() => actions.copy("text", text)}>
          ${state.copied === "text" ? "Copied" : `Copy ${state.notation}`}
        </button>
        <button
          type="button"
          class="quiet"
          @click=${() => actions.download(`${name}.fit.json`, "application/json", outcome.json)}
        >
          Download all laws (JSON)
        </button>
        <button type="button" class="quiet" ?disabled=${state.reporting} @click=${actions.report}>
          ${state.reporting ? "Writing the report …" : "Download a report (HTML)"}
        </button>
      </div>
    </section>`
}
