// The command line as processes of their own, which a test kills, freezes, and gives an environment of their own.
import { type ChildProcess, spawn } from "node:child_process"

export interface Running {
  readonly pid: number
  /** what it has said on standard error so far */
  readonly err: () => string
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

const children = new Set<ChildProcess>()
/** What each program has said on standard error. */
const said = new Set<() => string>()

/** Ends all processes that were started here. */
export const endAll = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

/** The program and its flags before the arguments of the command line. */
export const program: readonly [string, ...ReadonlyArray<string>] = [
  process.execPath,
  "--conditions=vasst-source",
  "--disable-warning=ExperimentalWarning",
  "src/cli/main.ts",
]

/** Starts a command. @param env beside the environment of the test */
export const start = (
  [command, ...args]: readonly [string, ...ReadonlyArray<string>],
  env: Readonly<Record<string, string>> = {},
): Running => {
  const child = spawn(command, args, { env: { ...process.env, ...env } })
  children.add(child)
  let [out, err] = ["", ""]
  said.add(() => err)
  child.stdout.on("data", (part: Buffer) => (out += part.toString()))
  child.stderr.on("data", (part: Buffer) => (err += part.toString()))
  return {
    pid: child.pid ?? 0,
    err: () => err,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) =>
      child.on("close", (code) => {
        children.delete(child)
        resolve({ code, out, err })
      }),
    ),
  }
}

export const vasst = (...args: ReadonlyArray<string>): Running => start([...program, ...args])

/** Milliseconds for a test on a machine that is busy: nothing but conditions is waited for. */
export const limit = 1_200_000

/** Waits for something that comes. @throws Error with what the programs said, shortly before the test is over */
export const until = async <A>(what: string, look: () => A | undefined | false): Promise<A> => {
  const began = performance.now()
  while (performance.now() - began < limit / 2) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`there is no ${what}; the programs said: ${[...said].map((text) => text()).join("")}`)
}

/** Ends workers, which give their jobs back. */
export const stop = async (workers: ReadonlyArray<Running>): Promise<void> => {
  for (const worker of workers) {
    worker.kill("SIGCONT")
    worker.kill("SIGTERM")
    await worker.ended
  }
}
