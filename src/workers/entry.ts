/** The program of a worker thread: it loads the module of its task, then answers the posted jobs. */
import { parentPort, workerData } from "node:worker_threads"
import { answering, type Assignment, type FromWorker, here, type Runnable } from "./Protocol.ts"

type Task = Runnable<unknown, unknown, unknown>

// `Thread.start` is the only one to start this module.
const assignment = workerData as Assignment
if (parentPort === null) throw new Error("this module is for worker threads, which Workers.make starts")
const port = parentPort

const isAssigned = (value: unknown): value is Task =>
  typeof value === "object" &&
  value !== null &&
  "run" in value &&
  "name" in value &&
  value.name === assignment.name

here.worker = true
here.loading = true
const exported: Readonly<Record<string, unknown>> = await import(assignment.module)
here.loading = false
const task = Object.values(exported).find(isAssigned)
if (task === undefined) throw new Error(`${assignment.module} exports no task named "${assignment.name}"`)

const post = (message: FromWorker<unknown, unknown>): void => port.postMessage(message)
port.on("message", answering(task, post))
post({ _tag: "Ready" })
