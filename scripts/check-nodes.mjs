// The same seed and effort have the same bytes on the versions of Node that vasst runs on, with 1, 2 and 7 threads: `npm run nodes`. Fetches Node 24 from npm where it
// is not there yet (.cache/node24), and compares the documents of test/fixtures/browser/law.ts with those of this Node. A run that one of them has
// begun is ended by the other one.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { documents } from "./check-nodes/documents.ts"
import { resumption } from "./check-nodes/resumption.ts"

const root = path.join(import.meta.dirname, "..")
const version = "24.21.0"
const folder = path.join(root, ".cache", "node24")
const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
const file = path.join(
  folder,
  "node_modules",
  name,
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
)

// Of two versions, that is: of Node 24 with itself the bytes would say nothing.
if (process.version.startsWith("v24.")) throw new Error("run this with Node 22: it is compared with Node 24")

if (!fs.existsSync(file)) {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "node24", private: true }))
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", `${name}@${version}`], {
    cwd: folder,
    stdio: "inherit",
  })
}
const program = path.join(import.meta.dirname, "check-nodes", "documents.ts")
const there = execFileSync(
  file,
  ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning", program],
  { encoding: "utf8", maxBuffer: 2 ** 28 },
)
const other = execFileSync(file, ["--version"], { encoding: "utf8" }).trim()
const here = await documents()
if (!there.startsWith("{") || there.trimEnd() !== here) {
  const at = here.split("").findIndex((character, index) => there[index] !== character)
  console.error(
    `${process.version} and ${other} differ: ${here.slice(at - 60, at + 30)} | ${there.slice(at - 60, at + 30)}`,
  )
  process.exitCode = 1
} else
  console.log(
    `nodes: ${here.length} bytes of documents are the same on ${process.version} and ${other}, with 1, 2 and 7 threads`,
  )
const resumed = await resumption([process.execPath, file])
console.log(
  `nodes: a run that was killed on ${process.version} goes on on ${other}, and back, to the same ${resumed} bytes`,
)
