// Holds that every package of the lock file has a licence under which vasst may be distributed: `npm run licences`, without a network.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

/** Licences of packages that an install of vasst has, or that its bundles have parts of. */
const SHIPPED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
])
/** Licences of tools that nothing is shipped of. */
const TOOLS = new Set([...SHIPPED, "MPL-2.0"])

/** @typedef {{ readonly license?: string, readonly dev?: boolean, readonly link?: boolean }} Locked */

/**
 * The packages of a lock file whose licence is not known to be free, as messages.
 * @param {{ readonly packages: Readonly<Record<string, Locked>> }} lock @returns {ReadonlyArray<string>}
 */
export const check = ({ packages }) =>
  Object.entries(packages).flatMap(([place, { license, dev, link }]) => {
    // The package itself and its workspace.
    if (link === true || !place.includes("node_modules/")) return []
    const allowed = dev === true ? TOOLS : SHIPPED
    const parts = (license ?? "").replaceAll(/[()]/g, "").split(/ (AND|OR) /)
    const names = parts.filter((_, k) => k % 2 === 0)
    const free = parts.includes("OR")
      ? names.some((name) => allowed.has(name))
      : names.every((name) => allowed.has(name))
    return free
      ? []
      : [`${place}: ${license ?? "no licence"}; look at it, and add it to scripts/licences.mjs if it is free`]
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lock = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "..", "package-lock.json"), "utf8"))
  const wrong = check(lock)
  for (const message of wrong) console.error(message)
  if (wrong.length > 0) process.exitCode = 1
  console.log(`licences: ${Object.keys(lock.packages).length} packages, ${wrong.length} violations`)
}
