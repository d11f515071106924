import * as WorkerThreads from "node:worker_threads"
import * as Connection from "./Connection.ts"

// Sources run as they are, and `dist` holds their translations: the entry has the same ending as this module.
const entry = new URL(import.meta.url.endsWith(".ts") ? "./entry.ts" : "./entry.js", import.meta.url)

export const start: Connection.Start = ({ module, name }) =>
  Connection.make(({ message, lost }) => {
    const worker = new WorkerThreads.Worker(entry, { workerData: { module, name }, name: `vasst ${name}` })
    worker.on("error", lost)
    worker.on("messageerror", lost)
    worker.on("exit", (code) => lost(`it exited with code ${code}`))
    worker.on("message", message)
    return { post: (input) => worker.postMessage(input), close: () => worker.terminate() }
  })
