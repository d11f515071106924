// Holds the house's import rules, which no linter knows. Run by `npm run lint`; prints `file:line: message`.
import path from "node:path"
import { lineOf, main, parse, ROOMS, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Violation} Violation */
/** @typedef {{ specifier: string, line: number, typeOnly: boolean, statement: string }} Import */

/** Siblings: neither imports the other, so that a program that uses one loads nothing of the other. */
export const SIBLINGS = ["search", "vi"]

const TFJS_FOLDERS = ["src/vi/engines/tfjs/", "src/vi/Backend.ts"]

/** Pure algebra; `testing` has its laws. */
const FP_TS_ROOMS = ["numeric", "expr", "prob", "evidence", "rank", "testing"]
/** Options, tasks, readers and the like are left out: whatever fails, waits or allocates is an Effect. */
const FP_TS_MODULES = new Set(
  `Alt Alternative Applicative Apply BooleanAlgebra Bounded Chain Compactable Const Contravariant Endomorphism Eq
  Field Filterable Foldable FoldableWithIndex Functor FunctorWithIndex HKT Identity Invariant Magma Monad Monoid
  NonEmptyArray Ord Ordering Predicate ReadonlyArray ReadonlyNonEmptyArray ReadonlyRecord Refinement Ring Semigroup
  Semiring Show Traversable TraversableWithIndex Zero boolean function number string struct tuple`.split(
    /\s+/,
  ),
)

/** @param {string} file */
const roomOf = (file) => (file.startsWith("src/") ? file.split("/").slice(1, -1)[0] : undefined)

/**
 * Every import and re-export of a file, types and `import()` included.
 * @param {string} file @param {string} source @returns {ReadonlyArray<Import>}
 */
export const importsOf = (file, source) => {
  /** @type {Array<Import>} */
  const imports = []
  walk(parse(file, source).program.body, (node) => {
    const { type, start, source: from, argument, importKind, exportKind, specifiers } = node
    if (!/^(Import|Export)\w*Declaration$|^ImportExpression$|^TSImportType$/.test(String(type))) return
    const literal = from ?? (type === "TSImportType" ? argument : undefined)
    const specifier = literal?.value ?? literal?.literal?.value
    if (typeof specifier !== "string") return
    const named = Array.isArray(specifiers) ? specifiers : []
    const typeOnly =
      type === "TSImportType" ||
      importKind === "type" ||
      exportKind === "type" ||
      (named.length > 0 && named.every((one) => (one.importKind ?? one.exportKind) === "type"))
    imports.push({ specifier, line: lineOf(source, start), typeOnly, statement: String(type) })
  })
  return imports
}

/**
 * Why `file` may not import `specifier`, if it may not.
 * @param {string} file @param {string} specifier @returns {string | undefined}
 */
const forbidden = (file, specifier) => {
  const room = roomOf(file)
  if (/^(effect|@effect\/platform-node)$/.test(specifier))
    return `import the module (${specifier}/...), not the barrel: it costs 0.6 s of start-up`
  if (/^fp-ts(\/|$)/.test(specifier)) {
    // HKT has types only, and its declarations lie one folder up.
    const name = specifier === "fp-ts/HKT.js" ? "HKT" : /^fp-ts\/lib\/(\w+)\.js$/.exec(specifier)?.[1]
    if (name === undefined) return "write fp-ts/lib/<Module>.js, which is the form that Node resolves"
    if (!FP_TS_MODULES.has(name))
      return `fp-ts is for pure algebra; what fp-ts/${name} does is Effect's work here`
    if (room !== undefined && !FP_TS_ROOMS.includes(room))
      return `fp-ts is used only in ${FP_TS_ROOMS.join(", ")}`
  }
  if (!file.startsWith("src/")) return undefined
  if (specifier.startsWith("@tensorflow/") && !TFJS_FOLDERS.some((folder) => file.startsWith(folder)))
    return `tfjs is imported only in ${TFJS_FOLDERS.join(" and ")}`
  if (specifier.startsWith("@effect/platform-node") && room !== "cli")
    return "@effect/platform-node is bundled with the command line and not installed with the library"
  if (/^vasst(\/|$)/.test(specifier)) return "sources import each other by relative path"
  if (!specifier.startsWith(".")) return undefined
  if (!/\.(ts|json)$/.test(specifier)) return "write relative imports with their .ts extension"
  const target = path.posix.join(path.posix.dirname(file), specifier)
  const targetRoom = roomOf(target)
  if (!target.startsWith("src/")) return "sources import nothing from outside src"
  if (room === undefined || room === targetRoom) return undefined
  if (targetRoom === undefined) return "src/index.ts is for users; import the module itself"
  if (!ROOMS.includes(room)) return `src/${room}/ is not a room of the house (${ROOMS.join(", ")})`
  if (SIBLINGS.includes(room) && SIBLINGS.includes(targetRoom))
    return `${room} and ${targetRoom} are siblings; what uses both belongs into a room after them`
  if (ROOMS.indexOf(targetRoom) < ROOMS.indexOf(room) && ROOMS.includes(targetRoom)) return undefined
  return `${room} may not import ${targetRoom} (a room imports those before it: ${ROOMS.join(", ")})`
}

