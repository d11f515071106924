import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { format, resolveConfig } from "prettier"
import type { TopLevelSpec } from "vega-lite"
import { save } from "../../harness/chart.ts"
import { table as markdownTable } from "../../harness/markdown.ts"

const docs = new URL("../../../docs/", import.meta.url).pathname
const beside = join(docs, "reproduction")

/** A cell that a spreadsheet reads as it stands. */
const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A page of the documentation, and what lies beside it in docs/reproduction. */
export interface Out {
  /** A table, and the same as CSV. */
  readonly table: (
    name: string,
    head: ReadonlyArray<string>,
    rows: ReadonlyArray<ReadonlyArray<string>>,
  ) => string
  /** A picture, and its specification. */
  readonly chart: (name: string, title: string, specification: TopLevelSpec) => Promise<string>
  readonly write: (text: string) => Promise<void>
}

/** @param page its path under docs */
export const out = (page: string): Out => {
  const file = join(docs, page)
  const link = (to: string): string => relative(dirname(file), to)
  mkdirSync(beside, { recursive: true })
  return {
    table: (name, head, rows) => {
      const csv = join(beside, `${name}.csv`)
      writeFileSync(csv, `${[head, ...rows].map((cells) => cells.map(quoted).join()).join("\n")}\n`)
      return `${markdownTable(head, rows)}\n\n[as CSV](${link(csv)})`
    },
    chart: async (name, title, specification) => {
      const base = join(beside, name)
      await save(base, specification)
      return `![${title}](${link(`${base}.svg`)})`
    },
    write: async (text) => {
      const options = { ...(await resolveConfig(file)), parser: "markdown" }
      writeFileSync(file, await format(`${text}\n`, options))
    },
  }
}
