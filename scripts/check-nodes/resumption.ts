// A run that one version of Node has begun, killed while it goes on, and that another one ends: its result has the bytes of a run that nothing has ended.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Resumable from "../../test/support/resumable.ts"

const flags = ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning", "src/cli/main.ts"]

/** Runs vasst on a Node. @param ends whether it is killed now, asked every 20 ms @returns its exit code; null for one that was killed */
const vasst = (
  node: string,
  args: ReadonlyArray<string>,
  ends: () => boolean = () => false,
): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [...flags, ...args], { stdio: "ignore" })
    const watch = setInterval(() => {
      if (ends()) child.kill("SIGKILL")
    }, 20)
    child.on("error", reject)
    child.on("close", (code) => {
      clearInterval(watch)
      resolve(code)
    })
  })

/**
 * @param nodes the programs of two versions: each begins a run that the other ends
 * @returns the number of bytes of the result
 * @throws Error when a run that goes on has another result, or was over before it was killed
 */
export const resumption = async ([one, other]: readonly [string, string]): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "vasst-nodes-"))
  const path = (...names: ReadonlyArray<string>): string => join(folder, ...names)
  try {
    writeFileSync(path("data.csv"), Resumable.csv())
    const fit = ["fit", path("data.csv"), "--target=y", "--effort=60000", "--workers=1"]
    const result = (name: string): string => readFileSync(path(name, "fit.json"), "utf8")
    const ended = async (...call: Parameters<typeof vasst>): Promise<void> => {
      const code = await vasst(...call)
      if (code !== 0) throw new Error(`${call[1].join(" ")} ends with ${code}`)
    }
    await ended(one, [...fit, "--out", path("whole")])
    for (const [name, first, second] of [
      ["there", one, other],
      ["back", other, one],
    ] as const) {
      const kept = (): boolean =>
        existsSync(path(name)) && readdirSync(path(name)).some((file) => file.endsWith(".state"))
      const code = await vasst(first, [...fit, "--run", path(name), "--every", "0.1"], kept)
      if (code !== null) throw new Error(`the run "${name}" ends with ${code} before it is killed`)
      await ended(second, ["resume", path(name)])
      if (result(name) !== result("whole"))
        throw new Error(`a run that another version of Node ends has another result: "${name}"`)
    }
    return result("whole").length
  } finally {
    rmSync(folder, { recursive: true })
  }
}
