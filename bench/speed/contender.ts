import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { node } from "../harness/process.ts"
import { oneThread } from "../harness/processors.ts"
import * as Python from "../harness/python.ts"

/** One side of a comparison: a command that prints one line of JSON, `{ "absent": why }` if it cannot run here. */
export interface Contender {
  readonly name: string
  /** the command, or why there is none */
  readonly found: Python.Available
}

/** One run of a contender that is here. */
export interface Run<A> {
  readonly value: A
  /** wall-clock seconds of the whole process, start included */
  readonly wall: number
  /** CPU seconds of the whole process and its children, start included */
  readonly cpu: number
}

/** The outcome of a contender: its runs, or why there are none. */
export interface Outcome<A> {
  readonly name: string
  readonly runs: ReadonlyArray<Run<A>>
  readonly absent: string | undefined
}

/** A script of this folder on this Node. */
export const script = (
  name: string,
  file: string,
  ...parameters: ReadonlyArray<string | number>
): Contender => ({
  name,
  found: { command: node(new URL(file, import.meta.url).pathname, ...parameters.map(String)) },
})

/** A Python program of bench/peers. */
export const peer = (
  name: string,
  file: string,
  ...parameters: ReadonlyArray<string | number>
): Contender => ({ name, found: Python.python("venv", Python.peerScript(file), ...parameters.map(String)) })

/** A program of the folder that PEERS_SCRIPTS names. */
export const shared = (
  name: string,
  file: string,
  ...parameters: ReadonlyArray<string | number>
): Contender => ({
  name,
  found: Python.peer("venv", join(process.env["PEERS_SCRIPTS"] ?? "", file), ...parameters.map(String)),
})

/**
 * Runs a contender once.
 *
 * @returns its run, or why it cannot run here
 * @throws Error if it fails in any other way
 */
const runOnce = <A>({ name, found }: Contender): Run<A> | string => {
  if ("missing" in found) return found.missing
  const { program, parameters } = found.command
  // The shell's own clock counts the CPU time of whatever the command starts.
  const { status, stdout, stderr, error } = spawnSync(
    "bash",
    ["-c", 'TIMEFORMAT="%R %U %S"; time "$@"', "bash", program, ...parameters],
    { encoding: "utf8", env: { ...process.env, ...oneThread }, maxBuffer: 2 ** 28 },
  )
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`)
  const line = stdout.trimEnd().split("\n").at(-1) ?? ""
  const value: A & { readonly absent?: string } = JSON.parse(line)
  if (value.absent !== undefined) return value.absent
  const [wall = 0, user = 0, system = 0] = stderr.trimEnd().split("\n").at(-1)!.split(" ").map(Number)
  return { value, wall, cpu: user + system }
}

/** Runs contenders in turn, several rounds, each time in a process of its own. */
export const inTurn = <A>(
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  say: (run: Run<A>) => string,
): ReadonlyArray<Outcome<A>> => {
  const runs = contenders.map((): Array<Run<A>> => [])
  const absent = contenders.map((): string | undefined => undefined)
  for (let round = 1; round <= rounds; round++)
    for (const [index, contender] of contenders.entries()) {
      if (absent[index] !== undefined) continue
      const run = runOnce<A>(contender)
      if (typeof run === "string") absent[index] = run
      else runs[index]!.push(run)
      const told = typeof run === "string" ? `left out: ${run}` : say(run)
      console.error(`round ${round}, ${contender.name}: ${told}`)
    }
  return contenders.map(({ name }, index) => ({ name, runs: runs[index]!, absent: absent[index] }))
}
