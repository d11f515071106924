import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus } from "node:os"

const root = new URL("../../", import.meta.url).pathname

/** The commit, with a plus where one of some files or folders has been changed since. */
const commit = (watched: ReadonlyArray<string>): string => {
  const git = (...parameters: ReadonlyArray<string>): string =>
    execFileSync("git", parameters, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim()
  try {
    const changed = git("status", "--porcelain", "--", ...watched) !== ""
    return `${git("rev-parse", "--short", "HEAD")}${changed ? "+" : ""}`
  } catch {
    return "no repository"
  }
}

/**
 * What this process measures with, in a line: version, commit, Node, processor.
 *
 * @param watched files and folders, relative to the repository, that the measurement depends on
 */
export const provenance = (watched: ReadonlyArray<string>): string => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
  return `vasst ${version} (${commit(watched)}), Node ${process.versions.node}, ${cpus()[0]?.model ?? "unknown processor"}`
}
