/** The resident memory of a process as the system tells it to others, which does not ask the process itself. */
import { readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process has ended, or this is not Linux.
    return ""
  }
}

/** A process with those that it has begun, and those that these have. */
const familyOf = (pid: number): ReadonlyArray<number> => [
  pid,
  ...read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(familyOf),
]

/** The peak of the resident memory of a process in MiB (VmHWM of its status); 0 where it is not known. */
export const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** Milliseconds between looks. A peak stays where it is until the process ends: only what grows in the last of these is not seen. */
const looking = 20

/** Looks at a process and at those that it begins until it is closed. `close` gives the sum of their peaks in MiB, 0 where nothing was seen. */
export const watch = (pid: number): { readonly close: () => number } => {
  const peaks = new Map<number, number>()
  const look = (): void => {
    for (const one of familyOf(pid)) peaks.set(one, Math.max(peaks.get(one) ?? 0, peakOf(one)))
  }
  look()
  const timer = setInterval(look, looking)
  return {
    close: () => {
      clearInterval(timer)
      return [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
    },
  }
}
