// The second part of `npm run build`: the command line in a few files, `dist/program`, with those parts of its
// dependencies that it uses. Node loads 15 files in a fraction of the time of the 460 that they are made of. tfjs stays
// outside: it is large, seldom needed, and has native code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, minifySync } from "vite"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The folder of the package that a module belongs to; undefined for the project's own. */
const packageOf = (/** @type {string} */ id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]

/**
 * A file of the bundle: the files that are loaded with it, and the modules that it is made of, by their paths.
 *
 * @typedef {{ readonly file: string, readonly imports: ReadonlyArray<string>, readonly modules: ReadonlyArray<string> }} Chunk
 */

/** The folders of the packages that files of a bundle have parts of, sorted. @param {ReadonlyArray<Chunk>} chunks */
export const packagesOf = (chunks) =>
  [...new Set(chunks.flatMap(({ modules }) => modules).flatMap((id) => packageOf(id) ?? []))].sort()

/** Optional parts of an installation by npm: native TensorFlow is mostly not there, and few tables have units. */
const installed = /^@tensorflow\/|^js-quantities$/

/**
 * Bundles programs: the command line, `main.js`, if nothing else is said.
 *
 * @param {string} outDir a folder two levels below the manifest, of which the program reads its version; what it holds
 *   is deleted
 * @param {{ readonly programs?: Readonly<Record<string, string>>, readonly external?: RegExp }} [options] files of src by
 *   the names of their entries, and the packages that are not looked for either
 * @returns {Promise<ReadonlyArray<Chunk>>} the files that were written
 */
export const bundle = async (
  outDir,
  { programs = { main: "src/cli/main.ts" }, external = installed } = {},
) => {
  /** @type {Array<Chunk>} */
  const chunks = []
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: {
        // The programs, and what their threads load.
        input: {
          ...programs,
          entry: "src/workers/entry.ts",
          lawRestarts: "src/models/lawRestarts.ts",
          FitJob: "src/cli/batch/FitJob.ts",
        },
        external,
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          // Most of the text of a library that documents itself.
          comments: { jsdoc: false, annotation: false },
        },
      },
    },
    plugins: [
      {
        name: "chunks",
        generateBundle: (_, files) => {
          for (const file of Object.values(files))
            if (file.type === "chunk" && "moduleIds" in file) {
              const modules = file.moduleIds.map((id) => id.replaceAll("\\", "/"))
              chunks.push({ file: file.fileName, imports: file.imports, modules })
              // Errors of the project's own code have readable places. Nobody reads the library for pictures, half of all code.
              if (modules.some((id) => id.includes("/node_modules/vega/")))
                file.code = minifySync(file.fileName, file.code, { module: true }).code
            }
        },
      },
    ],
  })
  // The licences ask for their own text wherever the code goes.
  const licences = packagesOf(chunks).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`
  })
  writeFileSync(join(outDir, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`))
  return chunks
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const outDir = join(root, "dist", "program")
  mkdirSync(outDir, { recursive: true })
  await bundle(outDir)
}
