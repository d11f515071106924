// package.json lists the public modules one by one; nothing else can be imported, by whichever way `vasst/...` is resolved.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { exportsOf, publicModules } from "../../../scripts/exports.mjs"
import { diagnose } from "../../support/compile.ts"

const root = path.join(import.meta.dirname, "../../..")
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>
}
const modules = publicModules()
const privateModule = "vasst/expr/text/lexer"

/** What a program of this package says when it imports a module by its public name. */
const importing = (specifier: string) =>
  spawnSync(
    process.execPath,
    [
      "--conditions=vasst-source",
      "--disable-warning=ExperimentalWarning",
      "--input-type=module",
      "--eval",
      `await import(${JSON.stringify(specifier)}).then(() => console.log("loaded"), (error) => console.log(error.code))`,
    ],
    { cwd: root, encoding: "utf8" },
  ).stdout.trim()

it("has the exports that the list of public modules gives", () => {
  expect(manifest.exports).toEqual(exportsOf(modules))
})

it("says which conditions a module has", () => {
  expect(exportsOf(["prob/Dist"])).toEqual({
    "./package.json": "./package.json",
    ".": {
      "vasst-source": "./src/index.ts",
      types: "./dist/index.d.ts",
      default: "./dist/index.js",
    },
    "./prob/Dist": {
      "vasst-source": "./src/prob/Dist.ts",
      types: "./dist/prob/Dist.d.ts",
      default: "./dist/prob/Dist.js",
    },
  })
})

it("lists no folder and no pattern", () => {
  expect(Object.keys(manifest.exports).filter((name) => /\*|\/$/.test(name))).toEqual([])
})

it("Node loads a public module, and refuses a private one that exists", () => {
  expect(fs.existsSync(path.join(root, "src/expr/text/lexer.ts"))).toBe(true)
  expect(importing("vasst/prob/Dist")).toBe("loaded")
  expect(importing(privateModule)).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED")
})

it("the compiler refuses a private module", () => {
  const errors = diagnose({
    public: `import * as Dist from "vasst/prob/Dist"\nvoid Dist`,
    private: `import * as Lexer from "${privateModule}"\nvoid Lexer`,
  })
  expect(errors.public).toEqual([])
  expect(errors.private.map(({ code }) => code)).toEqual(["TS2307"])
})

it("the tests refuse a private module", async () => {
  await expect(import(/* @vite-ignore */ privateModule)).rejects.toThrow(/lexer/)
})

it("documentation imports public modules only", () => {
  const pages = ["docs", "examples", "bench", "README.md", "CONTRIBUTING.md"].flatMap((name) => {
    const file = path.join(root, name)
    if (!fs.statSync(file).isDirectory()) return [file]
    return fs
      .readdirSync(file, { recursive: true, encoding: "utf8" })
      .filter((child) => /\.(ts|md)$/.test(child))
      .map((child) => path.join(file, child))
  })
  const imported = pages.flatMap((page) =>
    [...fs.readFileSync(page, "utf8").matchAll(/(?:from|import\()\s*"vasst\/([^"]+)"/g)].map(([, name]) => ({
      page: path.relative(root, page),
      name,
    })),
  )
  expect(imported.length).toBeGreaterThan(50)
  expect(imported.filter(({ name }) => !modules.some((one) => one === name))).toEqual([])
})
