// The playground, built and served from a sub-path, as a static host does.
import { readFileSync } from "node:fs"
import fs from "node:fs/promises"
import http from "node:http"
import os from "node:os"
import path from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import { policy } from "../../playground/vite.config.ts"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".csv": "text/csv",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}

/** A served playground. */
export interface Served {
  /** the address of the page */
  readonly url: string
  /** the files that were asked for, in order, and their sizes as gzip, in bytes */
  readonly loaded: ReadonlyArray<{ readonly file: string; readonly bytes: number }>
  readonly close: () => Promise<void>
}

/** Builds the playground into a temporary folder, and serves it below a path. The page's policy is a header of every file, too: that of its worker. */
export const serve = async (): Promise<Served> => {
  const root = path.join(import.meta.dirname, "..", "..", "playground")
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "vasst-playground-"))
  await build({
    root,
    configFile: path.join(root, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true },
  })
  const below = "/some/where/vasst/"
  const loaded: Array<Served["loaded"][number]> = []
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
      loaded.push({ file, bytes: gzipSync(body).length })
      response.setHeader("content-type", types[path.extname(file)] ?? "application/octet-stream")
      response.setHeader("content-security-policy", policy)
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
    loaded,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await fs.rm(folder, { recursive: true, force: true })
    },
  }
}
