// A way to a server on this machine that can be cut: nothing passes any more, and neither end is told, as with a cable that is pulled.
import { connect, createServer, type Socket } from "node:net"

export interface Proxy {
  /** The address of a server with the port of this way. */
  readonly to: (url: string) => string
  /** Nothing passes from now on, on connections that there are and on new ones; or only answers do not. */
  readonly cut: (what?: "answers") => void
  /** What was sent meanwhile passes, as when lost packets are sent again. */
  readonly heal: () => void
  /** New connections pass, and those that there were stay cut, as when a firewall has forgotten them. */
  readonly forget: () => void
  readonly close: () => Promise<void>
}

/** Opens a way to the port of an address. */
export const open = async (url: string): Promise<Proxy> => {
  const target = Number(new URL(url).port)
  let whole = true
  const sockets = new Map<Socket, "requests" | "answers">()
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1")
    for (const [from, into, what] of [
      [near, far, "requests"],
      [far, near, "answers"],
    ] as const) {
      sockets.set(from, what)
      from.on("data", (part) => void into.write(part))
      from.on("end", () => into.end())
      // A server that crashes resets its connections.
      from.on("error", () => into.destroy())
      from.on("close", () => {
        sockets.delete(from)
        into.destroy()
      })
      if (!whole) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    to: (original) => {
      const changed = new URL(original)
      changed.port = String(port)
      return changed.href
    },
    cut: (only) => {
      whole = false
      for (const [socket, what] of sockets) if (only === undefined || what === only) socket.pause()
    },
    heal: () => {
      whole = true
      for (const socket of sockets.keys()) socket.resume()
    },
    forget: () => {
      whole = true
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.keys()) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
