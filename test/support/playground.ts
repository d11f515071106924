// The playground, built and served from a sub-path, as a static host does.
import fs from "node:fs/promises"
import os from "node:os"
import path from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import { policy } from "../../playground/vite.config.ts"
import * as Host from "./host.ts"

/** A served playground. */
export interface Served extends Host.Served {
  /** the files that were asked for, in order, and their sizes as gzip, in bytes */
  readonly loaded: ReadonlyArray<{ readonly file: string; readonly bytes: number }>
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
  const loaded: Array<Served["loaded"][number]> = []
  const served = await Host.serve(folder, {
    headers: { "content-security-policy": policy },
    onFile: (file, body) => loaded.push({ file, bytes: gzipSync(body).length }),
  })
  return {
    ...served,
    loaded,
    close: async () => {
      await served.close()
      await fs.rm(folder, { recursive: true, force: true })
    },
  }
}
