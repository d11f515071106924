import { describe, expect, it } from "vitest"
import { check } from "../../scripts/check-layers.mjs"

const messages = (sources: Record<string, string>) =>
  check(sources).map(({ file, line, message }) => `${file}:${line}: ${message}`)

/** The one message for the file `src/<name>`, which starts with an empty line so that the line number counts. */
const violation = (file: string, source: string) => {
  const found = messages({ [file]: `\n${source}` })
  expect(found).toHaveLength(1)
  return found[0]
}

describe("check-layers accepts", () => {
  it.each([
    ["an earlier room", "src/rank/Score.ts", 'import { Plan } from "../compile/Plan.ts"'],
    ["its own room", "src/compile/scalar.ts", 'import { Plan } from "./Plan.ts"'],
    ["runtime in infer", "src/infer/Fit.ts", 'import { Store } from "../runtime/Store.ts"'],
    ["Rng everywhere", "src/prob/Dist.ts", 'import * as Rng from "../runtime/Rng.ts"'],
    ["errors everywhere", "src/prob/Plan.ts", 'import type { X } from "../runtime/Errors.ts"'],
    [
      "tfjs in vi/engines/tfjs",
      "src/vi/engines/tfjs/graph.ts",
      'import * as tf from "@tensorflow/tfjs-core"',
    ],
    ["algebra of fp-ts", "src/expr/Term.ts", 'import { pipe } from "fp-ts/lib/function.js"'],
    ["deep effect", "src/cli/main.ts", 'import * as Effect from "effect/Effect"'],
    [
      "code in comments and strings",
      "src/expr/Term.ts",
      '// import "effect"\nexport const x = `import "effect"`',
    ],
    ["everything in src/index.ts", "src/index.ts", 'export * as Cli from "./cli/main.ts"'],
    ["the package's own name in examples", "examples/01.ts", 'import * as Vasst from "vasst"'],
  ])("%s", (_, file, source) => {
    expect(messages({ [file]: source })).toEqual([])
  })
})

describe("check-layers rejects", () => {
  it("a later room, naming file, line, import and rule", () => {
    expect(violation("src/expr/Term.ts", 'import { Plan } from "../compile/Plan.ts"')).toMatch(
      /^src\/declare\/Term\.ts:2: import "\.\.\/compile\/Plan\.ts": declare may not import compile \(a room imports/,
    )
  })

  it.each([
    [
      "a later room's type",
      "src/prob/Plan.ts",
      'import type { Family } from "../infer/Family.ts"',
      "may not import",
    ],
    [
      "a later room by import()",
      "src/prob/Plan.ts",
      'export const x = import("../cli/main.ts")',
      "may not import",
    ],
    [
      "a later room by type query",
      "src/prob/Plan.ts",
      'export type X = import("../cli/main.ts").X',
      "may not import",
    ],
    [
      "runtime in declare",
      "src/prob/Dist.ts",
      'import { Store } from "../runtime/Store.ts"',
      "may not import runtime",
    ],
    [
      "a room in Rng",
      "src/random/Rng.ts",
      'import { Dist } from "../declare/Dist.ts"',
      "imports no other room",
    ],
    ["a room that is none", "src/utils/x.ts", 'import { Term } from "../declare/Term.ts"', "is not a room"],
    [
      "tfjs elsewhere",
      "src/infer/Fit.ts",
      'import * as tf from "@tensorflow/tfjs-core"',
      "tfjs is imported only",
    ],
    ["effect's barrel", "src/infer/Fit.ts", 'import { Effect } from "effect"', "not the barrel"],
    ["effect's barrel in examples", "examples/01.ts", 'import { Effect } from "effect"', "not the barrel"],
    ["Option", "src/expr/Term.ts", 'import * as O from "fp-ts/lib/Option.js"', "Effect's work"],
    [
      "TaskEither in tests",
      "test/unit/x.test.ts",
      'import * as T from "fp-ts/lib/TaskEither.js"',
      "Effect's work",
    ],
    [
      "fp-ts in infer",
      "src/infer/Fit.ts",
      'import { pipe } from "fp-ts/lib/function.js"',
      "used only in declare",
    ],
    [
      "a path of fp-ts that Node refuses",
      "src/expr/Term.ts",
      'import { pipe } from "fp-ts/function"',
      "fp-ts/lib/",
    ],
    ["a missing extension", "src/expr/Term.ts", 'import { x } from "./Operator.js"', ".ts extension"],
    ["what is outside src", "src/expr/Term.ts", 'import { x } from "../../test/x.ts"', "outside src"],
    ["its own package by name", "src/expr/Term.ts", 'import { x } from "vasst/prob/Tree"', "relative path"],
    ["export *", "src/rank/Score.ts", 'export * from "./Occam.ts"\nexport const x = 1', "is a barrel"],
    ["a file of re-exports", "src/rank/Score.ts", 'export { x } from "./Occam.ts"', "is a barrel"],
    ["index.ts below src", "src/rank/index.ts", "export const x = 1", "is a barrel"],
  ])("%s", (_, file, source, rule) => {
    expect(violation(file, source)).toContain(rule)
  })

  it("a cycle of values, but not of types", () => {
    const a = 'import { b } from "./b.ts"\nexport const a = b'
    expect(
      messages({ "src/rank/a.ts": a, "src/rank/b.ts": '\nimport { a } from "./a.ts"\nexport const b = a' }),
    ).toEqual(["src/rank/b.ts:2: import cycle: src/rank/a.ts -> src/rank/b.ts -> src/rank/a.ts"])
    expect(
      messages({ "src/rank/a.ts": a, "src/rank/b.ts": 'import type { a } from "./a.ts"\nexport let b: a' }),
    ).toEqual([])
  })
})
