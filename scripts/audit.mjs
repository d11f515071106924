// `npm run audit`: each package that is shipped is in the lock file with the hash of its bytes, and has no known vulnerability. A registry without a
// list of vulnerabilities, or none that answers, is said in the last line and is no failure: nothing was found, because nothing was looked for.
import { spawnSync } from "node:child_process"
import { pathToFileURL } from "node:url"
import * as shipped from "./shipped.mjs"

/** @typedef {{ readonly failed: boolean, readonly message: string }} Verdict */

/**
 * What is wrong with shipped packages by the lock file alone, a message each.
 * @param {shipped.Lock} lock @param {ReadonlyArray<shipped.Bundled>} bundled @returns {ReadonlyArray<string>}
 */
export const unlocked = (lock, bundled) => [
  ...bundled.flatMap(({ place, version }) => {
    const locked = lock.packages[place]
    if (locked === undefined) return [`${place} is in a bundle and not in package-lock.json; run npm install`]
    return locked.version === version
      ? []
      : [`${place} is in a bundle as ${version}, and in package-lock.json as ${locked.version}; run npm ci`]
  }),
  ...[...shipped.places(lock, bundled)]
    .filter(
      (place) =>
        lock.packages[place] !== undefined && !(lock.packages[place].integrity ?? "").startsWith("sha512-"),
    )
    .map((place) => `${place} has no SHA-512 of its bytes in package-lock.json`),
]

/**
 * What the answer of `npm audit --json` says of shipped packages.
 * @param {string} text @param {ReadonlySet<string>} places of shipped packages in the lock file @returns {Verdict}
 */
export const verdict = (text, places) => {
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return { failed: false, message: "NOT CHECKED for known vulnerabilities: npm audit gave no answer" }
  }
  if (answer.metadata?.vulnerabilities === undefined)
    return {
      failed: false,
      message: `NOT CHECKED for known vulnerabilities: ${answer.message || answer.error?.summary || "the registry has no audits"}`,
    }
  /** @type {ReadonlyArray<[string, { readonly nodes?: ReadonlyArray<string> }]>} */
  const found = Object.entries(answer.vulnerabilities ?? {})
  // One without places may be anywhere.
  const own = found.filter(([, { nodes }]) => nodes?.some((place) => places.has(place)) ?? true)
  const rest = found.length - own.length
  const tools = rest === 0 ? "" : `; ${rest} in tools, of which nothing is shipped`
  return own.length === 0
    ? { failed: false, message: `no known vulnerabilities${tools}` }
    : {
        failed: true,
        message: `known vulnerabilities of ${own.map(([name]) => name).join(", ")}${tools}; see npm audit`,
      }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [lock, bundled] = [shipped.lock(), await shipped.bundled()]
  const places = shipped.places(lock, bundled)
  const wrong = unlocked(lock, bundled)
  for (const message of wrong) console.error(message)
  const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" })
  const { failed, message } = verdict(stdout ?? "", places)
  if (failed || wrong.length > 0) process.exitCode = 1
  const locked =
    wrong.length === 0 ? "all in the lock file with their hashes" : `${wrong.length} faults of the lock file`
  console.log(
    `audit: ${places.size} packages are shipped, ${bundled.length} of them in bundles; ${locked}; ${message}`,
  )
}
