// The packages that are shipped: those that an install of vasst has, by the lock file, and those that its bundles have parts of, by the
// bundles themselves. The latter are dependencies of the development only, which npm leaves out where it is asked about an install.
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { bundle, packagesOf } from "./bundle.mjs"
import { ROOT } from "./sources.mjs"

/** @typedef {{ readonly version?: string, readonly license?: string, readonly integrity?: string, readonly dev?: boolean, readonly link?: boolean }} Locked */
/** @typedef {{ readonly packages: Readonly<Record<string, Locked>> }} Lock */
/** @typedef {{ readonly place: string, readonly name: string, readonly version: string }} Bundled a package of a bundle, by its key in the lock file */

/** @returns {Lock} */
export const lock = () => JSON.parse(fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8"))

/**
 * The packages that the programs of npm's package and of Python's have parts of, sorted. It makes a bundle of both.
 * @returns {Promise<ReadonlyArray<Bundled>>}
 */
export const bundled = async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-shipped-"))
  try {
    const chunks = await bundle(folder, {
      programs: { main: "src/cli/main.ts", serve: "src/serve/main.ts" },
      external: /^@tensorflow\//,
    })
    return packagesOf(chunks).map((one) => {
      const { name, version } = JSON.parse(fs.readFileSync(path.join(one, "package.json"), "utf8"))
      return { place: one.slice(one.indexOf("/node_modules/") + 1), name, version }
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/**
 * The places in the lock file of all packages that are shipped.
 * @param {Lock} locked @param {ReadonlyArray<Bundled>} bundle @returns {ReadonlySet<string>}
 */
export const places = ({ packages }, bundle) =>
  new Set([
    ...Object.entries(packages)
      .filter(([place, { dev, link }]) => place.includes("node_modules/") && dev !== true && link !== true)
      .map(([place]) => place),
    ...bundle.map(({ place }) => place),
  ])
