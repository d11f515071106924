import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle, packagesOf, type Chunk } from "../../../scripts/bundle.mjs"

// Two levels below the manifest, as `dist/program` is, and below the packages that stay outside of the bundle.
mkdirSync(".cache", { recursive: true })
const folder = mkdtempSync(join(".cache", "bundle-"))
const main = join(folder, "main.js")

let chunks: ReadonlyArray<Chunk> = []

beforeAll(async () => {
  chunks = await bundle(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  return { status, stdout, stderr }
}

const fit =
  "fit examples/data/boyle.csv --target pressure --objective elbo --steps 3 --draws 20 --seed 5 --json"

/** The document without the seconds that the fit took. */
const document = (text: string) => ({ ...JSON.parse(text), seconds: 0 })

/** The modules that are there when a file has been loaded. */
const loaded = (name: string, files = new Set<string>()): ReadonlyArray<string> => {
  if (files.has(name)) return []
  files.add(name)
  const { imports = [], modules = [] } = chunks.find(({ file }) => file === name) ?? {}
  return [...modules, ...imports.flatMap((next) => loaded(next, files))]
}

describe("the bundle of the command line", () => {
  it("fits as the sources do, without tensors", () => {
    const refuse = ["--import", "./test/support/refuseTensors.mjs"]
    const bundled = run([...refuse, main, ...fit.split(" ")])
    const sources = run([...refuse, "src/cli/main.ts", ...fit.split(" ")])
    expect([bundled.status, bundled.stderr]).toEqual([0, "backend: simd\n"])
    expect(document(bundled.stdout)).toEqual(document(sources.stdout))
  })

  it("loads the tfjs backends of the installation", () => {
    const { status, stderr } = run([main, ...fit.split(" "), "--backend", "cpu"])
    expect([status, stderr]).toEqual([0, "backend: cpu\n"])
  })

  it("starts without the fits: they are loaded when they are needed", () => {
    const all = chunks.flatMap(({ modules }) => modules)
    const first = loaded("main.js")
    const has = (modules: ReadonlyArray<string>, path: string) =>
      modules.some((id) => id.endsWith(`/${path}`))
    for (const path of ["src/models/vasst.ts", "src/models/law.ts", "src/infer/Fit.ts", "src/rank/Rank.ts"])
      expect([path, has(all, path), has(first, path)]).toEqual([path, true, false])
    expect(has(first, "src/cli/Program.ts")).toBe(true)
  })

  it("knows its version, and carries the licences of what it holds", () => {
    expect(run([main, "--version"]).stdout).toMatch(/^vasst \d+\.\d+\.\d+\n$/)
    const licences = readFileSync(join(folder, "LICENSES.txt"), "utf8")
    for (const name of ["effect", "@effect/platform-node", "fp-ts", "csv-parse"])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"))
    expect(licences.match(/Permission is hereby granted/g)!.length).toBeGreaterThanOrEqual(4)
    // SECURITY.md says what is shipped. Its list has the packages of Python's bundle, too.
    const list = /<!-- bundled -->([^]*)<!-- \/bundled -->/.exec(readFileSync("SECURITY.md", "utf8"))![1]!
    const listed = new Set(list.split(/\n- [^:]*: |, |\n/))
    const names = packagesOf(chunks).map((one) => /(?:@[^/]+\/)?[^/]+$/.exec(one)![0])
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !listed.has(name))).toEqual([])
  })
})
