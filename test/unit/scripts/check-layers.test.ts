import { describe, expect, it } from "vitest"
import { check } from "../../../scripts/check-layers.mjs"

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
    ["an earlier room", "src/rank/Score.ts", 'import { Plan } from "../prob/Plan.ts"'],
    [
      "an earlier room's folder",
      "src/rank/Score.ts",
      'import { fit } from "../evidence/exact/restricted.ts"',
    ],
    ["its own room", "src/prob/Model.ts", 'import { Plan } from "./Plan.ts"'],
    ["its own room from a folder of it", "src/prob/dist/Normal.ts", 'import { Dist } from "../Dist.ts"'],
    ["errors everywhere", "src/cli/Complaint.ts", 'import type { X } from "../errors/Errors.ts"'],
    ["both siblings in a later room", "src/inclusive/x.ts", 'import "../search/a.ts"\nimport "../vi/b.ts"'],
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
    expect(violation("src/expr/Term.ts", 'import { Plan } from "../prob/Plan.ts"')).toMatch(
      /^src\/expr\/Term\.ts:2: import "\.\.\/prob\/Plan\.ts": expr may not import prob \(a room imports those before it/,
    )
  })

  it.each([
    [
      "a later room's type",
      "src/prob/Plan.ts",
      'import type { Family } from "../vi/Family.ts"',
      "prob may not import vi",
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
      "vi in search",
      "src/search/Search.ts",
      'import { Family } from "../vi/Family.ts"',
      "search and vi are siblings",
    ],
    [
      "search in vi, though it is listed before",
      "src/vi/factor/Normal.ts",
      'import type { Search } from "../../search/Search.ts"',
      "vi and search are siblings",
    ],
    [
      "a room that the list lacks",
      "src/expr/Term.ts",
      'import { x } from "../utils/x.ts"',
      "expr may not import utils",
    ],
    ["imports of such a room", "src/utils/x.ts", 'import { Term } from "../expr/Term.ts"', "is not a room"],
    ["index.ts inside src", "src/cli/main.ts", 'import * as Vasst from "../index.ts"', "is for users"],
    [
      "tfjs elsewhere",
      "src/infer/Fit.ts",
      'import * as tf from "@tensorflow/tfjs-core"',
      "tfjs is imported only",
    ],
    [
      "the platform of the command line elsewhere",
      "src/workers/Thread.ts",
      'import * as NodeWorker from "@effect/platform-node/NodeWorker"',
      "bundled with the command line",
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
      "used only in numeric, expr, prob",
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

  it.each([
    ["of values", 'import { a } from "./a.ts"'],
    ["of types", 'import type { a } from "./a.ts"'],
    ["by import()", 'const a = () => import("./a.ts")'],
    ["by re-export", 'export { a } from "./a.ts"\nconst b = 1'],
  ])("a cycle %s", (_, back) => {
    expect(
      messages({
        "src/rank/a.ts": 'import { b } from "./b.ts"\nexport const a = b',
        "src/rank/b.ts": `\n${back}\nexport let b: a`,
      }),
    ).toEqual(["src/rank/b.ts:2: import cycle: src/rank/a.ts -> src/rank/b.ts -> src/rank/a.ts"])
  })

  it("a cycle outside of src", () => {
    expect(
      messages({
        "bench/a.ts": 'import type { B } from "./b.ts"\nexport interface A { b: B }',
        "bench/b.ts": 'import type { A } from "./a.ts"\nexport interface B { a: A }',
      }),
    ).toEqual(["bench/b.ts:1: import cycle: bench/a.ts -> bench/b.ts -> bench/a.ts"])
  })
})

describe("check-layers holds tests to the folders of src", () => {
  const source = { "src/prob/dist/Normal.ts": "export const x = 1" }
  const found = (file: string) => messages({ ...source, [file]: "export const y = 1" })

  it.each([
    "test/unit/prob/Model.test.ts",
    "test/property/prob/dist/Normal.test.ts",
    "test/unit/scripts/bundle.test.ts",
    "test/unit/package/exports.test.ts",
    "test/unit/toolchain.test.ts",
    "test/support/program.ts",
  ])("accepts %s", (file) => {
    expect(found(file)).toEqual([])
  })

  it.each(["test/unit/declare/Model.test.ts", "test/property/prob/dists/Normal.test.ts"])(
    "rejects %s",
    (file) => {
      expect(found(file)).toEqual([
        expect.stringMatching(/:1: tests mirror src, which has no folder (declare|prob\/dists)$/),
      ])
    },
  )
})
