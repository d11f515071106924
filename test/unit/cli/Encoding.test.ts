import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { Dataset } from "../../../src/data/Data.ts"
import { fake, run } from "../../support/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-encoding-"))
afterAll(() => rmSync(folder, { recursive: true }))

const text = "prix en €,größe\n1,2\n3,5\n5,7\n"
/** The text in windows-1252, where € is 0x80. */
const western = Buffer.from(text.replace("€", "\u0080"), "latin1")

const read = async (bytes: Buffer, ...args: ReadonlyArray<string>) => {
  const file = join(folder, "table.csv")
  writeFileSync(file, bytes)
  let seen: Dataset | undefined
  const { code, stderr } = await run(["fit", file, "--target", "größe", ...args], {
    fit: fake({}, (data) => (seen = data)),
  })
  return { code, stderr, names: seen && [...seen.features, seen.target] }
}

it.each([
  [western, "windows-1252"],
  [Buffer.from(text, "utf16le"), "utf-16le"],
  [Buffer.from(`\uFEFF${text}`, "utf16le"), "utf-16le"],
  [Buffer.from(text), "utf-8"],
])("a table is the same in every encoding", async (bytes, encoding) => {
  expect((await read(bytes, "--encoding", encoding)).names).toEqual(["prix en €", "größe"])
})

it("bytes of another encoding are refused, with what to do", async () => {
  const without = await read(western)
  expect(without.code).toBe(1)
  expect(without.stderr).toMatch(/not text in UTF-8; .*, or add --encoding windows-1252/)
  expect((await read(western, "--encoding", "utf-8")).stderr).toContain("this is not text in UTF-8")
  expect((await read(Buffer.from(`\uFEFF${text}`), "--encoding", "windows-1252")).stderr).toContain(
    "this begins with the mark of utf-8, and is not windows-1252; leave the encoding out",
  )
  expect((await read(western, "--encoding", "windows-1252", "--stream", "always")).stderr).toContain(
    "this is a text in windows-1252, which is not read in parts",
  )
})
