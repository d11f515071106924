// A static host for a folder, below a path.
import { readFileSync } from "node:fs"
import http from "node:http"
import path from "node:path"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".csv": "text/csv",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
}

/** A served folder. */
export interface Served {
  /** the address of the folder */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Serves the files of a folder.
 *
 * @param options headers of every file, and what is told of each file that was asked for
 */
export const serve = async (
  folder: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly onFile?: (file: string, body: Buffer) => void
  } = {},
): Promise<Served> => {
  const below = "/some/where/vasst/"
  const server = http.createServer((request, response) => {
    const name = (request.url ?? "").split("?")[0]!
    const file = name === below ? "index.html" : name.slice(below.length)
    const full = path.join(folder, file)
    if (!name.startsWith(below) || !full.startsWith(folder)) {
      response.statusCode = 404
      response.end()
      return
    }
    try {
      const body = readFileSync(full)
      options.onFile?.(file, body)
      response.setHeader("content-type", types[path.extname(file)] ?? "application/octet-stream")
      for (const [header, value] of Object.entries(options.headers ?? {})) response.setHeader(header, value)
      response.end(body)
    } catch (error) {
      response.statusCode = 404
      response.end(String(error))
    }
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${below}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
