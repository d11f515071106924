// Writes docs/reference/api.txt: what every public module exports, with its types, so that a diff shows what a change does
// to the API. `npm run api` writes; `npm run api -- --check` looks whether the file is up to date.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { parseSync } from "vite"
import { publicModules } from "./exports.mjs"

/**
 * A declaration of a module: its name and its text without comments.
 * @typedef {{ readonly name: string, readonly text: string }} Declaration
 */

/**
 * Reads a declaration file by its path below the folder of all, without extension; undefined where there is none.
 * @typedef {(name: string) => string | undefined} Read
 */

/** @param {string} text @param {ReadonlyArray<{ start: number, end: number }>} comments @param {number} start @param {number} end */
const withoutComments = (text, comments, start, end) => {
  let kept = ""
  let from = start
  for (const comment of comments) {
    if (comment.end <= start || comment.start >= end) continue
    kept += text.slice(from, comment.start)
    from = comment.end
  }
  kept += text.slice(from, end)
  return kept
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n")
}

/** The names that a statement declares. @param {any} node @returns {ReadonlyArray<string>} */
const declared = (node) =>
  node.type === "VariableDeclaration"
    ? node.declarations.map((/** @type {any} */ one) => one.id.name)
    : node.id === null || node.id === undefined
      ? []
      : [node.id.name ?? String(node.id.value)]

/** The module that a relative import of a module means; undefined for packages. @param {string} name @param {string} specifier */
const below = (name, specifier) =>
  specifier.startsWith(".")
    ? path.posix.join(path.posix.dirname(name), specifier).replace(/\.[jt]s$/, "")
    : undefined

/**
 * What a module imports by name from modules of the package, by its local name.
 * @param {any} program @param {string} name
 */
const importedBy = (program, name) => {
  /** @type {Map<string, { readonly module: string, readonly name: string }>} */
  const imported = new Map()
  for (const node of program.body) {
    const module = node.type === "ImportDeclaration" ? below(name, node.source.value) : undefined
    if (module === undefined) continue
    for (const { type, local, imported: theirs } of node.specifiers)
      if (type === "ImportSpecifier") imported.set(local.name, { module, name: theirs.name })
  }
  return imported
}

/**
 * The modules of the package that the declarations of some need, these aside: those that they import, and so on.
 * @param {Read} read @param {ReadonlyArray<string>} modules @returns {ReadonlyArray<string>}
 */
const needed = (read, modules) => {
  const found = new Set(modules)
  for (const name of found)
    for (const [, from = ""] of (read(name) ?? "").matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)) {
      const module = below(name, from)
      if (module !== undefined && read(module) !== undefined) found.add(module)
    }
  return [...found].filter((name) => !modules.includes(name)).sort()
}

/**
 * The declarations of a module: those that it exports, those of modules of the package that it exports again, and those
 * that it keeps to itself but its exports may name. Sorted by name; those of one name stay in order.
 * @param {Read} read @param {string} name @returns {ReadonlyArray<Declaration>}
 */
export const surface = (read, name) => {
  const text = read(name)
  if (text === undefined) throw new Error(`${name} has no declarations`)
  const { program, comments, errors } = parseSync(`${name}.d.ts`, text)
  if (errors[0] !== undefined) throw new Error(`${name}.d.ts: ${errors[0].message}`)
  /** @type {Array<Declaration>} */
  const found = []
  const imported = importedBy(program, name)
  for (const statement of program.body) {
    /** @type {any} */
    const node = statement
    const own = () => withoutComments(text, comments, node.start, node.end)
    if (node.type === "ImportDeclaration") continue
    const from = node.source?.value
    const inside = typeof from === "string" ? below(name, from) : undefined
    if (inside !== undefined && node.type === "ExportAllDeclaration" && node.exported === null)
      found.push(...surface(read, inside).filter((one) => one.text.startsWith("export ")))
    else if (node.type === "ExportNamedDeclaration" && node.declaration === null)
      for (const { local, exported } of node.specifiers) {
        const origin = inside === undefined ? imported.get(local.name) : { module: inside, name: local.name }
        const one = exported.name
        const texts =
          origin === undefined
            ? []
            : surface(read, origin.module).filter((declaration) => declaration.name === origin.name)
        found.push(...texts.map(({ text: theirs }) => ({ name: one, text: theirs })))
        if (texts.length === 0 || origin?.name !== one)
          found.push({
            name: one,
            text: `export { ${local.name === one ? one : `${local.name} as ${one}`} };`,
          })
      }
    else if (node.type === "ExportAllDeclaration")
      found.push({ name: node.exported?.name ?? from, text: own() })
    else if (node.type === "ExportNamedDeclaration")
      for (const one of declared(node.declaration)) found.push({ name: one, text: own() })
    else for (const one of declared(node)) found.push({ name: one, text: own() })
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/**
 * The report of modules.
 * @param {Read} read @param {ReadonlyArray<string>} modules
 */
export const report = (read, modules) => {
  /** @param {string} name */
  const part = (name) =>
    surface(read, name)
      .map(({ text }) => text)
      .join("\n")
  return [
    "The API of vasst, module by module: what each exports, without its documentation. Written by `npm run api`; a difference",
    "is a change of the API. Declarations without `export` are named by those with it. The modules at the end are private: they",
    "cannot be imported, but public signatures name their types.",
    "",
    "## vasst",
    "",
    contents(read).join("\n"),
    ...modules.flatMap((name) => ["", `## vasst/${name}`, "", part(name)]),
    ...needed(read, modules).flatMap((name) => ["", `## private: ${name}`, "", part(name)]),
    "",
  ].join("\n")
}

/** The exports of the table of contents. @param {Read} read */
const contents = (read) => {
  const text = read("index") ?? ""
  const { program, comments } = parseSync("index.d.ts", text)
  return program.body.map(({ start, end }) => withoutComments(text, comments, start, end)).toSorted()
}

const main = () => {
  const root = path.join(import.meta.dirname, "..")
  const file = path.join(root, "docs/reference/api.txt")
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-api-"))
  try {
    const tsc = path.join(root, "node_modules/typescript/bin/tsc")
    const emit = [
      "--emitDeclarationOnly",
      "--declarationMap",
      "false",
      "--sourceMap",
      "false",
      "--outDir",
      folder,
    ]
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tsc, "-p", path.join(root, "tsconfig.build.json"), ...emit],
      { encoding: "utf8" },
    )
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
    /** @type {Read} */
    const read = (name) => {
      const declarations = path.join(folder, `${name}.d.ts`)
      return fs.existsSync(declarations) ? fs.readFileSync(declarations, "utf8") : undefined
    }
    const modules = publicModules()
    const text = report(read, modules)
    const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : ""
    if (!process.argv.includes("--check")) fs.writeFileSync(file, text)
    else if (text !== before) {
      console.error(
        "docs/reference/api.txt is not the API of the sources; run: npm run api, and look at its diff",
      )
      process.exitCode = 1
    }
    console.log(`api: ${modules.length} public modules, ${text.split("\n").length} lines`)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main()
