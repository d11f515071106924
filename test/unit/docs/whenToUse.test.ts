// Exports that are alternatives to each other say in their docstring when to use which.
import { describe, expect, it } from "vitest"
import { parse, sourcesIn } from "../../../scripts/sources.mjs"

/** Modules whose exported values are alternatives, with the exports that are none. */
const alternatives: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/vi/Optimizer.ts": ["norm"],
  "src/vi/Schedule.ts": [],
  "src/infer/Stop.ts": [],
  "src/rank/Score.ts": ["ordOf"],
  "src/evidence/Noise.ts": ["wrongRows", "shipped", "names", "isPlain", "isEven", "isSimple", "sigmaPower"],
  "src/prob/Link.ts": ["LinkError", "isExponential", "shipped"],
  "src/expr/Shape.ts": ["test"],
}

/** The exported values of a module, each with the comment before it; empty where there is none. */
const documented = (file: string, source: string): ReadonlyArray<readonly [name: string, text: string]> => {
  const { program, comments } = parse(file, source)
  return program.body.flatMap((node) => {
    if (node.type !== "ExportNamedDeclaration" || node.declaration === null) return []
    const before = comments.findLast(
      ({ end }) => source.slice(end, node.start).trim() === "" && end <= node.start,
    )
    const { declaration } = node
    const names =
      declaration.type === "VariableDeclaration"
        ? declaration.declarations.map(({ id }) => id)
        : declaration.type === "ClassDeclaration"
          ? [declaration.id]
          : []
    return names.flatMap((id) => (id?.type === "Identifier" ? [[id.name, before?.value ?? ""] as const] : []))
  })
}

const saysWhen = (text: string): boolean => /\*When\s+(?:\*\s+)?to use\*/.test(text)

describe("when to use", () => {
  const sources = sourcesIn(["src"])
  const moves = Object.keys(sources).filter((file) => file.startsWith("src/search/moves/"))

  it.each([...Object.keys(alternatives), ...moves])("is said of each export of %s", (file) => {
    const others = alternatives[file] ?? []
    const exported = documented(file, sources[file]!)
    expect(exported.length).toBeGreaterThan(others.length)
    expect(exported.flatMap(([name, text]) => (saysWhen(text) ? [] : [name]))).toEqual(others)
  })

  it("is looked for in the comment before the export alone", () => {
    const source =
      "/** *When\n * to use*: at night. */\nexport const a = 1\n/** b */\nexport const b = 2\nexport class C {}\n"
    expect(documented("a.ts", source).map(([name, text]) => [name, saysWhen(text)])).toEqual([
      ["a", true],
      ["b", false],
      ["C", false],
    ])
  })
})
