// Holds the words of the documentation and of names: the field's terms, and phrases with the noun in them. Run by `npm run lint`;
// prints `file:line: message`. docs/reference/glossary.md has the terms.
import fs from "node:fs"
import path from "node:path"
import { lineOf, main, parse, ROOT, sourcesIn, walk } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */
/** @typedef {{ words: RegExp, instead: string, files?: RegExp }} Rule of all files, or of those that `files` matches */
/** @typedef {{ file: string, text: string, reason: string }} Allowed */

/** Participles that do not end in -ed, of verbs that comments use. */
const irregular =
  "begun|born|bound|bought|broken|brought|built|caught|chosen|cut|done|drawn|driven|fit|found|forgotten|given|gone|held|hidden|kept|known|laid|left|lent|lost|made|meant|met|paid|put|read|run|said|seen|sent|set|shown|shut|spent|split|sought|sworn|taken|taught|thrown|thought|told|understood|won|worn|written"

/**
 * What may not be said, and what to say. A space stands for any white space, so that a phrase is found across lines.
 * @type {ReadonlyArray<Rule>}
 */
export const RULES = [
  // Private words for which the field has a term.
  { words: /\bagendas?\b/i, instead: "frontier" },
  { words: /\bbanks?\b/i, instead: "expression library" },
  { words: /\bopenings?\b/i, instead: "constant insertion" },
  { words: /\bpolish(es|ed|ing)?\b/i, instead: "constant fitting" },
  { words: /\b(its|their|own|the|of|without|and) likes\b/i, instead: "feature swap" },
  { words: /\bnumerals?\b/i, instead: "constant expressions" },
  { words: /\bsittings?\b/i, instead: "the noun that is meant" },
  { words: /\bslabs?\b/i, instead: "block" },
  { words: /\baddends?\b/i, instead: "term" },
  { words: /\bpieces? of work\b/i, instead: "step" },
  { words: /\bpiece by piece\b/i, instead: "step by step" },
  {
    words:
      /\b(a|two|each|another|new|second|first|other|every|independent) starts? (that|has|have|begins|ends|anew|of a search)\b/i,
    instead: "restart",
  },
  { words: /\b(two|independent) starts\b/i, instead: "restarts" },
  { words: /\b(begin|begins|began|beginning|starting|starts) anew\b/i, instead: "restart" },
  {
    words:
      /`(Agenda|Bank|Openings|Polish|Variable|Working|Worth|Numerals|Spread|Scratch|Sitting|Slab|Addends|Completion|Plain|Spelled|Ensembles|Numbers|Subtrees|Gram|Regression|Neighbours|Agreement|Space|Slots)`/,
    instead: "the module's name in src",
  },
  // Phrases that leave the noun to the reader.
  {
    words: /\bso (many|much)\b(?! (simpler|more|less|that|faster|slower|smaller|larger))/i,
    instead: "the number",
  },
  { words: /\bof before\b/i, instead: "the previous noun" },
  {
    words:
      /\bwhat (it|they|a search|the search) (kept|keeps|keep|found|finds|find|has|have|had|did|does|do|makes|made)\b/i,
    instead: "the noun that is kept, found or done",
  },
  {
    words:
      /\bwhat (is|was|are|were) (kept|found|left|there|said|learned|tried|done|drawn|searched|known|missing)\b/i,
    instead: "the noun",
  },
  { words: /\bwhat there (is|was)\b/i, instead: "the noun" },
  { words: /\b(what|how much|how many) of (the|a|an|it|them|what)\b/i, instead: "which part of the" },
  {
    words: /\bwhat (comes|came|becomes|became) (out|back|next|of|from)\b/i,
    instead: "the result, or the noun",
  },
  { words: /\bsome of (it|them|these|those)\b/i, instead: "the noun" },
  { words: /\bwhoever\b/i, instead: "who does it" },
  {
    words: new RegExp(
      String.raw`\bwhat (is|was|are|were|has been|had been|(can|cannot|could|may|might|must|should|will|would|is to|was to|has to) (not )?be|to be) ((not|already|still|yet|now|never|always|only|just|once) )?([a-z]+ed|${irregular})\b`,
      "i",
    ),
    instead: "the noun that it is done to",
    files: /\.ts$/,
  },
]

