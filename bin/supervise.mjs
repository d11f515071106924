// Where Node has a small heap the program runs in a process of its own: V8 ends a process that needs more with pages of its own, and no line
// of the process can follow them. The parent has a line.
import { spawn } from "node:child_process"
import { getHeapStatistics } from "node:v8"

/** Below this number of bytes a heap is small: a fit of an ordinary table may need as much. */
const small = 512 * 2 ** 20
/** What V8 writes when a heap is full. */
const trace = /\r?\n?(<--- Last few GCs --->|FATAL ERROR: )/

/** Whether this process is to be a parent alone. */
export const isWanted = () =>
  process.env["VASST_SUPERVISED"] === undefined && getHeapStatistics().heap_size_limit < small

/**
 * Runs the program again, and ends as it ends.
 *
 * @param {string} program the path of the script
 */
export const run = (program) => {
  const child = spawn(process.execPath, [...process.execArgv, program, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "pipe"],
    env: { ...process.env, VASST_SUPERVISED: "1" },
  })
  let full = false
  child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    const found = full ? undefined : trace.exec(text)
    if (!full) process.stderr.write(found ? text.slice(0, found.index) : text)
    full ||= found !== null
  })
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => {
      // A terminal tells both.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
    })
  process.stderr.on("error", () => undefined)
  child.on("close", (code, signal) => {
    if (full) {
      const megabytes = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)
      process.stderr.write(
        `vasst: this needs more memory than the ${megabytes} MB that Node has; set NODE_OPTIONS=--max-old-space-size=${Math.max(1024, 4 * megabytes)}, or ask for fewer rows, columns, trees or workers\n`,
      )
    }
    process.exitCode = full ? 1 : (code ?? (signal === null ? 1 : 128))
  })
}
