// Installs the packed package into an empty folder and uses it as somebody would: `npm run check:package -- [TARBALL]`.
// Every check of a program runs on this Node and, where it is another one, on the machine's own.
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { check, fail, run } from "./check-package/checks.mjs"
import { checkRuntimes, checkStarter, promised } from "./check-package/hosts.mjs"
import * as Repository from "./check-package/repository.mjs"
import { publicModules } from "./exports.mjs"

/**
 * An install in mebibytes, above which something is depended on that should not be: a quarter of the 400 that it takes
 * together with tfjs's umbrella package (`@tensorflow/tfjs` 4.22.0, by the same measure).
 */
const LARGEST = 100
/** The optional peers of fits on tfjs. */
const TFJS = ["core", "backend-wasm", "backend-cpu"].map((part) => `@tensorflow/tfjs-${part}`)

const root = path.join(import.meta.dirname, "..")
/** The packages of these public modules are optional peers, for tests. */
const forTests = (/** @type {string} */ name) => name.startsWith("testing/")

/** This Node, and the first one on the PATH that no npm script put there. */
const nodes = () => {
  const own = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => path.join(folder, "node"))
    .find((file) => fs.existsSync(file))
  const all = [process.execPath, ...(own === undefined ? [] : [own])].map((file) => {
    const version = run(root, file, ["--version"]).trim()
    return { file, version }
  })
  return all.filter(({ version }, index) => all.findIndex((one) => one.version === version) === index)
}

/** The size of a folder in mebibytes, as its files take room in blocks. @param {string} folder */
const mebibytes = (folder) => {
  let blocks = 0
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: "utf8" }))
    blocks += fs.lstatSync(path.join(folder, name)).blocks
  return Math.round(blocks / 2048)
}

/** @param {string} folder */
const packed = (folder) => {
  const name = run(root, "npm", ["pack", "--silent", "--pack-destination", folder]).trim().split("\n").at(-1)
  return path.join(folder, name ?? fail("npm pack named no file"))
}

/** What tables and programs need: y = 3 a b - 1. */
const rows = [[1, 2], [2, 3], [3, 1], [4, 4], [5, 2], [6, 7], [7, 1], [8, 3]] // prettier-ignore
const table = `a,b,y\n${rows.map(([a = 0, b = 0]) => `${a},${b},${3 * a * b - 1}`).join("\n")}\n`

const law = `import * as Effect from "effect/Effect"
import * as Law from "vasst/models/law"

const X = ${JSON.stringify(rows)}
export const fit = await Effect.runPromise(Law.fit({ X, y: X.map(([a = 0, b = 0]) => 3 * a * b - 1) }))
`

const promise = `import { fit } from "vasst/promise"

const X = ${JSON.stringify(rows)}
const a = X.map(([a]) => a)
const b = Float64Array.from(X, ([, b]) => b)
const running = fit({ a, b, y: X.map(([a, b]) => 3 * a * b - 1) }, { target: "y" })
let told = 0
for await (const { evaluations } of running) if (evaluations > 0) told++
const found = await running
console.log(String(found), found.predict({ a: [2], b: [5] })[0], told > 0)
`
const threads = `import * as Effect from "effect/Effect"
import * as Operator from "vasst/expr/Operator"
import * as Data from "vasst/data/Data"
import * as Restarts from "vasst/infer/Restarts"
import { restarts } from "vasst/models/vasstWorker"
import * as Backend from "vasst/vi/Backend"

const X = ${JSON.stringify(rows)}
const program = Effect.gen(function* () {
  const data = yield* Data.fromRows({ X, y: X.map(([a = 0, b = 0]) => 3 * a * b - 1) })
  const spec = { features: data.features, operators: [Operator.mul], steps: 5 }
  return yield* Restarts.run(restarts, { spec, data, restarts: 2, workers: 2 })
})
console.log((await Effect.runPromise(Effect.provide(program, Backend.layer()))).length)
`

const backend = (/** @type {string} */ name) => `import * as Effect from "effect/Effect"
import * as Backend from "vasst/vi/Backend"
import * as Vasst from "vasst/models/vasst"

const X = ${JSON.stringify(rows)}
const data = { X, y: X.map(([a = 0, b = 0]) => 3 * a * b - 1) }
const fit = Vasst.fit(data, { operators: ["mul"], steps: 3 }).pipe(Effect.provide(Backend.layer("${name}")))
console.log(await Effect.runPromise(Effect.match(fit, { onSuccess: ({ best }) => typeof best, onFailure: String })))
`

/** Loads every public module, and asks for every private one: prints those that did not do what they should. */
const modules = (/** @type {ReadonlyArray<string>} */ names) => `import fs from "node:fs"
const wrong = []
for (const name of ${JSON.stringify(names.filter((name) => !forTests(name)))})
  await import("vasst/" + name).catch((error) => wrong.push(name + ": " + error.message))
const dist = fs.readdirSync("node_modules/vasst/dist", { recursive: true }).map((file) => file.replaceAll("\\\\", "/"))
const hidden = dist.filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -3))
  .filter((name) => name !== "index" && !${JSON.stringify(names)}.includes(name))
for (const name of hidden)
  await import("vasst/" + name).then(
    () => wrong.push(name + " is private, and loads"),
    (error) => error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED" || wrong.push(name + ": " + error.message))
await import("vasst").catch((error) => wrong.push(error.message))
console.log(JSON.stringify({ wrong, hidden: hidden.length }))
`

