/** The processor time of a PostgreSQL server, of all of its processes. */
import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks of Linux in a second. */
const ticks = 100

interface Process {
  readonly parent: number
  readonly seconds: number
}

const stat = (pid: string): Process | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name of the program, in brackets, may have blanks.
    const [, parent = "", ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [user = "0", system = "0", childUser = "0", childSystem = "0"] = rest.slice(9, 13)
    return {
      parent: Number(parent),
      seconds: (Number(user) + Number(system) + Number(childUser) + Number(childSystem)) / ticks,
    }
  } catch (error) {
    // It has ended since the folder was read.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined
    throw error
  }
}

/** Seconds of CPU of a process, its children, and children of it that have ended. */
export const seconds = (pid: number): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ name: Number(name), ...(stat(name) ?? { parent: 0, seconds: 0 }) }))
    .filter(({ name, parent }) => name === pid || parent === pid)
    .reduce((sum, one) => sum + one.seconds, 0)
