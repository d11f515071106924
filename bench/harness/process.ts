import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { oneThread, pinned } from "./processors.ts"

/** A program and its arguments. */
export interface Command {
  readonly program: string
  readonly parameters: ReadonlyArray<string>
}

/** A script of this repository on this Node. */
export const node = (script: string, ...parameters: ReadonlyArray<string>): Command => ({
  program: process.execPath,
  parameters: ["--disable-warning=ExperimentalWarning", script, ...parameters],
})

/** A process that is running. */
export interface Running {
  readonly write: (text: string) => void
  /** Closes its standard input. */
  readonly close: () => void
  readonly kill: () => void
  /** Resolves at its end with how it ended, such as `ended with 3: no such file`. Rejects where it could not be started. */
  readonly ended: Promise<string>
}

/** Of what a program wrote on standard error, the line that names the error, Node's or Python's; else the last one. */
const reason = (text: string): string => {
  const all = text.trim().split("\n")
  return all.find((line) => /^\s*(\[?[\w.]*(Error|Exception)\b)/.test(line))?.trim() ?? all.at(-1) ?? ""
}

/**
 * Starts a program on processors of its own; its numerical libraries have one thread.
 *
 * @param slot which of the allowed processors, where `taskset` exists
 * @param onLine is given every whole line of its standard output
 * @param width how many processors it has
 */
export const start = (
  { program, parameters }: Command,
  slot: number,
  onLine: (line: string) => void,
  width = 1,
): Running => {
  const [file, rest] = pinned(program, parameters, slot, width)
  const child = spawn(file, rest, { env: { ...process.env, ...oneThread }, stdio: "pipe" })
  let complaints = ""
  createInterface({ input: child.stdout }).on("line", onLine)
  child.stderr.on("data", (chunk) => (complaints = (complaints + String(chunk)).slice(-4000)))
  // A program that ends before it reads its input closes the pipe; its end says why.
  child.stdin.on("error", () => undefined)
  return {
    write: (text) => child.stdin.write(text),
    close: () => child.stdin.end(),
    kill: () => child.kill("SIGKILL"),
    ended: new Promise((resolve, reject) => {
      child.on("error", reject)
      child.on("close", (code, signal) => resolve(`ended with ${signal ?? code}: ${reason(complaints)}`))
    }),
  }
}

/** How a process came to its end. */
export interface Ran {
  readonly killed: boolean
  /** as `Running.ended` */
  readonly end: string
  /** wall-clock seconds of the whole process */
  readonly wall: number
}

/**
 * Runs a program to its end, and kills it `limit` seconds after its start.
 *
 * @param input is all that it reads on standard input
 * @param width how many processors it has
 */
export const run = async (
  command: Command,
  input: string,
  slot: number,
  limit: number,
  onLine: (line: string) => void,
  width = 1,
): Promise<Ran> => {
  const started = performance.now()
  const running = start(command, slot, onLine, width)
  let killed = false
  const timer = setTimeout(() => {
    killed = true
    running.kill()
  }, 1000 * limit)
  running.write(input)
  running.close()
  try {
    const end = await running.ended
    return { killed, end, wall: (performance.now() - started) / 1000 }
  } finally {
    clearTimeout(timer)
  }
}
