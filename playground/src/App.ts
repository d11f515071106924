import { start } from "./Engine.ts"
import type { Look } from "./engine/Messages.ts"
import * as Examples from "./Examples.ts"
import { choices } from "./Operators.ts"
import * as Settings from "./Settings.ts"
import { type Actions, type State, stem } from "./State.ts"

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether settings name columns of this table only, and all that a fit needs. */
const suits = (settings: Settings.Settings, { columns }: Look): boolean =>
  settings.target !== undefined &&
  settings.features.length > 0 &&
  Settings.named(settings).every((name) => columns.some((column) => column.name === name))

/** Settings for a table: the target as given or the last column of numbers, all others explain it. */
const fitted = (settings: Settings.Settings, { columns }: Look, target?: string): Settings.Settings => {
  const numeric = columns.flatMap(({ name, range }) => (range === undefined ? [] : [name]))
  const own = target ?? numeric.at(-1)
  return {
    ...settings,
    target: own,
    features: numeric.filter((name) => name !== own),
    error: undefined,
    weights: undefined,
    group: undefined,
    units: {},
  }
}

/** Gives the user a file. */
const download = (name: string, type: string, text: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  // The browser has taken the file by the next turn but one.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/** The behaviour of the page: its state, and what changes it. */
export const make = (show: (state: State, actions: Actions) => void) => {
  const engine = start()
  let state: State = {
    settings: Settings.fromFragment(
      location.hash,
      choices.map(({ name }) => name),
    ),
    table: undefined,
    reading: false,
    complaint: undefined,
    run: undefined,
    chosen: 0,
    axis: undefined,
    notation: "LaTeX",
    copied: undefined,
    reporting: false,
    dragged: false,
    width: 0,
  }
  let drawing = false
  /** The number of the latest fit or table: what an older one says is not shown. */
  let latest = 0
  const update = (change: Partial<State>): void => {
    state = { ...state, ...change }
    if (drawing) return
    drawing = true
    // All changes of a turn are drawn at once; a page in the background is drawn too.
    queueMicrotask(() => {
      drawing = false
      show(state, actions)
    })
  }
  const change = (settings: Settings.Settings): void => {
    history.replaceState(undefined, "", `#${Settings.toFragment(settings)}`)
    update({ settings })
  }
  const open = async (
    name: string,
    bytes: Promise<ArrayBuffer>,
    settingsOf: (look: Look) => Settings.Settings,
  ): Promise<boolean> => {
    const own = ++latest
    engine.stop()
    update({ reading: true, complaint: undefined, run: undefined, chosen: 0, axis: undefined })
    try {
      const look = await engine.look(name, new Uint8Array(await bytes))
      if (own !== latest) return false
      update({ reading: false, table: { name, look } })
      change(settingsOf(look))
      return true
    } catch (error) {
      if (own === latest)
        update({ reading: false, complaint: { about: "table", message: `${name}: ${messageOf(error)}` } })
      return false
    }
  }
  const fit = async (): Promise<void> => {
    const own = ++latest
    const { settings } = state
    const run = { phase: "running", settings, seconds: 0, scored: 0 } as const
    update({
      complaint: undefined,
      chosen: 0,
      axis: undefined,
      run: { ...run, posterior: undefined, outcome: undefined },
    })
    try {
      const outcome = await engine.fit(
        state.table?.name ?? "table.csv",
        settings,
        ({ seconds, scored, posterior }) => {
          if (state.run === undefined || own !== latest) return
          update({ run: { ...state.run, seconds, scored, posterior: posterior ?? state.run.posterior } })
        },
      )
      if (own !== latest || state.run === undefined) return
      const { posterior, seconds } = outcome
      update({ run: { ...state.run, phase: "done", posterior, seconds, outcome } })
    } catch (error) {
      if (own === latest) update({ run: undefined, complaint: { about: "fit", message: messageOf(error) } })
    }
  }
  const report = async (): Promise<void> => {
    const own = latest
    update({ reporting: true, complaint: undefined })
    try {
      const page = await engine.report()
      if (own === latest) download(`${stem(state)}.report.html`, "text/html", page)
    } catch (error) {
      if (own === latest) update({ complaint: { about: "fit", message: messageOf(error) } })
    }
    update({ reporting: false })
  }
  const openExample = async (name: string): Promise<void> => {
    const example = Examples.named(name)
    if (example === undefined) return
    const { settings } = state
    const known = await open(
      `${example.name}.csv`,
      fetch(example.url).then((response) => response.arrayBuffer()),
      (look) =>
        settings.example === name && suits(settings, look)
          ? settings
          : { ...fitted(settings, look, example.target), example: name },
    )
    if (known) await fit()
  }
  const copy = async (what: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      update({ copied: what })
      setTimeout(() => state.copied === what && update({ copied: undefined }), 2000)
    } catch (error) {
      const message = `nothing was copied (${messageOf(error)}); mark the text and copy it`
      update({ complaint: { about: "fit", message } })
    }
  }
  const actions: Actions = {
    openFile: (file) => {
      const { settings } = state
      void open(file.name, file.arrayBuffer(), (look) =>
        // The settings of a link are for such a table; those of an example are not.
        settings.example === undefined && suits(settings, look)
          ? settings
          : { ...fitted(settings, look), example: undefined },
      )
    },
    openExample: (name) => void openExample(name),
    change,
    fit: () => void fit(),
    stop: () => {
      engine.stop()
      if (state.run?.phase === "running") update({ run: { ...state.run, phase: "stopping" } })
    },
    show: update,
    copy: (what, text) => void copy(what, text),
    download,
    report: () => void report(),
  }
  show(state, actions)
  const { settings } = state
  // A link without an example is for a table that only its user has.
  if (settings.example !== undefined || settings.target === undefined)
    void openExample(Examples.named(settings.example)?.name ?? Examples.examples[0].name)
  return actions
}
