import { html, nothing, type TemplateResult } from "lit-html"
import type { Law, Posterior } from "../engine/Messages.ts"
import type { Actions, Run, State } from "../State.ts"
import { formula, nameLatex } from "./formula.ts"
import * as Figures from "./figures.ts"
import { percent } from "./percent.ts"
import * as Texts from "./texts.ts"

const grouped = (count: number): string => count.toLocaleString("en").replaceAll(",", "\u2009")

const bar = (probability: number, kind: string): TemplateResult =>
  html`<svg class="bar ${kind}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="room" width="100" height="10"></rect>
    <rect class="share" width=${(100 * probability).toFixed(2)} height="10"></rect>
  </svg>`

const row = (law: Law, place: number, { run, chosen }: State, actions: Actions): TemplateResult => {
  const final = run?.outcome !== undefined
  const target = run?.settings.target ?? ""
  return html`<tr
    class=${final && place === chosen ? "chosen" : ""}
    @click=${() => final && actions.show({ chosen: place })}
  >
    <td class="choice">
      ${
        final
          ? html`<input
              type="radio"
              name="law"
              aria-label="Law ${place + 1}: ${target} = ${law.text}"
              .checked=${place === chosen}
              @change=${() => actions.show({ chosen: place })}
            />`
          : html`<span class="rank">${place + 1}</span>`
      }
    </td>
    <td class="law">${formula(`\\displaystyle ${law.latex}`, law.text)}</td>
    <td class="chance">
      ${bar(law.probability, "found")}<span class="number">${percent(law.probability)}</span>
    </td>
    <td class="number wide">${law.complexity}</td>
    <td class="number wide">${law.logPosterior.toFixed(1)}</td>
  </tr>`
}

const mass = (title: string, probability: number, kind: string): TemplateResult =>
  html`<tr class="rest">
    <td class="choice"></td>
    <td class="law">${title}</td>
    <td class="chance">${bar(probability, kind)}<span class="number">${percent(probability)}</span></td>
    <td class="wide"></td>
    <td class="wide"></td>
  </tr>`

const posterior = ({ laws, others, unseen }: Posterior, state: State, actions: Actions): TemplateResult =>
  html`<section aria-labelledby="posterior-title">
    <h2 id="posterior-title">Posterior over forms</h2>
    <p class="hint">
      ${
        state.run?.outcome === undefined
          ? "So far. The probabilities of the laws, and of all laws that were not seen, sum to one."
          : "Choose a law to see it below. The probabilities sum to one with that of the laws that were not seen."
      }
    </p>
    <table class="posterior">
      <thead>
        <tr>
          <th scope="col"><span class="unseen">Choose</span></th>
          <th scope="col">Law</th>
          <th scope="col">Probability</th>
          <th scope="col" class="number wide">Complexity</th>
          <th scope="col" class="number wide">Log posterior</th>
        </tr>
      </thead>
      <tbody>
        ${laws.map((law, place) => row(law, place, state, actions))}
        ${others.count === 0 ? nothing : mass(`${others.count} more laws`, others.probability, "others")}
        ${mass("a law that the search has not seen", unseen, "unknown")}
      </tbody>
    </table>
  </section>`

/** How far the search is, in words. */
const status = ({ phase, seconds, scored, settings, outcome }: Run): string => {
  if (phase === "done")
    return `Done in ${(outcome?.seconds ?? seconds).toFixed(1)} s; ${grouped(scored)} ensembles of terms scored.`
  if (phase === "stopping") return "Stopping: the laws found so far are ranked …"
  const limit = settings.effort === undefined ? ` of at most ${settings.time} s` : ""
  return `Searching: ${seconds.toFixed(1)} s${limit}, ${grouped(scored)} ensembles of terms scored …`
}

/** What a screen reader says of a search: new laws and the end, and not every number. */
const spoken = ({ phase, posterior, settings }: Run): string => {
  const best = posterior?.laws[0]
  const law =
    best === undefined
      ? ""
      : `: ${settings.target ?? ""} = ${best.text}, probability ${percent(best.probability)}`
  if (phase === "done") return `The search has ended. Best law${law}`
  return best === undefined ? "Searching." : `Best law so far${law}`
}

const headline = (run: Run, chosen: number): TemplateResult => {
  const law = run.outcome?.laws[chosen] ?? run.posterior?.laws[0]
  const target = run.settings.target ?? ""
  return html`<div class="headline" data-phase=${run.phase}>
    ${
      law === undefined
        ? html`<p class="hint">The first law comes in a moment.</p>`
        : html`<div class="display" tabindex="0" role="group" aria-label="${target} = ${law.text}">
            ${formula(`\\displaystyle ${nameLatex(target)} = ${law.latex}`, `${target} = ${law.text}`)}
          </div>`
    }
    <p class="status">
      ${status(run)}
      ${
        run.phase === "running" && run.settings.effort === undefined
          ? html`<progress aria-label="Time" max=${run.settings.time} value=${run.seconds}></progress>`
          : nothing
      }
    </p>
    <p class="unseen" role="status">${spoken(run)}</p>
  </div>`
}

/** The result of the search, or its state. */
export const results = (state: State, actions: Actions): TemplateResult => {
  const { run, chosen } = state
  if (run === undefined)
    return html`<p class="empty">
      ${
        state.table === undefined
          ? "Choose a table. Its laws appear here while the search runs."
          : "Choose the columns, and find laws. They appear here while the search runs."
      }
    </p>`
  const { outcome } = run
  return html`
    ${headline(run, chosen)}
    ${run.posterior === undefined ? nothing : posterior(run.posterior, state, actions)}
    ${
      outcome === undefined
        ? nothing
        : html`<ul class="ended">
              ${outcome.ended.map((line) => html`<li>${line}</li>`)}
            </ul>
            ${Figures.figures(state, outcome, actions)} ${Texts.texts(state, outcome, actions)}`
    }
  `
}
