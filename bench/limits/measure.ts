import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lines } from "../harness/lines.ts"
import * as Resident from "./resident.ts"

const root = new URL("../../", import.meta.url).pathname
const hook = new URL("./usage.mjs", import.meta.url).href

/** What a command took and said. */
export interface Measured {
  /** from before the process begins until after its end */
  readonly seconds: number
  /** of all its processes */
  readonly cpu: number
  /** the peak of resident memory in MiB, of all its processes together; 0 where it was killed */
  readonly megabytes: number
  /** the same peak as the system tells it to this process (`resident.ts`); 0 where it does not */
  readonly seen: number
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a process says at its end. */
interface Usage {
  readonly cpu: number
  readonly megabytes: number
}

/** The program as it is built, and as it is written. */
export const programs = {
  built: [join(root, "bin/vasst.mjs")],
  source: [
    "--conditions=vasst-source",
    "--disable-warning=ExperimentalWarning",
    join(root, "src/cli/main.ts"),
  ],
} as const

/**
 * Runs the program and measures it.
 *
 * @param args the arguments after `vasst`
 */
export const vasst = async (
  args: ReadonlyArray<string>,
  program: keyof typeof programs = "built",
): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "vasst-limits-"))
  const file = join(folder, "usage.jsonl")
  try {
    const started = performance.now()
    const child = spawn(process.execPath, ["--import", hook, ...programs[program], ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, VASST_USAGE: file },
    })
    const resident = Resident.watch(child.pid ?? 0)
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    let seen = 0
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject)
      child.on("close", resolve)
    }).finally(() => (seen = resident.close()))
    const seconds = (performance.now() - started) / 1000
    const usages = lines<Usage>(file)
    const sum = (of: keyof Usage): number => usages.reduce((total, one) => total + one[of], 0)
    return { seconds, cpu: sum("cpu"), megabytes: sum("megabytes"), seen, code, stdout, stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The best law of a printed ranking; empty where there is none. */
export const lawOf = (stdout: string): string => stdout.split("\n")[1]?.split(/ {2,}/).at(-1) ?? ""
