// Holds that what a result depends on has the same bits on every engine: functions whose rounding ECMAScript leaves to the engine come from
// `numeric/Real`. Run by `npm run lint`; prints `file:line: message`.
import { lineOf, main, parse, ROOMS, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */

/** Functions of `Math` that are "implementation-approximated" (ECMA-262, 21.3.2); the square root is exact. */
const OF_THE_ENGINE = new Set(
  "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh".split(
    " ",
  ),
)

/** Files that may name them: the special values of a power are exact, and an engine's functions may be those of the project. */
const EXCEPTIONS = new Set(["src/numeric/Power.ts", "src/numeric/Real.ts"])

/** A number in the source, perhaps with a sign. @param {any} node */
const literal = (node) =>
  node?.type === "UnaryExpression" && node.operator === "-" ? -node.argument.value : node?.value

/** Squares and powers of 0 and 2 are exact where they are whole. @param {any} base @param {any} exponent */
const isExact = (base, exponent) => literal(exponent) === 2 || literal(base) === 2 || literal(base) === 0

/** What a node of a syntax tree takes from the engine; undefined for nothing. @param {any} node */
const wrong = (node) => {
  if (node.type === "MemberExpression" && node.object?.name === "Math") {
    if (node.computed) return "reads a name of Math that is not in the source"
    return OF_THE_ENGINE.has(node.property.name)
      ? `has Math.${node.property.name}, whose rounding is the engine's: Real.${node.property.name}`
      : undefined
  }
  if (node.type === "VariableDeclarator" && node.init?.name === "Math") return "takes Math apart"
  const isPower =
    (node.type === "BinaryExpression" && node.operator === "**") ||
    (node.type === "AssignmentExpression" && node.operator === "**=")
  return isPower && !isExact(node.left, node.right)
    ? "has a power, whose rounding is the engine's: Real.pow"
    : undefined
}

/** @param {Sources} sources @returns {ReadonlyArray<Violation>} */
export const check = (sources) =>
  Object.entries(sources).flatMap(([file, source]) => {
    /** @type {Array<Violation>} */
    const found = []
    if (EXCEPTIONS.has(file)) return found
    walk(parse(file, source).program, (node) => {
      const message = wrong(node)
      if (message !== undefined) found.push({ file, line: lineOf(source, node.start), message })
    })
    return found
  })

main(import.meta.url, "math", () => {
  const sources = sourcesIn([...ROOMS.map((room) => `src/${room}`), "playground/src"])
  return { files: Object.keys(sources).length, violations: check(sources) }
})
