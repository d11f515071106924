// package.json has to name the repository as soon as a git remote has a public address.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fault, remotes } from "../../../scripts/check-package/repository.mjs"

let folder: string
const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8" })

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-repository-"))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

describe("remotes", () => {
  it("are none outside of a repository, without remotes, and with those of folders and of this machine", () => {
    expect(remotes(folder)).toEqual([])
    git("init", "--quiet")
    expect(remotes(folder)).toEqual([])
    git("remote", "add", "clone", "/work/main")
    git("remote", "add", "file", "file:///work/main")
    git("remote", "add", "here", "http://localhost:3000/vasst.git")
    expect(remotes(folder)).toEqual([])
  })

  it.each([
    "https://example.org/vasst.git",
    "ssh://git@example.org:22/vasst.git",
    "git@example.org:us/vasst.git",
  ])("are public at %s, which is named once", (url) => {
    git("remote", "add", "public", url)
    expect(remotes(folder)).toEqual([url])
    git("remote", "remove", "public")
  })
})

describe("the fault of package.json", () => {
  const urls = ["https://example.org/vasst.git"]

  it("is a repository that is not named where there is one", () => {
    expect(fault({}, [])).toBeUndefined()
    for (const repository of [undefined, "", {}, { url: "" }, null])
      expect(fault({ repository }, urls)).toContain('"url": "https://example.org/vasst.git"')
  })

  it("is none where it is named, in either form of npm", () => {
    for (const repository of ["github:us/vasst", { type: "git", url: urls[0] }])
      expect(fault({ repository }, urls)).toBeUndefined()
  })
})
