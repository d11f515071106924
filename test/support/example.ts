// Runs an example as a user does, in a process of its own.
import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"

const root = path.join(import.meta.dirname, "..", "..")

/** What `npm run ts -- examples/<name>` prints. Fails with what it says on stderr when it does not exit with 0. */
export const printed = async (name: string): Promise<string> => {
  const flags = ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning"]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, path.join("examples", name)], {
    cwd: root,
    timeout: 120_000,
  })
  return stdout
}

/** The lines that are not empty. */
export const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")
