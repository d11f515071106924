import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "./process.ts"

/** A program that can be run, or why it cannot. */
export type Available = { readonly command: Command } | { readonly missing: string }

/** Runs a Python script on the interpreter of a virtual environment in the folder that PEERS_HOME names. */
export const python = (
  environment: string,
  script: string,
  ...parameters: ReadonlyArray<string>
): Available => {
  const home = process.env["PEERS_HOME"]
  if (home === undefined) return { missing: "PEERS_HOME is not set" }
  const program = join(home, environment, "bin", "python")
  return existsSync(program)
    ? { command: { program, parameters: ["-W", "ignore", script, ...parameters] } }
    : { missing: `PEERS_HOME/${environment} has no Python` }
}

/** As `python`, for a script that loads run_peer.py or vasst_torch.py, which lie in the folder that PEERS_SCRIPTS names. */
export const peer = (environment: string, script: string, ...parameters: ReadonlyArray<string>): Available =>
  process.env["PEERS_SCRIPTS"] === undefined
    ? { missing: "PEERS_SCRIPTS is not set" }
    : python(environment, script, ...parameters)

/** The file of a script in bench/peers. */
export const peerScript = (name: string): string => new URL(`../peers/${name}`, import.meta.url).pathname

/** The Python that judges, with SymPy and NumPy: that of the virtual environment `venv` under PEERS_HOME, else python3. */
export const judging = (script: string, ...parameters: ReadonlyArray<string>): Command => {
  const found = python("venv", script, ...parameters)
  return "command" in found
    ? found.command
    : { program: "python3", parameters: ["-W", "ignore", script, ...parameters] }
}