/**
 * Words that no declared name of a module has, and the name of a file neither: parts of names in camel case, so that
 * `ofAddend` is one. `types` are names of types alone: a value may be `plain`.
 * @type {ReadonlyArray<{ words: RegExp, types?: true, instead: string }>}
 */
export const NAMES = [
  { words: /^agendas?$/i, instead: "frontier, or queue" },
  { words: /^banks?$/i, instead: "expression library" },
  { words: /^openings$/i, instead: "constant insertion" },
  { words: /^polish(es|ed)?$/i, instead: "constant fitting" },
  { words: /^worths?$/i, instead: "score, gain or tolerance" },
  { words: /^likes$/i, instead: "feature swap" },
  { words: /^numerals?$/i, instead: "constant expressions" },
  { words: /^scratch$/i, instead: "workspace" },
  { words: /^sittings?$/i, instead: "the noun that is meant" },
  { words: /^slabs?$/i, instead: "block" },
  { words: /^addends?$/i, instead: "term, or monomial" },
  { words: /^spelled$/i, instead: "text, or alias" },
  { words: /^Working$/, types: true, instead: "WorkingResponse" },
  { words: /^Spread$/, types: true, instead: "the statistic that is meant" },
  { words: /^Completion$/, types: true, instead: "the noun that is meant" },
  { words: /^Plain$/, types: true, instead: "the noun that is meant" },
]

/**
 * Where a rule would be wrong: text of a page or module, or a declared name.
 * @type {ReadonlyArray<Allowed>}
 */
export const ALLOWED = [
  { file: "CONTRIBUTING.md", text: '"what it kept"', reason: "the example of a phrase that may not be said" },
]

/** @param {RegExp} words */
const acrossLines = (words) =>
  new RegExp(words.source.replaceAll(" ", String.raw`[\s*/]+`), words.flags.includes("i") ? "gi" : "g")

/** @param {string} text */
const blank = (text) => text.replaceAll(/[^\n]/g, " ")

/**
 * The prose of a page: what is not a fenced block or a link's target.
 * @param {string} page @returns {string}
 */
const proseOf = (page) =>
  page.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, blank).replaceAll(/\]\([^)\n]*\)/g, blank)

/**
 * The comments and messages of a module, everything else blank: lines stay where they are.
 * @param {string} file @param {string} source @returns {string}
 */
const wordsOf = (file, source) => {
  const { program, comments } = parse(file, source)
  /** @type {Array<readonly [number, number]>} */
  const spans = comments.map(({ start, end }) => [start, end])
  walk(program.body, ({ type, start, end, value }) => {
    // A message has a space in it; a tag or the name of a module has none.
    const message =
      (type === "Literal" && typeof value === "string" && value.includes(" ")) || type === "TemplateElement"
    if (message) spans.push([start, end])
  })
  let text = ""
  let at = 0
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start < at) continue
    text += blank(source.slice(at, start)) + source.slice(start, end)
    at = end
  }
  return text + blank(source.slice(at))
}

/** Nodes of a syntax tree that declare a type. */
const typeDeclarations = new Set([
  "ClassDeclaration",
  "TSEnumDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSModuleDeclaration",
])

/**
 * The names that a module declares, each with its place: of values, types, parameters and properties, and of the file
 * itself. Names that it imports, and properties that it reads, are declared elsewhere.
 * @param {string} file @param {string} source
 * @returns {ReadonlyArray<{ name: string, start: number, type: boolean }>}
 */
