import { html, nothing, type TemplateResult } from "lit-html"
import * as Examples from "../Examples.ts"
import type { Column } from "../engine/Messages.ts"
import * as Settings from "../Settings.ts"
import type { Actions, State } from "../State.ts"

/** Where the table comes from: an example, or a file. */
export const source = ({ settings, table, reading, complaint }: State, actions: Actions): TemplateResult => {
  const example = Examples.named(settings.example)
  const choose = (event: Event): void => {
    // The listener is that of the input below.
    const { files } = event.currentTarget as HTMLInputElement
    const file = files?.[0]
    if (file !== undefined) actions.openFile(file)
  }
  return html`<section aria-labelledby="data-title">
    <h2 id="data-title">Table</h2>
    <label class="file">
      <input
        type="file"
        accept=".csv,.tsv,.txt,.dat,.json,.jsonl,.ndjson,.parquet,.arrow,.arrows,.feather,.npy,.gz,text/csv,text/tab-separated-values"
        @change=${choose}
      />
      <span
        ><strong>Choose a table</strong> (CSV, JSON lines, Parquet, Arrow, .npy, packed with gzip or not) or
        drop it anywhere on this page</span
      >
    </label>
    <p class="hint">The file stays on your machine: this page computes here and sends nothing.</p>
    <div class="examples" role="group" aria-label="Examples">
      ${Examples.examples.map(
        ({ name, title }) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${settings.example === name ? "true" : "false"}
            @click=${() => actions.openExample(name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    ${
      example === undefined
        ? nothing
        : html`<p class="about">${example.about} <span class="hint">Source: ${example.source}.</span></p>`
    }
    ${complaint?.about === "table" ? html`<p class="complaint" role="alert">${complaint.message}</p>` : nothing}
    ${reading ? html`<p class="hint">Reading …</p>` : nothing}
    ${
      table === undefined && !reading && settings.example === undefined && settings.target !== undefined
        ? html`<p class="about">
            This link has settings for a table of yours with the columns
            ${Settings.named(settings).join(", ")}. Choose it above.
          </p>`
        : nothing
    }
  </section>`
}

const roles: ReadonlyArray<readonly [Settings.Role, string]> = [
  ["target", "to explain"],
  ["feature", "explains it"],
  ["error", "its error"],
  ["weights", "weight"],
  ["group", "group"],
  ["none", "left out"],
]

const number = (value: number): string => String(Number(value.toPrecision(4)))

const column = (one: Column, { settings }: State, actions: Actions): TemplateResult => {
  const { name, range, missing } = one
  const role = Settings.roleOf(settings, name)
  const unit = settings.units[name] ?? one.unit ?? ""
  const play = (event: Event): void => {
    // The listener is that of the element below.
    const { value } = event.currentTarget as HTMLSelectElement
    // Its options are the roles.
    actions.change(Settings.withRole(settings, name, value as Settings.Role))
  }
  const measure = (event: Event): void => {
    // As above.
    const { value } = event.currentTarget as HTMLInputElement
    actions.change({ ...settings, units: { ...settings.units, [name]: value } })
  }
  return html`<tr class=${role}>
    <th scope="row">
      <span class="name">${name === "" ? "(no name)" : name}</span>
      <span class="hint range"
        >${range === undefined ? "no numbers" : `${number(range.low)} to ${number(range.high)}`}${missing === 0 || range === undefined ? "" : `, ${missing} missing`}</span
      >
    </th>
    <td>
      <select aria-label="Role of ${name}" .value=${role} @change=${play}>
        ${roles.map(
          ([value, title]) =>
            html`<option
              value=${value}
              ?selected=${value === role}
              ?disabled=${range === undefined && value !== "none" && value !== "group"}
            >
              ${title}
            </option>`,
        )}
      </select>
    </td>
    <td>
      <input
        class="unit"
        aria-label="Unit of ${name}"
        placeholder="unit"
        spellcheck="false"
        autocomplete="off"
        .value=${unit}
        ?disabled=${role === "none"}
        @change=${measure}
      />
    </td>
  </tr>`
}

/** The columns of the table, and their part in the fit. */
export const columns = (state: State, actions: Actions): TemplateResult | typeof nothing => {
  const { table } = state
  if (table === undefined) return nothing
  const { look, name } = table
  const wrong = look.columns.filter(({ complaint }) => complaint !== undefined)
  return html`<section aria-labelledby="columns-title">
    <h2 id="columns-title">Columns</h2>
    <p class="hint">${name}: ${look.rows} rows, ${look.columns.length} columns</p>
    <table class="columns">
      <thead class="unseen">
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Role</th>
          <th scope="col">Unit</th>
        </tr>
      </thead>
      <tbody>
        ${look.columns.map((one) => column(one, state, actions))}
      </tbody>
    </table>
    ${wrong.map(({ complaint }) => html`<p class="note">${complaint}</p>`)}
  </section>`
}
