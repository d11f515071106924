// scripts/check-words.mjs finds private words and phrases without a noun, and the documentation has none.
import { describe, expect, it } from "vitest"
import { ALLOWED, check, pages } from "../../../scripts/check-words.mjs"

const messages = (files: Record<string, string>) =>
  check(files, []).map(({ file, line, message }) => `${file}:${line}: ${message}`)

describe("check-words", () => {
  it("says where a private word stands, and the term of the field", () => {
    expect(messages({ "docs/a.md": "One.\n\nA search has an agenda.\n" })).toEqual([
      'docs/a.md:3: "agenda": say frontier',
    ])
  })

  it("finds a phrase across lines, of pages and of comments", () => {
    expect(messages({ "docs/a.md": "The ranking has what\nit kept." })).toHaveLength(1)
    expect(
      messages({ "src/a/b.ts": "/**\n * It ends after pieces of\n * work.\n */\nexport const a = 1\n" }),
    ).toEqual(['src/a/b.ts:2: "pieces of work": say step'])
  })

  it("reads comments and messages of modules, not names and modules' paths", () => {
    const source = [
      'import { Bank } from "./Bank.ts"',
      "// the bank",
      'export const bank: Bank = { tag: "bank", message: `the ${1} bank` }',
      'throw new Error("a full bank")',
    ].join("\n")
    expect(messages({ "src/a/b.ts": source }).map((one) => one.split(":")[1])).toEqual(["2", "3", "4"])
  })

  it("leaves code blocks and targets of links alone", () => {
    expect(messages({ "docs/a.md": "```ts\nconst bank = 1\n```\n\n[it](bank.md), so much faster" })).toEqual(
      [],
    )
  })

  it("honours the list of exceptions, and rejects one that is not needed", () => {
    const files = { "docs/a.md": "the bank of the river" }
    const river = { file: "docs/a.md", text: "bank of the river", reason: "geography" }
    expect(check(files, [river])).toEqual([])
    expect(check({ "docs/a.md": "a river" }, [river]).map(({ message }) => message)).toEqual([
      'is allowed "bank of the river", which it does not say; take that out of the list',
    ])
  })

  it("has a reason for each exception", () => {
    for (const { reason } of ALLOWED) expect(reason.length).toBeGreaterThan(10)
  })
})

describe("the documentation", () => {
  it("is in the field's words", () => {
    expect(check(pages())).toEqual([])
  })
})
