import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { format, resolveConfig } from "prettier"
import * as vega from "vega"
import { compile, type TopLevelSpec } from "vega-lite"

/** What all charts of the documentation share. */
export const look = {
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  background: "white",
  config: { font: "Helvetica, Arial, sans-serif", view: { stroke: null } },
} as const

/** A chart as SVG. */
export const svg = (specification: TopLevelSpec): Promise<string> =>
  new vega.View(vega.parse(compile(specification).spec), { renderer: "none" }).toSVG()

/** Writes a chart beside its specification: BASE.svg and BASE.vl.json. */
export const save = async (base: string, specification: TopLevelSpec): Promise<void> => {
  mkdirSync(dirname(base), { recursive: true })
  writeFileSync(`${base}.svg`, await svg(specification))
  const file = `${base}.vl.json`
  const options = { ...(await resolveConfig(file)), filepath: file }
  writeFileSync(file, await format(JSON.stringify(specification), options))
}
