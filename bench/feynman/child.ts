import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { oneThread, pinned } from "../processors.ts"
import type { Ending, Improvement, Message } from "./record.ts"

/** A program to run, and what it reads. */
export interface Command {
  readonly program: string
  readonly parameters: ReadonlyArray<string>
  readonly input?: string
}

/** What came out of a child, to whatever end it came. */
export interface Outcome {
  readonly improvements: ReadonlyArray<Improvement>
  /** undefined where it was killed or failed */
  readonly ending: Ending | undefined
  readonly killed: boolean
  /** the last lines of its standard error, where it failed */
  readonly error: string | undefined
  /** wall-clock seconds of the whole process */
  readonly wall: number
}

/** Of what a program wrote on standard error, the line that names the error, Node's or Python's; else the last one. */
const reason = (text: string): string => {
  const all = text.trim().split("\n")
  return all.find((line) => /^\s*(\[?[\w.]*(Error|Exception)\b)/.test(line))?.trim() ?? all.at(-1) ?? ""
}

/**
 * Runs a solver's process on one processor, that of `slot` where `taskset` exists, and takes its lines as they come. It is
 * killed `limit` seconds after its start; what it had by then counts.
 */
export const run = (
  { program, parameters, input = "" }: Command,
  slot: number,
  limit: number,
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const [file, rest] = pinned(program, parameters, slot)
    const child = spawn(file, rest, { env: { ...process.env, ...oneThread }, stdio: "pipe" })
    const improvements: Array<Improvement> = []
    let ending: Ending | undefined
    let killed = false
    let complaints = ""
    const timer = setTimeout(() => {
      killed = true
      child.kill("SIGKILL")
    }, 1000 * limit)
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return
      // A line that was cut when the process was killed is none.
      try {
        const message: Message = JSON.parse(line)
        if ("improvement" in message) improvements.push(message.improvement)
        else ending = message.ending
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
    })
    child.stderr.on("data", (chunk) => (complaints = (complaints + String(chunk)).slice(-4000)))
    child.on("error", reject)
    // A child that fails before it reads its input closes the pipe; its own complaint says why.
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
    child.on("close", (code) => {
      clearTimeout(timer)
      const error = ending === undefined && !killed ? `ended with ${code}: ${reason(complaints)}` : undefined
      resolve({ improvements, ending, killed, error, wall: (performance.now() - started) / 1000 })
    })
  })
