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

  it("reads comments and messages of modules, not modules' paths", () => {
    const source = [
      'import { Library } from "./Bank.ts"',
      "// the bank",
      'export const library: Library = { tag: "bank", message: `the ${1} bank` }',
      'throw new Error("a full bank")',
    ].join("\n")
    expect(messages({ "src/a/b.ts": source }).map((one) => one.split(":")[1])).toEqual(["2", "3", "4"])
  })

  it("finds private words in the names that a module declares, and in its own", () => {
    const source = [
      "const ofAddend = (scratch: number) => ({ worth: scratch, numerals: [1] })",
      "export class Queue { #agenda = 1; likes() {} }",
      "export interface Working { readonly spelled: string }",
      "type Plain = number",
      'import { Frontier as Bank } from "./Frontier.ts"',
    ].join("\n")
    expect(messages({ "src/a/openings.ts": source })).toEqual([
      'src/a/openings.ts:1: the name "openings" has a private word: say constant insertion',
      'src/a/openings.ts:1: the name "ofAddend" has a private word: say term, or monomial',
      'src/a/openings.ts:1: the name "scratch" has a private word: say workspace',
      'src/a/openings.ts:1: the name "worth" has a private word: say score, gain or tolerance',
      'src/a/openings.ts:1: the name "numerals" has a private word: say constant expressions',
      'src/a/openings.ts:2: the name "agenda" has a private word: say frontier, or queue',
      'src/a/openings.ts:2: the name "likes" has a private word: say feature swap',
      'src/a/openings.ts:3: the name "Working" has a private word: say WorkingResponse',
      'src/a/openings.ts:3: the name "spelled" has a private word: say text, or alias',
      'src/a/openings.ts:4: the name "Plain" has a private word: say the noun that is meant',
      'src/a/openings.ts:5: the name "Bank" has a private word: say expression library',
    ])
  })

  it("leaves alone names of values that are types' alone, other words, and names of other modules", () => {
    const source = [
      'import { Completion } from "elsewhere"',
      "export const working = (plain: Completion.Bank, { spread }: WorkingResponse) =>",
      "  [plain.scratch, spread, alike, interest] satisfies Unlikely",
    ].join("\n")
    expect(messages({ "src/a/b.ts": source })).toEqual([])
    const excuse = { file: "src/a/b.ts", text: "slab", reason: "a name of that package" }
    const used = { "src/a/b.ts": 'import { slab } from "elsewhere"\nslab()\n' }
    expect(check(used, []).map(({ line }) => line)).toEqual([2])
    expect(check(used, [excuse])).toEqual([])
  })

  it("finds a noun left out before a participle, in modules and not in pages", () => {
    const text = "What is still held, what could not be drawn, and what is to be done; but not what is true."
    expect(messages({ "src/a/b.ts": `// ${text}\n`, "docs/a.md": text })).toEqual([
      'src/a/b.ts:1: "What is still held": say the noun that it is done to',
      'src/a/b.ts:1: "what could not be drawn": say the noun that it is done to',
      'src/a/b.ts:1: "what is to be done": say the noun that it is done to',
    ])
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
  it("is in the field's words, and so are the modules of src and bench", () => {
    const files = pages()
    expect(check(files)).toEqual([])
    for (const folder of ["src", "bench", "docs"])
      expect(Object.keys(files).filter((file) => file.startsWith(`${folder}/`)).length).toBeGreaterThan(50)
  })
})
