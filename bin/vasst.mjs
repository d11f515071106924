#!/usr/bin/env node
// The version is checked here and not by a failing import further down, where it would be a syntax error from a
// dependency; for the same reason nothing is imported by name that old versions lack.
import { existsSync } from "node:fs"
import * as Module from "node:module"
import { fileURLToPath } from "node:url"
import * as Supervise from "./supervise.mjs"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
// The bundle of a build, or what it is made of where `tsc` alone has run.
const main = ["../dist/program/main.js", "../dist/cli/main.js"]
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

if (major < 20 || (major === 20 && minor < 16)) {
  console.error(`vasst needs Node 20.16 or newer; this is ${process.version}`)
  process.exitCode = 1
} else if (main === undefined) {
  console.error("vasst is not built yet; run: npm run build")
  process.exitCode = 1
} else if (Supervise.isWanted()) {
  Supervise.run(fileURLToPath(import.meta.url))
} else {
  // What Node has compiled is kept for the next start, in NODE_COMPILE_CACHE or in a folder of the user's own below the
  // system's for temporary files. Where that cannot be written nothing is kept; this neither throws nor prints. Node 20 has no such cache.
  if ("enableCompileCache" in Module) Module.enableCompileCache()
  await import(main.href)
}
