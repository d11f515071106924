// A network of its own for some processes, joined to that of this machine by one cable (a veth pair), which can be pulled: what the kernel
// knows of a network is the same as with two machines. It takes Linux, root and the program `ip`.
import { execFileSync } from "node:child_process"
import * as Needed from "./needed.ts"

export interface Namespace {
  /** the address of this machine in the network of the namespace */
  readonly here: string
  /** both addresses, as a server's list of those it trusts has them */
  readonly subnet: string
  /** A command with its arguments, run in the namespace: its process is that of the command itself. */
  readonly command: (...args: ReadonlyArray<string>) => readonly [string, ...ReadonlyArray<string>]
  /** Pulls the cable: nothing passes, and no end of a connection is told. */
  readonly cut: () => void
  readonly heal: () => void
  readonly remove: () => void
}

const ip = (...args: ReadonlyArray<string>): string =>
  execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Makes a namespace. @throws Error where this machine does not allow it */
export const make = (): Namespace => {
  // Different from those of tests beside this one.
  const own = process.pid
  const [name, outer, inner] = [`vasst-${own}`, `vo${own}`, `vi${own}`]
  const block = 4 * (own % 16_000)
  const address = (host: number): string => `10.231.${block >> 8}.${(block & 255) + host}`
  const remove = (): void => {
    // The cable goes with one of its ends.
    for (const args of [
      ["link", "del", outer],
      ["netns", "del", name],
    ])
      try {
        ip(...args)
      } catch {
        // It was not made.
      }
  }
  try {
    ip("netns", "add", name)
    ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name)
    ip("addr", "add", `${address(1)}/30`, "dev", outer)
    ip("link", "set", outer, "up")
    ip("-n", name, "addr", "add", `${address(2)}/30`, "dev", inner)
    ip("-n", name, "link", "set", inner, "up")
  } catch (error) {
    remove()
    throw error
  }
  return {
    here: address(1),
    subnet: `${address(0)}/30`,
    command: (...args) => ["ip", "netns", "exec", name, ...args],
    cut: () => void ip("link", "set", outer, "down"),
    heal: () => void ip("link", "set", outer, "up"),
    remove,
  }
}

/** What is missing for a namespace; undefined where one can be made. */
export const missing = (): string | undefined => {
  if (process.platform !== "linux") return "Linux, whose network namespaces are"
  if (process.getuid?.() !== 0) return Needed.root
  try {
    make().remove()
    return undefined
  } catch (error) {
    return `network namespace (Debian's package iproute2, and a kernel that allows it): ${error instanceof Error ? error.message.trim() : String(error)}`
  }
}
