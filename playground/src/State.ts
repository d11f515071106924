import type { Look, Outcome, Posterior } from "./engine/Messages.ts"
import type { Settings } from "./Settings.ts"

/** The table on the page. */
export interface Table {
  readonly name: string
  readonly look: Look
}

/** A search, from its start to its result. */
export interface Run {
  readonly phase: "running" | "stopping" | "done"
  /** the settings that it was started with */
  readonly settings: Settings
  readonly seconds: number
  /** ensembles scored */
  readonly scored: number
  readonly posterior: Posterior | undefined
  /** at the end */
  readonly outcome: Outcome | undefined
}

/** A complaint, and what it is about. */
export interface Complaint {
  readonly about: "table" | "fit"
  readonly message: string
}

/** Notations of a law. */
export const notations = ["LaTeX", "SymPy", "NumPy", "plain text"] as const
export type Notation = (typeof notations)[number]

/** All that the page shows. */
export interface State {
  readonly settings: Settings
  readonly table: Table | undefined
  /** while a table is read */
  readonly reading: boolean
  readonly complaint: Complaint | undefined
  readonly run: Run | undefined
  /** the place of the law that plots and texts are of */
  readonly chosen: number
  /** the horizontal axis of plots; undefined for the usual one */
  readonly axis: string | undefined
  readonly notation: Notation
  /** the text copied last, for a moment */
  readonly copied: string | undefined
  /** while a report is made */
  readonly reporting: boolean
  /** whether a file is held over the page */
  readonly dragged: boolean
  /** the width of plots in pixels */
  readonly width: number
}

/** The name of the table without the ending of its file. */
export const stem = ({ table }: Pick<State, "table">): string =>
  (table?.name ?? "table").replace(/\.[^.]*$/, "")

/** What a user does. */
export interface Actions {
  readonly openFile: (file: File) => void
  readonly openExample: (name: string) => void
  readonly change: (settings: Settings) => void
  readonly fit: () => void
  readonly stop: () => void
  readonly show: (change: Partial<Pick<State, "chosen" | "axis" | "notation" | "dragged" | "width">>) => void
  readonly copy: (what: string, text: string) => void
  /** Downloads the report of the fit. */
  readonly report: () => void
  readonly download: (name: string, type: string, text: string) => void
}
