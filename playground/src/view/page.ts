import { html, nothing, type TemplateResult } from "lit-html"
import type { Actions, State } from "../State.ts"
import * as Data from "./data.ts"
import { results } from "./results.ts"
import { search } from "./search.ts"

/** The whole page. */
export const page = (state: State, actions: Actions): TemplateResult =>
  html`<header>
      <h1>vasst <span>laws from tables</span></h1>
      <p>
        From a table of numbers to formulas with posterior probabilities.
        <strong>Nothing leaves your machine.</strong>
      </p>
    </header>
    <main>
      <div class="settings">
        ${Data.source(state, actions)} ${Data.columns(state, actions)} ${search(state, actions)}
      </div>
      <div
        class="results"
        aria-busy=${state.run !== undefined && state.run.phase !== "done" ? "true" : "false"}
      >
        ${results(state, actions)}
      </div>
    </main>
    <footer>
      <p>
        Probabilities count the laws that the search has not seen. The same engine runs on the command line:
        <code>npx vasst fit data.csv --target y</code>
      </p>
    </footer>
    ${state.dragged ? html`<div class="drop" aria-hidden="true">Drop the table here</div>` : nothing}`
