// What the checks of the packed package are made of.
import { spawnSync } from "node:child_process"

/** @param {string} message @returns {never} */
export const fail = (message) => {
  console.error(`check:package  ${message}`)
  process.exit(1)
}

/**
 * What a command prints; ends this program where the command fails.
 * @param {string} cwd @param {string} command @param {ReadonlyArray<string>} args
 */
export const run = (cwd, command, args) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status === 0) return stdout
  return fail(`${[command, ...args].join(" ")}: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
}

/** @param {boolean} right @param {string} what @param {unknown} found */
export const check = (right, what, found) => {
  if (!right) fail(`${what}: ${typeof found === "string" ? found : JSON.stringify(found)}`)
  console.log(`check:package  ${what}`)
}