const config = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: [],
    strict: true,
    declaration: true,
    noEmit: false,
    outDir: "types",
    emitDeclarationOnly: true,
    skipLibCheck: true,
  },
  include: ["law.mts", "all.mts"],
}

const main = () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
  const lacks = Repository.fault(manifest, Repository.remotes(root))
  check(lacks === undefined, "package.json names the repository where there is a public one", lacks)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-package-"))
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }))
  const tarball = process.argv[2] === undefined ? packed(folder) : path.resolve(process.argv[2])
  const project = path.join(folder, "project")
  const installed = path.join(project, "node_modules", "vasst")
  fs.mkdirSync(project)
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    fs.writeFileSync(path.join(project, name), text)
  write("package.json", JSON.stringify({ name: "a-project", private: true, type: "module" }))
  const install = [
    "install",
    "--prefix",
    project,
    "--prefer-offline",
    "--omit=dev",
    "--no-audit",
    "--no-fund",
  ]
  run(project, "npm", [...install, tarball])

  const size = mebibytes(path.join(project, "node_modules"))
  check(size <= LARGEST, `installs ${size} MiB, ${LARGEST} at most`, "it depends on more than it needs")
  const wanted = [
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "docs/tutorial.md",
    "examples/07_find_a_law.ts",
    "examples/starter/law.js",
  ]
  const lacking = wanted.filter((name) => !fs.existsSync(path.join(installed, name)))
  check(lacking.length === 0, "has documentation and examples", lacking)

  const names = publicModules()
  write("table.csv", table)
  write("law.mts", law)
  write("law.mjs", `${law}console.log(fit.toSymPy())`)
  write("promise.mjs", promise)
  write("threads.mjs", threads)
  for (const name of ["cpu", "wasm", "tensorflow"]) write(`${name}.mjs`, backend(name))
  write("modules.mjs", modules(names))
  write("tests.mjs", names.filter(forTests).map((name) => `import "vasst/${name}"`).join("\n")) // prettier-ignore
  write("all.mts", names.map((name, index) => `export * as m${index} from "vasst/${name}"`).join("\n"))
  write("tsconfig.json", JSON.stringify(config))

  const bin = path.join(project, "node_modules", "vasst", "bin", "vasst.mjs")
  /** @type {string | undefined} */
  let first
  for (const { file, version } of nodes()) {
    const node = (/** @type {ReadonlyArray<string>} */ ...args) => run(project, file, args).trim()
    const fitted = node(bin, "fit", "table.csv", "--target", "y")
    check(/^y = 3\*\(?a\*b\)? - 1$/m.test(fitted), `${version}: vasst fit finds the law of a table`, fitted)
    node(bin, "fit", "table.csv", "--target", "y", "--report", "law.html", "--overwrite")
    const page = fs.readFileSync(path.join(project, "law.html"), "utf8")
    const drawn = page.split('<svg class="chart"').length - 1
    check(
      drawn > 4 && page.includes("<math"),
      `${version}: vasst fit --report draws ${drawn} pictures`,
      page.slice(0, 200),
    )
    const found = node("law.mjs")
    check(/^3\*\(?x0\*x1\)? - 1$/.test(found), `${version}: Law.fit finds it`, found)
    const awaited = node("promise.mjs")
    check(promised.test(awaited), `${version}: so does a promise, with its progress`, awaited)
    const runs = node("threads.mjs")
    check(runs === "2", `${version}: fits run in threads`, runs)
    for (const name of ["cpu", "wasm", "tensorflow"]) {
      const absent = node(`${name}.mjs`)
      check(
        absent.includes(
          `the tfjs backend "${name}" is not installed; run: npm install @tensorflow/tfjs-core `,
        ),
        `${version}: tfjs's backend ${name} is not installed, which is said in words`,
        absent,
      )
    }
    node(bin, "fit", "table.csv", "--target", "y", "--effort", "20000", "--out", "laws", "--overwrite")
    const laws = fs.readFileSync(path.join(project, "laws", "fit.json"), "utf8")
    first ??= laws
    check(laws === first, `${version}: a limit of effort gives the bytes that it gives everywhere`, "")
    node("--input-type=module", "--eval", `import "vasst"`)
  }
  const shell = run(project, "npx", ["--prefix", project, "--no-install", "vasst", "--version"])
  check(/^vasst \d/m.test(shell), "npx vasst starts", shell)

  checkStarter(folder, tarball)
  checkRuntimes(folder, project, bin)

  const peers = ["fast-check", ...TFJS].map((name) => `${name}@${manifest.devDependencies[name]}`)
  run(project, "npm", [...install, "--no-save", ...peers])
  for (const { file, version } of nodes()) {
    for (const name of ["cpu", "wasm"]) {
      const kind = run(project, file, [`${name}.mjs`]).trim()
      check(kind === "object", `${version}: with tfjs installed the paper's method runs on ${name}`, kind)
    }
    const { wrong, hidden } = JSON.parse(run(project, file, ["modules.mjs"]))
    check(
      wrong.length === 0 && hidden > 0,
      `${version}: public modules load, ${hidden} private ones cannot be imported`,
      wrong,
    )
  }
  run(project, process.execPath, ["tests.mjs"])
  run(project, process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "-p", project])
  check(true, "type checks under nodenext, with declarations of what is inferred", "")
}

main()
