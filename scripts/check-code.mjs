// Holds that no text becomes code but the formulas of `expr/evaluate`, whose source has numbers, fixed words and generated names only. Run by
// `npm run lint`; SECURITY.md says why.
import { lineOf, main, parse, ROOMS, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */

/** The one module that makes functions of source. */
const GENERATOR = "src/expr/evaluate.ts"
/** The room that makes WebAssembly of terms. */
const WASM = /^src\/wasm\//
/** Modules that run texts or programs. */
const RUNNERS = new Set(["vm", "node:vm", "child_process", "node:child_process", "module", "node:module"])

const isText = (/** @type {any} */ node) =>
  (node?.type === "Literal" && typeof node.value === "string") || node?.type === "TemplateLiteral"

/** What a node of a syntax tree does that it should not; undefined for nothing. @param {any} node @param {string} file */
const wrong = (node, file) => {
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") {
    const from = node.source?.value
    return RUNNERS.has(from) ? `imports ${from}, which runs texts or programs` : undefined
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

/** @param {Sources} sources @returns {ReadonlyArray<Violation>} */
export const check = (sources) =>
  Object.entries(sources).flatMap(([file, source]) => {
    /** @type {Array<Violation>} */
    const found = []
    walk(parse(file, source).program, (node) => {
      const message = wrong(node, file)
      if (message !== undefined) found.push({ file, line: lineOf(source, node.start), message })
    })
    return found
  })

main(import.meta.url, "code", () => {
  const sources = sourcesIn([...ROOMS.map((room) => `src/${room}`), "playground/src"])
  return { files: Object.keys(sources).length, violations: check(sources) }
})
