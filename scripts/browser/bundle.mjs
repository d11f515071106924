// The library for browsers, as bundlers make it.
import path from "node:path"
import { build } from "vite"

const root = path.join(import.meta.dirname, "..", "..")
/** @type {import("vite").InlineConfig} */
const settings = {
  root,
  configFile: false,
  logLevel: "error",
  resolve: { conditions: ["vasst-source", "browser", "module", "import", "default"] },
}

/** @param {import("vite").InlineConfig} options */
const chunks = async ({ plugins, build: how }) => {
  const output = await build({
    ...settings,
    plugins: plugins ?? [],
    build: { write: false, target: "es2023", ...how },
  })
  return [output]
    .flat()
    .flatMap((one) => ("output" in one ? one.output : []))
    .filter((one) => one.type === "chunk")
}

/**
 * @typedef {object} Script
 * @property {string} code leaves the exports of the module in a global variable
 * @property {ReadonlyArray<string>} needed what it cannot start without: nothing, if all is well
 * @property {ReadonlyArray<string>} onDemand what it may ask for later, and does not hold
 */

/**
 * A module and all that it imports, but not the modules that it imports on demand (tfjs, threads, the CSV parser), as one script.
 *
 * @param {string} entry a path from the root of the repository
 * @param {string} name of the global variable
 * @param {(id: unknown) => boolean} [within] modules that the script holds although they are imported on demand; none if left out
 * @returns {Promise<Script>}
 */
export const script = async (entry, name, within = () => false) => {
  const [chunk, ...others] = await chunks({
    plugins: [
      { name: "on demand", resolveDynamicImport: (id) => (within(id) ? undefined : { id, external: true }) },
    ],
    build: {
      minify: false,
      lib: { entry: path.join(root, entry), formats: ["iife"], name },
      // What belongs to Node is not replaced by an empty module, as Vite would: it is to be seen.
      rolldownOptions: { external: /^(node:|@tensorflow\/)/, output: { codeSplitting: false } },
    },
  })
  if (chunk === undefined || others.length > 0) throw new Error(`${entry}: one script was expected`)
  return { code: chunk.code, needed: chunk.imports, onDemand: chunk.dynamicImports }
}

/**
 * @typedef {object} Site
 * @property {string} entry the path of the module that was asked for
 * @property {Readonly<Record<string, string>>} files modules by path
 * @property {ReadonlyArray<string>} start the paths that are loaded when the entry is
 * @property {ReadonlyArray<string>} sources the files that those are made of
 */

/**
 * What a user's bundler makes of a module: Vite as it comes.
 *
 * @param {string} entry a path from the root of the repository
 * @returns {Promise<Site>}
 */
export const site = async (entry) => {
  const all = await chunks({
    build: { rolldownOptions: { input: path.join(root, entry), preserveEntrySignatures: "strict" } },
  })
  const byName = new Map(all.map((chunk) => [chunk.fileName, chunk]))
  const first = all.find(({ isEntry }) => isEntry)
  if (first === undefined) throw new Error(`${entry}: there is no entry`)
  /** @type {Set<string>} */
  const start = new Set()
  /** @param {string} name */
  const visit = (name) => {
    if (start.has(name)) return
    start.add(name)
    byName.get(name)?.imports.forEach(visit)
  }
  visit(first.fileName)
  return {
    entry: first.fileName,
    files: Object.fromEntries(all.map(({ fileName, code }) => [fileName, code])),
    start: [...start],
    sources: [...start].flatMap((name) => byName.get(name)?.moduleIds ?? []),
  }
}