/**
 * @param {string} file @param {string} source @param {ReadonlyArray<Import>} imports
 * @returns {ReadonlyArray<Violation>}
 */
const barrels = (file, source, imports) => {
  if (!file.startsWith("src/") || file === "src/index.ts") return []
  const message = "is a barrel; only src/index.ts re-exports"
  if (path.posix.basename(file) === "index.ts") return [{ file, line: 1, message }]
  const all = imports.find(({ statement }) => statement === "ExportAllDeclaration")
  if (all !== undefined)
    return [{ file, line: all.line, message: `export * from "${all.specifier}": ${message}` }]
  const statements = parse(file, source).program.body
  const onlyReexports =
    statements.length > 0 &&
    statements.every((one) => one.type === "ExportNamedDeclaration" && one.source !== null)
  return onlyReexports ? [{ file, line: 1, message }] : []
}

/**
 * Tests mirror src, so that the tests of a module are found from its path. Tests of scripts, of
 * benchmarks, of the documentation, and of the package have folders of those names.
 * @param {ReadonlyArray<string>} files @returns {ReadonlyArray<Violation>}
 */
const misplacedTests = (files) => {
  const folders = new Set(
    files.flatMap((file) => {
      const parts = file.split("/").slice(1, -1)
      return file.startsWith("src/") ? parts.map((_, i) => parts.slice(0, i + 1).join("/")) : []
    }),
  )
  return files.flatMap((file) => {
    const folder = /^test\/(?:unit|property|statistical|types)\/(.+)\/[^/]+\.test\.ts$/.exec(file)?.[1]
    return folder === undefined || folders.has(folder) || /^(scripts|bench|docs|package)(\/|$)/.test(folder)
      ? []
      : [{ file, line: 1, message: `tests mirror src, which has no folder ${folder}` }]
  })
}

/**
 * Cycles between files, types included: whichever file of a cycle is loaded first sees the others half initialised, and a reader
 * cannot begin with any of them.
 * @param {ReadonlyMap<string, ReadonlyArray<Import>>} graph @returns {ReadonlyArray<Violation>}
 */
const cycles = (graph) => {
  /** @type {Array<Violation>} */
  const found = []
  /** @type {Set<string>} */
  const done = new Set()
  /** @param {string} file @param {ReadonlyArray<string>} trail @param {number} line */
  const visit = (file, trail, line) => {
    if (trail.includes(file)) {
      const cycle = [...trail.slice(trail.indexOf(file)), file]
      found.push({ file: cycle.at(-2) ?? file, line, message: `import cycle: ${cycle.join(" -> ")}` })
    }
    if (done.has(file) || trail.includes(file)) return
    for (const { specifier, line: next } of graph.get(file) ?? [])
      if (specifier.startsWith("."))
        visit(path.posix.join(path.posix.dirname(file), specifier), [...trail, file], next)
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [], 1)
  return found
}

/**
 * @param {Readonly<Record<string, string>>} sources text by path from the repository root, with forward slashes
 * @returns {ReadonlyArray<Violation>}
 */
export const check = (sources) => {
  const graph = new Map(Object.entries(sources).map(([file, source]) => [file, importsOf(file, source)]))
  const perFile = [...graph].flatMap(([file, imports]) => [
    ...imports.flatMap(({ specifier, line }) => {
      const reason = forbidden(file, specifier)
      return reason === undefined ? [] : [{ file, line, message: `import "${specifier}": ${reason}` }]
    }),
    ...barrels(file, sources[file] ?? "", imports),
  ])
  return [...perFile, ...misplacedTests(Object.keys(sources)), ...cycles(graph)]
}

main(import.meta.url, "layers", () => {
  const sources = sourcesIn(["src", "examples", "test", "bench", "playground/src"])
  return { files: Object.keys(sources).length, violations: check(sources) }
})
