// Finds what only tests reach: modules of src that no public module, program, example or benchmark imports, and exports that
// nothing names beside their own declaration and tests. Run by `npm run lint`; prints `file: name`.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { parseSync } from "vite"
import { importsOf } from "./check-layers.mjs"

/** @typedef {Readonly<Record<string, string>>} Sources text by path from the repository root, with forward slashes */

/**
 * The names that a module declares and exports.
 * @param {string} file @param {string} source @returns {ReadonlyArray<string>}
 */
const exportsOf = (file, source) =>
  parseSync(file, source).program.body.flatMap((statement) => {
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
  for (const file of files) if (!file.startsWith("src/") || open.has(file)) reach(file)
  return files.flatMap((file) => {
    if (!file.startsWith("src/") || open.has(file)) return []
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

/** @param {string} folder @param {RegExp} pattern @returns {ReadonlyArray<string>} */
const filesIn = (folder, pattern) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name) && !/\.test\.ts$|\.d\.ts$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))

const main = () => {
  process.chdir(path.join(import.meta.dirname, ".."))
  /** @param {string} file */
  const read = (file) => fs.readFileSync(file, "utf8")
  const files = ["src", "examples", "bench", "scripts"].flatMap((folder) => filesIn(folder, /\.(ts|mjs)$/))
  const pages = filesIn("docs", /\.md$/).map((page) => (read(page).match(/^```[^]*?^```/gm) ?? []).join("\n"))
  const modules = JSON.parse(read("package.json")).exports
  const open = new Set([
    "src/cli/main.ts",
    // A thread is given the path of this one.
    "src/workers/entry.ts",
    ...Object.values(modules).flatMap((one) => (one?.["vasst-source"] ? [one["vasst-source"].slice(2)] : [])),
  ])
  const found = unused(Object.fromEntries(files.map((file) => [file, read(file)])), pages, open)
  for (const { file, name } of found)
    console.error(`${file}: ${name} is reached by tests only: use it or delete it`)
  if (found.length > 0) process.exitCode = 1
  console.log(`unused: ${files.length} files, ${found.length} violations`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main()
