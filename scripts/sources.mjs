// The files that the checks of `npm run lint` read: their names, texts, syntax trees, and the walk through these.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { parseSync } from "vite"

/** @typedef {Readonly<Record<string, string>>} Sources text by path from the repository root, with forward slashes */
/** @typedef {{ file: string, line: number, message: string }} Violation */

export const ROOT = path.join(import.meta.dirname, "..")

/** The rooms of src in order: a file imports only from its own room and from those before it, values and types alike. */
export const ROOMS = [
  "errors",
  "internal",
  "numeric",
  "wasm",
  "random",
  "data",
  "workers",
  "expr",
  "prob",
  "evidence",
  "infer",
  "search",
  "vi",
  "inclusive",
  "rank",
  "models",
  "report",
  "promise",
  "testing",
  "jobs",
  "cli",
  "serve",
]

/**
 * The files below folders of the repository, installed packages aside. A folder that does not exist has none.
 * @param {ReadonlyArray<string>} folders @param {RegExp} [names] @returns {Sources}
 */
export const sourcesIn = (folders, names = /\.ts$/) => {
  const files = folders.flatMap((folder) =>
    fs.existsSync(path.join(ROOT, folder))
      ? fs
          .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
          .filter((name) => names.test(name) && !name.includes("node_modules"))
          .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
      : [],
  )
  return Object.fromEntries(files.map((file) => [file, fs.readFileSync(path.join(ROOT, file), "utf8")]))
}

/** @type {Map<string, ReturnType<typeof parseSync>>} */
const parsed = new Map()

/**
 * The syntax tree of a source. It is made once for each text, since several checks read the same files.
 * @param {string} file @param {string} source
 */
export const parse = (file, source) => {
  const known = parsed.get(source)
  if (known !== undefined) return known
  const made = parseSync(file, source)
  if (made.errors[0] !== undefined) throw new Error(`${file}: ${made.errors[0].message}`)
  parsed.set(source, made)
  return made
}

/**
 * Calls a function for every node of a syntax tree, parents first.
 * @param {unknown} node @param {(node: any) => void} visit
 */
export const walk = (node, visit) => {
  if (Array.isArray(node)) for (const child of node) walk(child, visit)
  if (typeof node !== "object" || node === null || Array.isArray(node)) return
  visit(node)
  for (const child of Object.values(node)) walk(child, visit)
}

/** The line of an offset, from 1. @param {string} source @param {number} offset */
export const lineOf = (source, offset) => source.slice(0, offset).split("\n").length

/**
 * Runs a check where its script is the program: prints `file:line: message` for each violation, and a line with their number.
 * @param {string} url of the script @param {string} name of the check
 * @param {() => { readonly files: number, readonly violations: ReadonlyArray<Violation> }} check
 */
export const main = (url, name, check) => {
  if (url !== pathToFileURL(process.argv[1] ?? "").href) return
  const { files, violations } = check()
  for (const { file, line, message } of violations) console.error(`${file}:${line}: ${message}`)
  if (violations.length > 0) process.exitCode = 1
  console.log(`${name}: ${files} files, ${violations.length} violations`)
}
