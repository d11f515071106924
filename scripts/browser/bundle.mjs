// The library for browsers, as a user's bundler makes it: one script of what a module needs when it is loaded. What the
// library loads on demand only (tfjs, threads, the CSV parser) stays outside.
import path from "node:path"
import { build } from "vite"

const root = path.join(import.meta.dirname, "..", "..")

/**
 * @typedef {object} Bundle
 * @property {string} code a script that leaves the exports of the module in a global variable
 * @property {ReadonlyArray<string>} needed what the script cannot start without: nothing, if all is well
 * @property {ReadonlyArray<string>} onDemand what it may ask for later
 */

/**
 * @param {string} entry a path from the root of the repository
 * @param {string} name of the global variable
 * @returns {Promise<Bundle>}
 */
export const bundle = async (entry, name) => {
  const output = await build({
    root,
    configFile: false,
    logLevel: "error",
    // Left where they are: whoever needs tfjs, threads or the CSV parser asks for them then.
    plugins: [{ name: "on demand", resolveDynamicImport: (id) => ({ id, external: true }) }],
    resolve: { conditions: ["vasst-source", "browser", "module", "import", "default"] },
    build: {
      write: false,
      minify: false,
      target: "es2023",
      lib: { entry: path.join(root, entry), formats: ["iife"], name },
      // What belongs to Node is not replaced by an empty module, as Vite would: it is to be seen.
      rolldownOptions: { external: /^(node:|@tensorflow\/)/, output: { codeSplitting: false } },
    },
  })
  const chunks = (Array.isArray(output) ? output : [output]).flatMap((one) =>
    "output" in one ? one.output : [],
  )
  const [chunk] = chunks
  if (chunk?.type !== "chunk" || chunks.length > 1) throw new Error(`${entry}: one script was expected`)
  return { code: chunk.code, needed: chunk.imports, onDemand: chunk.dynamicImports }
}
