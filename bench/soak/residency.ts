/** What a process has: memory, threads, open files, and what keeps its loop alive. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { getHeapCodeStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as tf from "@tensorflow/tfjs-core"

/** A reading; memory in MB. */
export interface Reading {
  readonly seconds: number
  /** resident memory before garbage is collected */
  readonly rss: number
  /** after garbage is collected, without code */
  readonly heap: number
  /** the part of the heap that V8 has compiled, which grows for hours with what it learns of the program */
  readonly code: number
  readonly external: number
  readonly threads: number
  readonly files: number
  /** handles and requests of the loop: sockets, timers, ports of workers */
  readonly handles: number
  readonly tensors: number
  /** files and folders in the folder of temporary files */
  readonly temporary: number
}

setFlagsFromString("--expose-gc")
// V8 gives the function to contexts that begin after the flag is set.
const collect = runInNewContext("gc") as () => void

const megabytes = (bytes: number): number => Math.round((10 * bytes) / 2 ** 20) / 10

/** Linux says it; elsewhere it is not counted. */
const threads = (): number => {
  try {
    return Number(/^Threads:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

const files = (): number => {
  try {
    return readdirSync("/proc/self/fd").filter((one) => {
      try {
        return readlinkSync(`/proc/self/fd/${one}`) !== ""
      } catch {
        // That of this very list is closed by now.
        return false
      }
    }).length
  } catch {
    return 0
  }
}

/**
 * A reading of this process.
 *
 * @param seconds since its start
 * @param folder of temporary files
 */
export const read = (seconds: number, folder: string): Reading => {
  const { rss } = process.memoryUsage()
  // What the first leaves to finalizers, such as the memory of WebAssembly, goes with the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics()
  const code = code_and_metadata_size + bytecode_and_metadata_size
  return {
    seconds: Math.round(seconds),
    rss: megabytes(rss),
    heap: megabytes(heapUsed - code),
    code: megabytes(code),
    external: megabytes(external),
    threads: threads(),
    files: files(),
    handles: process.getActiveResourcesInfo().length,
    tensors: tf.memory().numTensors,
    temporary: readdirSync(folder).length,
  }
}
