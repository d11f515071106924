// Holds that every package of the lock file has a licence under which vasst may be distributed, and that SECURITY.md names the packages of the
// bundles: `npm run licences`, without a network; `-- --write` writes the names.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import * as shipped from "./shipped.mjs"
import { ROOT } from "./sources.mjs"

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

/**
 * The packages of a lock file whose licence is not known to be free, as messages.
 * @param {shipped.Lock} lock @param {ReadonlyArray<shipped.Bundled>} bundled @returns {ReadonlyArray<string>}
 */
export const check = (lock, bundled) => {
  const places = shipped.places(lock, bundled)
  return Object.entries(lock.packages).flatMap(([place, { license, link }]) => {
    // The package itself and its workspace.
    if (link === true || !place.includes("node_modules/")) return []
    const allowed = places.has(place) ? SHIPPED : TOOLS
    const parts = (license ?? "").replaceAll(/[()]/g, "").split(/ (AND|OR) /)
    const names = parts.filter((_, k) => k % 2 === 0)
    const free = parts.includes("OR")
      ? names.some((name) => allowed.has(name))
      : names.every((name) => allowed.has(name))
    return free
      ? []
      : [`${place}: ${license ?? "no licence"}; look at it, and add it to scripts/licences.mjs if it is free`]
  })
}

const MARKS = /** @type {const} */ (["<!-- bundled -->", "<!-- /bundled -->"])

/**
 * A text of Markdown whose list between the marks has the packages of the bundles by their licences.
 * @param {string} text @param {shipped.Lock} lock @param {ReadonlyArray<shipped.Bundled>} bundled @returns {string}
 */
export const named = (text, lock, bundled) => {
  /** @type {Map<string, Set<string>>} */
  const groups = new Map()
  for (const { place, name } of bundled) {
    const licence = lock.packages[place]?.license ?? "no licence"
    groups.set(licence, (groups.get(licence) ?? new Set()).add(name))
  }
  const list = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => `- ${licence}: ${[...names].sort().join(", ")}`)
  const [from, to] = [text.indexOf(MARKS[0]), text.indexOf(MARKS[1])]
  if (from < 0 || to < from) throw new Error(`the text has no ${MARKS.join(" and ")}`)
  return `${text.slice(0, from + MARKS[0].length)}\n\n${list.join("\n")}\n\n${text.slice(to)}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [lock, bundled] = [shipped.lock(), await shipped.bundled()]
  const page = path.join(ROOT, "SECURITY.md")
  const text = fs.readFileSync(page, "utf8")
  const now = named(text, lock, bundled)
  if (process.argv.includes("--write")) fs.writeFileSync(page, now)
  const wrong = [
    ...check(lock, bundled),
    ...(now === text || process.argv.includes("--write")
      ? []
      : ["SECURITY.md does not name the packages of the bundles; run npm run licences -- --write"]),
  ]
  for (const message of wrong) console.error(message)
  if (wrong.length > 0) process.exitCode = 1
  console.log(
    `licences: ${Object.keys(lock.packages).length} packages, ${bundled.length} of them in bundles, ${wrong.length} violations`,
  )
}
