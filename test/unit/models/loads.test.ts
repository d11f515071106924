import fs from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf } from "../../../scripts/check-layers.mjs"

const root = path.join(import.meta.dirname, "..", "..", "..")

/** The files that are loaded with a file, from the repository root: value imports, and those that come when they are needed. */
const loaded = (entry: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const { specifier, typeOnly } of importsOf(file, fs.readFileSync(path.join(root, file), "utf8")))
      if (!typeOnly && specifier.startsWith(".")) visit(path.posix.join(path.posix.dirname(file), specifier))
  }
  visit(entry)
  return found
}

const inRoom = (files: ReadonlySet<string>, room: string): ReadonlyArray<string> =>
  [...files].filter((file) => file.startsWith(`src/${room}/`))

describe("one inference loads nothing of the other", () => {
  it("laws load the search, and no gradient ascent", () => {
    const files = loaded("src/models/law.ts")
    expect(inRoom(files, "search").length).toBeGreaterThan(20)
    expect(inRoom(files, "vi")).toEqual([])
    expect(inRoom(files, "inclusive")).toEqual([])
  })

  it("the paper's model loads gradient ascent, and no search", () => {
    const files = loaded("src/models/vasst.ts")
    expect(inRoom(files, "vi").length).toBeGreaterThan(20)
    expect(inRoom(files, "search")).toEqual([])
    expect(inRoom(files, "inclusive")).toEqual([])
  })
})
