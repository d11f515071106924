// Holds that every cast of src says why it is right: a comment on its line, or on the line before the expression. `as const` is no
// cast. Run by `npm run lint`; prints `file:line: message`.
import { lineOf, main, parse, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */

/** @param {Sources} sources @returns {ReadonlyArray<Violation>} */
export const check = (sources) =>
  Object.entries(sources).flatMap(([file, source]) => {
    const { program, comments } = parse(file, source)
    /** @type {Set<number>} */
    const explained = new Set()
    for (const { start, end } of comments)
      for (let line = lineOf(source, start); line <= lineOf(source, end); line++) explained.add(line)
    /** @type {Map<number, Violation>} */
    const found = new Map()
    walk(program.body, ({ type, start, typeAnnotation }) => {
      if (type !== "TSAsExpression" && type !== "TSTypeAssertion") return
      if (typeAnnotation.typeName?.name === "const") return
      const last = lineOf(source, typeAnnotation.start)
      for (let line = lineOf(source, start) - 1; line <= last; line++) if (explained.has(line)) return
      found.set(last, { file, line: last, message: "a cast says why it is right, in a comment beside it" })
    })
    return [...found.values()]
  })

main(import.meta.url, "casts", () => {
  const sources = sourcesIn(["src", "playground/src"])
  return { files: Object.keys(sources).length, violations: check(sources) }
})
