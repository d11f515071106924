// Holds that no text becomes code but the formulas of `expr/evaluate`, whose source has numbers, fixed words and generated names only, and none in
// the Python package. Run by `npm run lint`; SECURITY.md says why.
import { lineOf, main, parse, ROOMS, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */

/** The one module that makes functions of source. */
const GENERATOR = "src/expr/evaluate.ts"
/** The room that makes WebAssembly of terms. */
const WASM = /^src\/wasm\//
/** Modules that run texts or programs. */
const RUNNERS = new Set(["vm", "node:vm", "child_process", "node:child_process", "module", "node:module"])

/** The program that `npx vasst` starts: it starts itself, with a heap that holds the table, and looks for its own sources. */
const STARTERS = new Map([
  ["bin/supervise.mjs", "node:child_process"],
  ["bin/vasst.mjs", "node:module"],
])

const isText = (/** @type {any} */ node) =>
  (node?.type === "Literal" && typeof node.value === "string") || node?.type === "TemplateLiteral"

/** What a node of a syntax tree does that it should not; undefined for nothing. @param {any} node @param {string} file */
const wrong = (node, file) => {
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") {
    const from = node.source?.value
    return RUNNERS.has(from) && STARTERS.get(file) !== from
      ? `imports ${from}, which runs texts or programs`
      : undefined
  }
  const isWasm =
    (node.type === "MemberExpression" &&
      (node.object?.name === "WebAssembly" || node.property?.name === "WebAssembly")) ||
    (node.type === "Literal" && node.value === "WebAssembly")
  if (isWasm && !WASM.test(file)) return "has WebAssembly outside of the room that makes it of terms"
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return undefined
  const callee = node.callee
  const given = node["arguments"]
  const name = callee?.name ?? (callee?.object?.name === "globalThis" ? callee.property?.name : undefined)
  if (name === "eval") return "calls eval"
  if (name === "Function" && file !== GENERATOR) return "makes a function of a text"
  if (callee?.property?.name === "constructor" && isText(given?.[0])) return "makes a function of a text"
  return /^set(Timeout|Interval|Immediate)$/.test(name ?? "") && isText(given?.[0])
    ? `gives ${name} a text to run`
    : undefined
}

/** Texts and comments of Python: those in three quotation marks first. */
const PYTHON_TEXTS = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*/g
/** Functions of Python and SymPy that run a text, and modules whose readers do. */
const PYTHON_RUNNERS =
  /(?<!\bre\.)\b(eval|exec|compile|__import__|sympify|parse_expr|lambdify)\b(?=\s*\()|\bimport (pickle|marshal|shelve|runpy|code)\b/g

/** What runs a text in a source of Python. @param {string} file @param {string} source @returns {ReadonlyArray<Violation>} */
const checkPython = (file, source) => {
  // As long as before, so that lines stay where they are. A text in braces of an f-string is left out, too.
  const code = source.replaceAll(PYTHON_TEXTS, (text) => text.replaceAll(/[^\n]/g, " "))
  return [...code.matchAll(PYTHON_RUNNERS)].map((found) => ({
    file,
    line: lineOf(source, found.index),
    message: found[1] === undefined ? `imports ${found[2]}, which runs what it reads` : `calls ${found[1]}`,
  }))
}

/** @param {Sources} sources @returns {ReadonlyArray<Violation>} */
export const check = (sources) =>
  Object.entries(sources).flatMap(([file, source]) => {
    if (file.endsWith(".py")) return checkPython(file, source)
    /** @type {Array<Violation>} */
    const found = []
    walk(parse(file, source).program, (node) => {
      const message = wrong(node, file)
      if (message !== undefined) found.push({ file, line: lineOf(source, node.start), message })
    })
    return found
  })

main(import.meta.url, "code", () => {
  const sources = {
    ...sourcesIn([...ROOMS.map((room) => `src/${room}`), "playground/src"]),
    ...sourcesIn(["bin"], /\.mjs$/),
    ...sourcesIn(["python/src"], /\.py$/),
  }
  return { files: Object.keys(sources).length, violations: check(sources) }
})
