import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { oneThread, pinned } from "../processors.ts"
import type { Answer } from "./worker.ts"

/** A process on one processor that answers lines of JSON by lines of JSON, one at a time. */
export interface Worker {
  /** What it says of a message; an error where it fails, or says nothing for `limit` seconds and is killed. */
  readonly ask: (message: object, limit: number) => Promise<Answer>
  readonly end: () => void
}

/** A program that serves as a worker. */
export interface Program {
  readonly program: string
  readonly parameters: ReadonlyArray<string>
}

/** The worker of this folder. */
export const own: Program = {
  program: process.execPath,
  parameters: ["--disable-warning=ExperimentalWarning", new URL("worker.ts", import.meta.url).pathname],
}

interface Running {
  readonly send: (text: string) => void
  readonly kill: () => void
  readonly end: () => void
  /** the next line, or why there will be none */
  readonly next: () => Promise<string | { readonly gone: string }>
}

const start = ({ program, parameters }: Program, slot: number): Running => {
  const [file, rest] = pinned(program, parameters, slot)
  const child = spawn(file, rest, { env: { ...process.env, ...oneThread }, stdio: "pipe" })
  let complaints = ""
  let take: (line: string | { readonly gone: string }) => void = () => undefined
  createInterface({ input: child.stdout }).on("line", (line) => take(line))
  child.stderr.on("data", (chunk) => (complaints = (complaints + String(chunk)).slice(-2000)))
  // A process that has gone closes its pipes; its end says why.
  child.stdin.on("error", () => undefined)
  const gone = new Promise<{ readonly gone: string }>((resolve) => {
    child.on("error", (error) => resolve({ gone: error.message }))
    child.on("close", (code, signal) =>
      resolve({ gone: `ended with ${signal ?? code}: ${complaints.trim().split("\n").at(-1) ?? ""}` }),
    )
  })
  return {
    send: (text) => child.stdin.write(text),
    kill: () => child.kill("SIGKILL"),
    end: () => child.stdin.end(),
    next: () =>
      Promise.race([new Promise<string | { readonly gone: string }>((resolve) => (take = resolve)), gone]),
  }
}

/** A worker that is started when it is first asked, and again after it was lost. */
export const worker = (program: Program, slot: number): Worker => {
  let running: Running | undefined
  return {
    ask: async (message, limit) => {
      const process = (running ??= start(program, slot))
      let late = false
      const timer = setTimeout(() => {
        late = true
        process.kill()
      }, 1000 * limit)
      const answer = process.next()
      process.send(`${JSON.stringify(message)}\n`)
      const line = await answer
      clearTimeout(timer)
      if (typeof line === "string") return JSON.parse(line)
      running = undefined
      return { error: late ? `killed after ${limit} s` : line.gone }
    },
    end: () => running?.end(),
  }
}
