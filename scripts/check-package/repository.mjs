// The public address of the project: package.json has it as soon as a git remote does.
import { spawnSync } from "node:child_process"

/** A URL with a host, or git's short form of one (`git@host:path`). A folder, such as that of a clone in CI, is neither. */
const address = /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?|[\w.-]+@)(?!localhost\b|127\.|\[::1\])[^/:]+[/:]/

/**
 * The addresses of a repository's remotes that others can reach.
 * @param {string} folder of the work tree; one that is no repository has no remotes
 * @returns {ReadonlyArray<string>}
 */
export const remotes = (folder) => {
  const { error, status, stdout } = spawnSync("git", ["remote", "-v"], { cwd: folder, encoding: "utf8" })
  if (error !== undefined) throw error
  if (status !== 0) return []
  const urls = stdout.split("\n").flatMap((line) => line.split(/\s/)[1] ?? [])
  return [...new Set(urls)].filter((url) => address.test(url))
}

/**
 * What package.json lacks: undefined where it has a `repository`, or where there is no public remote whose address it could have.
 * @param {{ readonly repository?: unknown }} manifest @param {ReadonlyArray<string>} urls of public remotes
 * @returns {string | undefined}
 */
export const fault = ({ repository }, urls) => {
  if (urls.length === 0) return undefined
  const url =
    typeof repository === "object" && repository !== null && "url" in repository ? repository.url : repository
  return typeof url === "string" && url !== ""
    ? undefined
    : `package.json has no repository, and the project has a public address; add "repository": { "type": "git", "url": "${urls[0]}" }`
}
