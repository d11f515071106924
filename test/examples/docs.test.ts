// What the documentation claims in code compiles, and what it links to exists. The `ts` blocks of a page, joined in
// order, are one module, but for blocks that begin with the name of a file, which are one each; a block that is meant to fail, or is a signature only, is marked `text`.
import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { diagnose } from "../support/compile.ts"

const root = path.join(import.meta.dirname, "..", "..")
// The lead's pages hold tables that programs write.
const generated = new Set(["docs/reproduction.md", "docs/benchmarks.md"])

const pages: ReadonlyArray<string> = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...fs
    .readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.posix.join("docs", name.split(path.sep).join("/"))),
].filter((page) => fs.existsSync(path.join(root, page)) && !generated.has(page))

const read = (page: string): string => fs.readFileSync(path.join(root, page), "utf8")

const own = /^\/\/ (\w+\.ts)$/m

/** The modules of a page: its own, and those that are named. */
const blocks = (page: string, text: string): ReadonlyArray<readonly [string, string]> => {
  const all = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
  const named = (code: string): string | undefined => own.exec(code.split("\n", 1)[0]!)?.[1]
  return [
    [page, all.filter((code) => named(code) === undefined).join("\n")],
    ...all.flatMap((code) => {
      const name = named(code)
      return name === undefined ? [] : [[`${page}.${name}`, code] as const]
    }),
  ]
}

/** Relative links, without their anchors. */
const links = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(
    ([, target]) => target ?? "",
  )

test("code in the documentation compiles", () => {
  const snippets = Object.fromEntries(
    pages.flatMap((page) => blocks(page, read(page))).filter(([, code]) => code !== ""),
  ) as Record<string, string>
  expect(Object.keys(snippets).length).toBeGreaterThan(5)
  const errors = diagnose(snippets)
  expect(Object.entries(errors).flatMap(([page, found]) => found.map((one) => ({ page, ...one })))).toEqual(
    [],
  )
})

test("links in the documentation lead somewhere", () => {
  const broken = pages.flatMap((page) =>
    links(read(page))
      .filter((target) => !fs.existsSync(path.join(root, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})
