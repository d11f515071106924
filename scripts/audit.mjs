// `npm run audit`: known vulnerabilities of what an install of vasst has. A registry without such a list, or none that answers, is said and
// is no failure: nothing was found, because nothing was looked for.
import { spawnSync } from "node:child_process"
import { pathToFileURL } from "node:url"

/**
 * What the answer of `npm audit --json` says.
 * @param {string} text @returns {{ readonly failed: boolean, readonly message: string }}
 */
export const verdict = (text) => {
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return { failed: false, message: "not checked: npm audit gave no answer" }
  }
  const counts = answer.metadata?.vulnerabilities
  if (counts === undefined)
    return {
      failed: false,
      message: `not checked: ${answer.message ?? answer.error?.summary ?? "the registry has no audits"}`,
    }
  const names = Object.keys(answer.vulnerabilities ?? {})
  return counts.total === 0
    ? { failed: false, message: "no known vulnerabilities" }
    : { failed: true, message: `${counts.total} known vulnerabilities: ${names.join(", ")}; see npm audit` }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" })
  const { failed, message } = verdict(stdout ?? "")
  console.log(`audit: ${message}`)
  if (failed) process.exitCode = 1
}
