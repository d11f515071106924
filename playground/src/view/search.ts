import { html, nothing, type TemplateResult } from "lit-html"
import { choices, usual } from "../Operators.ts"
import { noises } from "../Settings.ts"
import type { Actions, State } from "../State.ts"

const operators = ({ settings }: State, actions: Actions): TemplateResult => {
  const chosen = settings.operators ?? usual
  const toggle = (name: (typeof choices)[number]["name"]): void => {
    const next = choices.flatMap((one) =>
      (one.name === name) !== chosen.includes(one.name) ? [one.name] : [],
    )
    const asUsual = next.length === usual.length && next.every((one) => usual.includes(one))
    actions.change({ ...settings, operators: asUsual ? undefined : next })
  }
  return html`<fieldset>
    <legend>Operators that a law may use</legend>
    <div class="operators">
      ${choices.map(
        ({ name, sign, spoken }) =>
          html`<label class="operator">
            <input
              type="checkbox"
              aria-label=${spoken}
              .checked=${chosen.includes(name)}
              @change=${() => toggle(name)}
            /><span aria-hidden="true">${sign}</span>
          </label>`,
      )}
    </div>
  </fieldset>`
}

/** Names between commas. */
const names = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))

const noiseTitles: Readonly<Record<(typeof noises)[number], string>> = {
  additive: "additive, the same on all rows",
  proportional: "in proportion to the law",
  log: "a factor (logarithms)",
  heavy: "additive, with heavy tails",
  contaminated: "additive, some rows wrong",
}

/** What a law may be, beside its operators. */
const restrictions = ({ settings, table }: State, actions: Actions): TemplateResult => {
  const list = (title: string, field: "contains" | "without", example: string): TemplateResult =>
    html`<label>
      ${title}
      <input
        type="text"
        spellcheck="false"
        autocomplete="off"
        placeholder=${example}
        .value=${settings[field].join(", ")}
        @change=${(event: Event) =>
          // The listener is that of this input.
          actions.change({ ...settings, [field]: names((event.currentTarget as HTMLInputElement).value) })}
      />
    </label>`
  const [column = "a column"] = table?.look.columns.map(({ name }) => name) ?? []
  return html`<div class="limits restrictions">
    <label>
      Noise
      <select
        ?disabled=${settings.group !== undefined}
        @change=${(event: Event) =>
          actions.change({
            ...settings,
            // The listener is that of this element.
            noise: noises.find((name) => name === (event.currentTarget as HTMLSelectElement).value),
          })}
      >
        <option value="" ?selected=${settings.noise === undefined}>the evidence decides</option>
        ${noises.map((name) => html`<option value=${name} ?selected=${settings.noise === name}>${noiseTitles[name]}</option>`)}
      </select>
    </label>
    ${list("A law must have", "contains", column)} ${list("No law has", "without", "sin, exp")}
    <label>
      Nodes at most
      <input
        type="number"
        min="1"
        step="1"
        placeholder="no limit"
        .value=${settings.size === undefined ? "" : String(settings.size)}
        @change=${(event: Event) => {
          // As above.
          const { valueAsNumber } = event.currentTarget as HTMLInputElement
          actions.change({ ...settings, size: valueAsNumber >= 1 ? Math.round(valueAsNumber) : undefined })
        }}
      />
    </label>
  </div>`
}

const limits = ({ settings }: State, actions: Actions): TemplateResult => {
  const value = (event: Event): number | undefined => {
    // The listeners are those of the inputs below.
    const { value: text, valueAsNumber } = event.currentTarget as HTMLInputElement
    return text === "" || !Number.isFinite(valueAsNumber) ? undefined : valueAsNumber
  }
  return html`<div class="limits">
    <label>
      Seconds at most
      <input
        type="number"
        min="1"
        max="3600"
        ?disabled=${settings.effort !== undefined}
        .value=${String(settings.time)}
        @change=${(event: Event) => actions.change({ ...settings, time: Math.max(1, value(event) ?? 60) })}
      />
    </label>
    <label>
      Seed
      <input
        type="number"
        min="0"
        step="1"
        .value=${String(settings.seed)}
        @change=${(event: Event) =>
          actions.change({ ...settings, seed: Math.max(0, Math.round(value(event) ?? 0)) })}
      />
    </label>
    <label>
      Ensembles at most
      <input
        type="number"
        min="1"
        step="1"
        placeholder="no limit"
        .value=${settings.effort === undefined ? "" : String(settings.effort)}
        @change=${(event: Event) => {
          const effort = value(event)
          actions.change({
            ...settings,
            effort: effort === undefined ? undefined : Math.max(1, Math.round(effort)),
          })
        }}
      />
    </label>
  </div>`
}

/** Why a fit cannot begin; undefined where it can. */
const missing = ({ table, settings, reading }: State): string | undefined => {
  if (table === undefined) return reading ? "The table is being read." : "Choose a table first."
  if (settings.target === undefined) return "Choose the column to explain."
  if (settings.features.length === 0) return "Choose a column that explains it."
  return settings.operators?.length === 0 ? "Choose an operator." : undefined
}

/** Starts a search, and shows its place where that is below the window, as on narrow screens. */
const begin = (actions: Actions): void => {
  actions.fit()
  const place = document.querySelector(".results")
  if (place !== null && place.getBoundingClientRect().top > 0.8 * window.innerHeight)
    place.scrollIntoView({ block: "start" })
}

/** The settings of the search, and its start and stop. */
export const search = (state: State, actions: Actions): TemplateResult => {
  const { run, complaint } = state
  const reason = missing(state)
  const going = run !== undefined && run.phase !== "done"
  return html`<section aria-labelledby="search-title">
    <h2 id="search-title">Search</h2>
    <details>
      <summary>Operators, noise and limits</summary>
      ${operators(state, actions)} ${restrictions(state, actions)} ${limits(state, actions)}
      <p class="hint">
        The same seed and number of ensembles give the same laws everywhere, up to the last digits of numbers;
        a limit of time does not.
      </p>
    </details>
    <div class="go">
      ${
        going
          ? html`<button
              type="button"
              class="primary"
              ?disabled=${run.phase === "stopping"}
              @click=${actions.stop}
            >
              ${run.phase === "stopping" ? "Ranking …" : "Stop, and rank the laws found"}
            </button>`
          : html`<button
              type="button"
              class="primary"
              ?disabled=${reason !== undefined}
              @click=${() => begin(actions)}
            >
              Find laws
            </button>`
      }
      <button type="button" class="quiet" @click=${() => actions.copy("link", location.href)}>
        ${state.copied === "link" ? "Copied" : "Copy link to these settings"}
      </button>
    </div>
    ${reason === undefined || going ? nothing : html`<p class="hint">${reason}</p>`}
    ${complaint?.about === "fit" ? html`<p class="complaint" role="alert">${complaint.message}</p>` : nothing}
    <p class="hint">The link holds settings and names of columns, never values.</p>
  </section>`
}
