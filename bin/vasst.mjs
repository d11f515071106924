#!/usr/bin/env node
// Checked here and not by a failing import further down, where it would be a syntax error from a dependency.
import { existsSync } from "node:fs"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const main = new URL("../dist/cli/main.js", import.meta.url)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`vasst needs Node 22.19 or later; this is ${process.version} (in the repository: npm start)`)
  process.exitCode = 1
} else if (!existsSync(main)) {
  console.error("vasst is not built yet; run: npm run build")
  process.exitCode = 1
} else {
  await import(main.href)
}
