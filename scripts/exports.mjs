// Writes the `exports` of package.json: the public modules one by one, so that nothing else can be imported.
// `npm run exports` writes; `npm run lint` looks whether package.json is up to date (`--check`).
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

/**
 * Public modules that `src/index.ts` does not list: parts for those who extend the system, and types that the signatures
 * of other public modules name.
 */
const BEYOND_INDEX = [
  // The whole of it for those who do not use Effect.
  "promise",
  // Tables as texts, for programs that show columns before they fit.
  "data/Csv",
  // Expressions.
  "expr/columnOf",
  "expr/evaluate",
  // Units, with a parser of their own that only tables with units load.
  "expr/Unit",
  "expr/Units",
  "prob/Dimensions",
  // Interpreters of a plan: an engine gives `Interpreter.run` an algebra of its arrays.
  "numeric/Algebra",
  "numeric/Nd",
  "numeric/Special",
  "prob/Divergences",
  "prob/Graph",
  "prob/Interpreter",
  "vi/engines/Engine",
  "vi/engines/simd/engine",
  "vi/engines/tfjs/engine",
  // Sites, and factors of a family.
  "prob/Factor",
  "prob/Moments",
  "prob/Observation",
  "prob/Support",
  "prob/Sym",
  "prob/Skeleton",
  // Gradient ascent as an algorithm.
  "vi/Elbo",
  // States of fits that are kept in a place of one's own.
  "infer/Keeper",
  "infer/Store",
  // What a move of the search works with.
  "search/Frontier",
  "search/HallOfFame",
  "search/Settings",
  "search/Workbench",
  // Evidence and ranking.
  "evidence/fitted/FittedLaw",
  "evidence/priorDraws",
  "evidence/treePrior",
  "rank/ArchiveRanking",
  "rank/Ensemble",
  "rank/HardTrees",
  "rank/LeaveFutureOut",
  "rank/Model",
  "rank/Ranking",
  "rank/Residuals",
  "rank/ExactRanking",
  "rank/Score",
  "rank/Searched",
  // Models that ship.
  "models/Fitted",
  "models/LawGrammar",
  "models/Source",
  "models/lawRestarts",
  "models/vasstWorker",
  // Threads of a page.
  "workers/WebWorkers",
  // Reports.
  "report/Document",
  "report/LawDocument",
  "report/Progress",
  "report/Table",
  // For tests of extensions.
  "testing/algorithmLaws",
  "testing/arbitraryModel",
  "testing/arbitraryTerm",
  "testing/calibration",
  "testing/distributionLaws",
  "testing/goodnessOfFit",
  "testing/likelihoodLaws",
  "testing/numberPlaces",
  "testing/simulation",
]

const ROOT = path.join(import.meta.dirname, "..")

/**
 * The public modules by their path below `src` without extension (`prob/Dist`), sorted; `index` is not among them.
 * @param {string} [root] @returns {ReadonlyArray<string>}
 */
export const publicModules = (root = ROOT) => {
  const index = fs.readFileSync(path.join(root, "src/index.ts"), "utf8")
  const listed = [...index.matchAll(/ from "\.\/(.+)\.ts"/g)].flatMap(([, name]) => name ?? [])
  const twice = BEYOND_INDEX.filter((name) => listed.includes(name))
  if (twice.length > 0) throw new Error(`src/index.ts lists ${twice.join(", ")}; take it out of exports.mjs`)
  const modules = [...new Set([...listed, ...BEYOND_INDEX])].sort()
  const missing = modules.filter((name) => !fs.existsSync(path.join(root, "src", `${name}.ts`)))
  if (missing.length > 0)
    throw new Error(
      `there is no src/${missing.join(".ts, no src/")}.ts, which the list of public modules names`,
    )
  return modules
}

/** @param {string} name @returns {Readonly<Record<string, string>>} */
const conditions = (name) => ({
  "vasst-source": `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`,
})

/**
 * The `exports` of package.json.
 * @param {ReadonlyArray<string>} modules @returns {Readonly<Record<string, unknown>>}
 */
export const exportsOf = (modules) => ({
  "./package.json": "./package.json",
  ".": conditions("index"),
  ...Object.fromEntries(modules.map((name) => [`./${name}`, conditions(name)])),
})

const main = () => {
  const file = path.join(ROOT, "package.json")
  const text = fs.readFileSync(file, "utf8")
  const modules = publicModules()
  const next = `${JSON.stringify({ ...JSON.parse(text), exports: exportsOf(modules) }, null, 2)}\n`
  if (process.argv.includes("--check")) {
    if (next !== text) {
      console.error(
        "package.json: its exports are not those of src/index.ts and scripts/exports.mjs; run: npm run exports",
      )
      process.exitCode = 1
    }
  } else if (next !== text) fs.writeFileSync(file, next)
  console.log(`exports: ${modules.length} public modules`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main()
