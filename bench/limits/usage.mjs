// Loaded before a program that is measured (`node --import`): at its end the process says how much of the processor and of memory it has used.
import { appendFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const file = process.env["VASST_USAGE"]
// Threads are parts of their process.
if (isMainThread && file !== undefined)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const cpu = (userCPUTime + systemCPUTime) / 1e6
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, cpu, megabytes: maxRSS / 1024 })}\n`)
  })
