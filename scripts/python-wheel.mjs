// Builds the wheel of the Python package: `npm run python:wheel [-- FOLDER]`, python/dist if no folder is given. The engine is the
// bundle of the command line and of the program that Python talks to; Node comes as a dependency of the wheel.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const engine = path.join(root, "python", "src", "vasst", "engine")
const folder = path.resolve(process.argv[2] ?? path.join(root, "python", "dist"))

const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
const own = /^__version__ = "(.*)"$/m.exec(
  fs.readFileSync(path.join(root, "python", "src", "vasst", "__init__.py"), "utf8"),
)?.[1]
if (own !== version)
  throw new Error(`python/src/vasst/__init__.py has the version ${own}, package.json has ${version}`)

fs.rmSync(engine, { recursive: true, force: true })
// Two folders deep: the program reads its version from the manifest above.
const program = path.join(engine, "dist", "program")
fs.mkdirSync(program, { recursive: true })
// tfjs is left out: laws need none of it, and `--objective elbo` has kernels of its own.
await bundle(program, {
  programs: { main: "src/cli/main.ts", serve: "src/serve/main.ts" },
  external: /^@tensorflow\//,
})
fs.writeFileSync(
  path.join(engine, "package.json"),
  `${JSON.stringify({ private: true, version, type: "module" })}\n`,
)

const python = process.env["PYTHON"] ?? "python3"
// The back end is pinned in pyproject.toml; it writes the same bytes from the same files.
const wheel = [
  "-m",
  "pip",
  "wheel",
  "--quiet",
  "--disable-pip-version-check",
  "--no-deps",
  "-w",
  folder,
  path.join(root, "python"),
]
const { status } = spawnSync(python, wheel, { stdio: "inherit" })
if (status !== 0) process.exit(status ?? 1)
const name = `vasst-${version}-py3-none-any.whl`
const bytes = fs.statSync(path.join(folder, name)).size
console.log(`${name} (${(bytes / 1e6).toFixed(1)} MB)`)
