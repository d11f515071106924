// The packed package where somebody else is the host: Deno, Bun, and the starter's own project.
import fs from "node:fs"
import path from "node:path"
import { check, run } from "./checks.mjs"

const root = path.join(import.meta.dirname, "..", "..")

/** What `promise.mjs` prints. */
export const promised = /^y = 3\*\(?a\*b\)? - 1 29 true$/

/** Other programs that run JavaScript, as packages of npm; they need no part of Node. */
const RUNTIMES = [
  { name: "deno", version: "2.9.6", args: ["run", "-A"] },
  { name: "bun", version: "1.4.5", args: ["run"] },
]

/**
 * The package runs on Deno and Bun: the command, a promise, and threads.
 * @param {string} folder @param {string} project where the package is installed @param {string} bin its program
 */
export const checkRuntimes = (folder, project, bin) => {
  const place = path.join(folder, "runtimes")
  fs.mkdirSync(place)
  const packages = RUNTIMES.map(({ name, version }) => `${name}@${version}`)
  run(place, "npm", ["install", "--prefix", place, "--no-save", "--no-audit", "--no-fund", ...packages])
  for (const { name, version, args } of RUNTIMES) {
    const program = path.join(place, "node_modules", ".bin", name)
    const ran = (/** @type {ReadonlyArray<string>} */ ...rest) =>
      run(project, program, [...args, ...rest]).trim()
    const fitted = ran(bin, "fit", "table.csv", "--target", "y")
    check(
      /^y = 3\*\(?a\*b\)? - 1$/m.test(fitted),
      `${name} ${version}: vasst fit finds the law of a table`,
      fitted,
    )
    const awaited = ran("promise.mjs")
    check(promised.test(awaited), `${name} ${version}: a promise finds it`, awaited)
    const runs = ran("threads.mjs")
    check(runs === "2", `${name} ${version}: fits run in threads`, runs)
  }
}

/**
 * The starter is a project that works, with the version that is packed.
 * @param {string} folder @param {string} tarball
 */
export const checkStarter = (folder, tarball) => {
  const starter = path.join(folder, "starter")
  fs.cpSync(path.join(root, "examples", "starter"), starter, { recursive: true })
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(starter, "package.json"), "utf8"))
  check(dependencies.vasst === version, `the starter depends on vasst ${version}`, dependencies)
  run(starter, "npm", [
    "install",
    "--prefix",
    starter,
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    tarball,
  ])
  const printed = run(starter, "npm", ["--prefix", starter, "start", "--silent"])
  check(
    /^period = 2\.006\d*\*sqrt\(length\), with probability 0\.\d\d$/m.test(printed),
    "the starter finds the law of the pendulum",
    printed,
  )
}
