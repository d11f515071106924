/**
 * The picture of docs/architecture.md, from the imports of src, and the table of that page, from the how-to pages.
 *
 *     npm run ts -- scripts/figures/architecture.ts        writes docs/images/architecture.svg and the table
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { importsOf, SIBLINGS } from "../check-layers.mjs"
import { ROOMS, sourcesIn } from "../sources.mjs"
import { draw } from "./layered.ts"

const root = new URL("../../", import.meta.url)

/** What each box says below the name of the room. */
const captions: Readonly<Record<string, string>> = {
  errors: "typed errors",
  internal: "small private parts",
  numeric: "linear algebra, Algebra",
  wasm: "WebAssembly generator",
  random: "splittable keys",
  data: "tables, CSV",
  workers: "jobs over the cores",
  expr: "terms, operators, text",
  prob: "models: sites, priors, likelihoods",
  evidence: "exact log evidence",
  infer: "Algorithm, Fit, Posterior",
  search: "search over hard trees",
  vi: "families, ELBO, engines",
  inclusive: "search led by a family",
  rank: "ranking of hard models",
  models: "Law, Vasst",
  report: "tables, JSON",
  promise: "promises, columns",
  testing: "laws for your own parts",
  jobs: "a queue in a database",
  cli: "the program vasst",
  serve: "fits for Python",
}

const roomOf = (file: string): string | undefined => file.split("/").slice(1, -1)[0]

/** Whether a file of one room may import one of the other. `npm run lint` rejects the imports that may not be. */
const allowed = (from: string, to: string): boolean =>
  ROOMS.indexOf(to) < ROOMS.indexOf(from) && !(SIBLINGS.includes(from) && SIBLINGS.includes(to))

/** For each room of src the rooms that it imports, as far as the rules allow. */
export const roomImports = (
  sources: Readonly<Record<string, string>>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  for (const [file, source] of Object.entries(sources)) {
    const from = roomOf(file)
    if (from === undefined) continue
    const targets = found.get(from) ?? new Set<string>()
    found.set(from, targets)
    for (const { specifier } of importsOf(file, source)) {
      if (!specifier.startsWith(".")) continue
      const to = roomOf(path.posix.join(path.posix.dirname(file), specifier))
      if (to !== undefined && allowed(from, to)) targets.add(to)
    }
  }
  return found
}

/** The graph without the arrows that a path of other arrows implies: a picture of all 90 would be black. */
export const withoutImplied = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to))
  return new Map(
    [...graph].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => ![...targets].some((via) => via !== to && reaches(via, to)))),
    ]),
  )
}

/** The picture: a box for each room, above those that it imports. */
export const picture = (sources: Readonly<Record<string, string>>): string => {
  const graph = withoutImplied(roomImports(sources))
  const rooms = ROOMS.filter((room) => graph.has(room))
  const boxes = rooms.map((name) => {
    const caption = captions[name]
    if (caption === undefined)
      throw new Error(`scripts/figures/architecture.ts has no caption for the room ${name}; add one`)
    return { name, caption, below: [...(graph.get(name) ?? [])] }
  })
  return draw(boxes, "The rooms of src, and the rooms that each imports")
}

/** How-to pages that add a part to the system: the part, and the modules whose interface the part has. */
const extensions: Readonly<Record<string, readonly [part: string, modules: string]>> = {
  "operator.md": ["an operator", "`expr/Operator`, `expr/Term`"],
  "grammar.md": ["a rule of the grammar", "`prob/Grammar`"],
  "distribution.md": ["a distribution", "`prob/Dist`"],
  "prior.md": ["the priors of a model", "`prob/Dist`, `prob/Model`"],
  "tree-prior.md": ["a prior of trees", "`prob/Tree`, `prob/Prior`"],
  "template.md": ["a form with holes", "`prob/Template`, `expr/Shape`"],
  "likelihood.md": ["a likelihood", "`evidence/Likelihood`"],
  "noise.md": ["a kind of noise", "`evidence/Noise`"],
  "link.md": ["a link of the response", "`prob/Link`"],
  "fitted-constants.md": ["a fitted constant and its prior", "`prob/Constant`"],
  "constants.md": ["a prior of exact constants", "`evidence/exact/Constants`"],
  "move.md": ["a move of the search", "`search/Move`, `search/Workbench`"],
  "algorithm.md": ["an inference algorithm", "`infer/Algorithm`, `rank/HardTrees`"],
  "family.md": ["a variational family, a factor", "`vi/Family`, `prob/Factor`"],
  "relaxation.md": ["a relaxation", "`vi/Relaxation`"],
  "objective.md": ["an objective", "`vi/Objective`"],
  "optimiser.md": ["an optimiser, a stopping rule", "`vi/Optimizer`, `infer/Stop`"],
  "engine.md": ["an engine", "`vi/engines/Engine`"],
  "score-laws.md": ["a ranking of several searches", "`rank/Scorer`, `infer/Archive`"],
  "score.md": ["a score", "`rank/Score`"],
  "use-all-cores.md": ["a job for all cores", "`workers/Workers`, `infer/Restarts`"],
}

/** How-to pages that add no part. */
const uses: ReadonlySet<string> = new Set([
  "promise.md",
  "python.md",
  "browser.md",
  "groups.md",
  "many-machines.md",
  "watching.md",
  "my-formula.md",
  "predict.md",
  "report.md",
  "runs-that-last.md",
  "units.md",
])

/** The lines of code in the `ts` blocks of a page: without imports, comments and blank lines. */
export const codeLines = (page: string): number =>
  [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .flatMap(([, code = ""]) => code.replaceAll(/\/\*[\s\S]*?\*\//g, "").split("\n"))
    .filter((line) => !/^\s*(?:$|\/\/|import )/.test(line)).length

/** The table of extension points, for the how-to pages that exist. */
export const table = (pages: Readonly<Record<string, string>>): string => {
  for (const page of Object.keys(pages))
    if (extensions[page] === undefined && !uses.has(page))
      throw new Error(
        `docs/how-to/${page} is not in scripts/figures/architecture.ts; add it to \`extensions\`, or to \`uses\``,
      )
  const rows = Object.entries(extensions).flatMap(([page, [part, modules]]) => {
    const text = pages[page]
    return text === undefined ? [] : [[`[${part}](how-to/${page})`, modules, String(codeLines(text))]]
  })
  const head = ["what you add", "module", "lines of code"]
  const width = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>): string =>
    `| ${row.map((cell, column) => (column === 2 ? cell.padStart(width[2]!) : cell.padEnd(width[column]!))).join(" | ")} |`
  const rule = `| ${"-".repeat(width[0]!)} | ${"-".repeat(width[1]!)} | ${"-".repeat(width[2]! - 1)}: |`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

const markers = /(<!-- extension points -->\n\n)[\s\S]*?(\n\n<!-- end -->)/

/** The page with its table written anew. */
export const withTable = (page: string, rows: string): string => {
  if (!markers.test(page)) throw new Error("docs/architecture.md has lost the marks around its table")
  return page.replace(markers, (_, before: string, after: string) => before + rows + after)
}

/** The how-to pages by file name. */
export const howTos = (): Readonly<Record<string, string>> => {
  const folder = new URL("docs/how-to/", root)
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
  )
}

export const files = {
  picture: new URL("docs/images/architecture.svg", root),
  page: new URL("docs/architecture.md", root),
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(files.picture, picture(sourcesIn(["src"])))
  writeFileSync(files.page, withTable(readFileSync(files.page, "utf8"), table(howTos())))
}
