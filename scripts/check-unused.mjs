// Finds what only tests reach: modules of src that no public module, program, example or benchmark imports, and exports that
// nothing names beside their own declaration and tests. Run by `npm run lint`; prints `file: name`.
import fs from "node:fs"
import path from "node:path"
import { importsOf } from "./check-layers.mjs"
import { main, parse, ROOT, sourcesIn } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */

/**
 * The names that a module declares and exports.
 * @param {string} file @param {string} source @returns {ReadonlyArray<string>}
 */
const exportsOf = (file, source) =>
  parse(file, source).program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.source !== null) return []
    const { declaration } = statement
    if (declaration === null) return []
    const declared = declaration.type === "VariableDeclaration" ? declaration.declarations : [declaration]
    return declared.flatMap((one) => ("id" in one && one.id?.type === "Identifier" ? [one.id.name] : []))
  })

/** @param {string} name @param {string} text @returns {number} how often a name stands in a text, as a word */
const count = (name, text) =>
  text.split(new RegExp(`(?<![\\w$])${name.replace("$", "\\$")}(?![\\w$])`)).length - 1

/** @param {string} source @returns {string} without comments, which name things that they do not use */
const code = (source) => source.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "")

/** The folders whose modules have to be of use. */
const rooms = /^(src|playground)\//

/**
 * @param {Sources} sources modules of src, examples, benchmarks and programs
 * @param {ReadonlyArray<string>} pages the code of the documentation's pages
 * @param {ReadonlySet<string>} open the files of public modules and of the program
 * @returns {ReadonlyArray<{ readonly file: string, readonly name: string }>}
 */
export const unused = (sources, pages, open) => {
  const files = Object.keys(sources)
  /** @type {Map<string, Set<string>>} */
  const importers = new Map()
  for (const file of files)
    for (const { specifier } of importsOf(file, sources[file] ?? "")) {
      const target = specifier.startsWith("vasst/")
        ? `src/${specifier.slice(6)}.ts`
        : path.posix.join(path.posix.dirname(file), specifier)
      importers.set(target, (importers.get(target) ?? new Set()).add(file))
    }
  /** @type {Set<string>} */
  const reached = new Set()
  /** @param {string} file */
  const reach = (file) => {
    if (reached.has(file) || sources[file] === undefined) return
    reached.add(file)
    for (const [target, from] of importers) if (from.has(file)) reach(target)
  }
  for (const file of files) if (!rooms.test(file) || open.has(file)) reach(file)
  return files.flatMap((file) => {
    if (!rooms.test(file) || open.has(file)) return []
    if (!reached.has(file)) return [{ file, name: "the module" }]
    const source = code(sources[file] ?? "")
    return exportsOf(file, sources[file] ?? "").flatMap((name) => {
      const inside = count(name, source) > 1
      const outside = [...(importers.get(file) ?? [])].some(
        (other) => count(name, code(sources[other] ?? "")) > 0,
      )
      return inside || outside || pages.some((page) => count(name, page) > 0) ? [] : [{ file, name }]
    })
  })
}

main(import.meta.url, "unused", () => {
  const sources = sourcesIn(
    ["src", "examples", "bench", "scripts", "playground/src"],
    /^(?!.*(\.test\.ts|\.d\.ts)$).*\.(ts|mjs)$/,
  )
  const pages = Object.values(sourcesIn(["docs"], /\.md$/)).map((page) =>
    (page.match(/^```[^]*?^```/gm) ?? []).join("\n"),
  )
  const modules = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")).exports
  const open = new Set([
    "src/cli/main.ts",
    "src/serve/main.ts",
    // A thread is given the path of this one.
    "src/workers/entry.ts",
    // A page and its worker are given by their paths, too.
    "playground/src/main.ts",
    "playground/src/engine/worker.ts",
    "playground/src/engine/restarts.ts",
    ...Object.values(modules).flatMap((one) => (one?.["vasst-source"] ? [one["vasst-source"].slice(2)] : [])),
  ])
  return {
    files: Object.keys(sources).length,
    violations: unused(sources, pages, open).map(({ file, name }) => ({
      file,
      line: 1,
      message: `${name} is reached by tests only: use it or delete it`,
    })),
  }
})