const namesOf = (file, source) => {
  /** @type {Map<string, { name: string, start: number, type: boolean }>} */
  const names = new Map([["", { name: path.posix.parse(file).name, start: 0, type: false }]])
  /** @type {Set<unknown>} */
  const elsewhere = new Set()
  /** @type {Set<unknown>} */
  const types = new Set()
  walk(parse(file, source).program.body, (node) => {
    if (node.type === "MemberExpression" && !node.computed) elsewhere.add(node.property)
    if (node.type === "TSQualifiedName") elsewhere.add(node.right)
    if (node.type === "ImportSpecifier") {
      elsewhere.add(node.imported)
      if (node.local.name === node.imported.name) elsewhere.add(node.local)
    }
    if (typeDeclarations.has(node.type)) types.add(node.id)
    if ((node.type !== "Identifier" && node.type !== "PrivateIdentifier") || elsewhere.has(node)) return
    const type = types.has(node)
    const key = `${node.name} ${type}`
    if (!names.has(key)) names.set(key, { name: node.name, start: node.start, type })
  })
  return [...names.values()]
}

/**
 * The private words in declared names.
 * @param {string} file @param {string} source
 * @returns {ReadonlyArray<Violation & { name: string }>}
 */
const privateNames = (file, source) =>
  namesOf(file, source).flatMap(({ name, start, type }) => {
    const parts = name.split(/(?<=[a-z0-9])(?=[A-Z])|[-_.]/)
    return NAMES.filter(({ words, types }) =>
      types === true ? type && words.test(name) : parts.some((part) => words.test(part)),
    ).map(({ instead }) => ({
      file,
      line: lineOf(source, start),
      name,
      message: `the name "${name}" has a private word: say ${instead}`,
    }))
  })

/**
 * @param {Sources} files pages and modules
 * @param {ReadonlyArray<Allowed>} allowed
 * @returns {ReadonlyArray<Violation>}
 */
export const check = (files, allowed = ALLOWED) => {
  /** @type {Set<Allowed>} */
  const used = new Set()
  const found = Object.entries(files).flatMap(([file, source]) => {
    const isPage = file.endsWith(".md")
    const text = isPage ? proseOf(source) : wordsOf(file, source)
    const names = (isPage ? [] : privateNames(file, source)).flatMap(({ name, ...violation }) => {
      const excuse = allowed.find((one) => one.file === file && one.text === name)
      if (excuse === undefined) return [violation]
      used.add(excuse)
      return []
    })
    const rules = RULES.filter(({ files }) => files?.test(file) !== false)
    const phrases = rules.flatMap(({ words, instead }) =>
      [...text.matchAll(acrossLines(words))].flatMap(({ 0: match, index }) => {
        const around = text.slice(Math.max(0, index - 60), index + match.length + 60).replaceAll(/\s+/g, " ")
        const excuse = allowed.find((one) => one.file === file && around.includes(one.text))
        if (excuse !== undefined) {
          used.add(excuse)
          return []
        }
        return [
          {
            file,
            line: lineOf(text, index),
            message: `"${match.replaceAll(/[\s*/]+/g, " ")}": say ${instead}`,
          },
        ]
      }),
    )
    return [...names, ...phrases]
  })
  const stale = allowed
    .filter((one) => !used.has(one))
    .map(({ file, text }) => ({
      file,
      line: 1,
      message: `is allowed "${text}", which it does not say; take that out of the list`,
    }))
  return [...found, ...stale]
}

/** The pages of the documentation, and the modules of all rooms. @returns {Sources} */
export const pages = () => ({
  ...Object.fromEntries(
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((file) => [
      file,
      fs.readFileSync(path.join(ROOT, file), "utf8"),
    ]),
  ),
  ...sourcesIn(["docs"], /\.md$/),
  ...sourcesIn(["src", "bench", "playground/src"]),
})

main(import.meta.url, "words", () => {
  const texts = pages()
  return { files: Object.keys(texts).length, violations: check(texts) }
})
