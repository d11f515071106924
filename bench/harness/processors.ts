import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"

/** Whatever a program computes with, it gets one thread. */
export const oneThread = {
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  NUMEXPR_NUM_THREADS: "1",
  RAYON_NUM_THREADS: "1",
  NUMBA_NUM_THREADS: "1",
  TF_NUM_INTRAOP_THREADS: "1",
  TF_NUM_INTEROP_THREADS: "1",
} as const

/** The processors that this process may run on, where the system tells (Linux); else all of them, by number. */
const processors = (): ReadonlyArray<number> => {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? ""
    return list.split(",").flatMap((range) => {
      const [low = 0, high = low] = range.split("-").map(Number)
      return Array.from({ length: high - low + 1 }, (_, i) => low + i)
    })
  } catch {
    return Array.from({ length: availableParallelism() }, (_, i) => i)
  }
}

const allowed = processors()
const canPin = spawnSync("taskset", ["--version"]).status === 0

/**
 * A program and its arguments, on some processors of its own where `taskset` exists: the first slot has the first `width`
 * of those that are allowed, and so on.
 */
export const pinned = (
  program: string,
  parameters: ReadonlyArray<string>,
  slot: number,
  width = 1,
): readonly [string, ReadonlyArray<string>] => {
  const own = Array.from({ length: width }, (_, i) => allowed[(slot * width + i) % allowed.length])
  return canPin ? ["taskset", ["-c", own.join(","), program, ...parameters]] : [program, parameters]
}
