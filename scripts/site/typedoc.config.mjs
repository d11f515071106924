// The site of the documentation: `npm run site` writes it to site/. Pages are the Markdown of docs/ as it stands; the
// reference is made from the docstrings of the public modules. Decision 47 says why TypeDoc makes all of it.
import path from "node:path"
import katex from "@vscode/markdown-it-katex"
import { publicModules } from "../exports.mjs"
import { ROOT } from "../sources.mjs"

/** @param {string} name */
const at = (name) => path.join(ROOT, name)

/** Sections in the order of the navigation, and their pages: those of the first have a place of their own. */
export const sections = {
  "": ["docs/tutorial.md", "docs/measured.md", "docs/theory.md"],
  "How to": ["docs/how-to/*.md"],
  Reference: ["docs/reference/*.md", "docs/architecture.md"],
  Measured: [
    "docs/feynman.md",
    "docs/laws.md",
    "docs/calibration.md",
    "docs/reproduction.md",
    "docs/reproduction/*.md",
    "docs/benchmarks.md",
    "docs/limits.md",
    "docs/comparison.md",
  ],
  Decisions: ["docs/adr/README.md", "docs/adr/0*.md"],
  Project: [
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "examples/data/README.md",
    "examples/starter/README.md",
    "python/README.md",
  ],
}

/** @type {Partial<import("typedoc").TypeDocOptions>} */
const config = {
  name: "vasst",
  plugin: [path.join(import.meta.dirname, "plugin.mjs")],
  entryPoints: publicModules().map((name) => at(`src/${name}.ts`)),
  tsconfig: at("tsconfig.build.json"),
  // The repository's compiler checks types; this one reads them.
  skipErrorChecking: true,
  readme: at("README.md"),
  projectDocuments: Object.values(sections).flat().map(at),
  out: at("site"),
  favicon: at("playground/icon.svg"),
  router: "paths",
  customCss: path.join(import.meta.dirname, "site.css"),
  markdownItLoader: (parser) => parser.use(katex.default),
  highlightLanguages: ["ts", "js", "json", "sh", "python", "html", "css", "csv"],
  ignoredHighlightLanguages: ["text"],
  // Dead links end the command with an error.
  treatWarningsAsErrors: true,
  // Signatures may name private types; docs/reference/api.txt lists them.
  validation: { notExported: false, rewrittenLink: false, invalidLink: true, invalidPath: true },
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  blockTags: [
    "@errors",
    "@param",
    "@returns",
    "@typeParam",
    "@template",
    "@throws",
    "@example",
    "@see",
    "@deprecated",
  ],
  // Paths of the machine and revisions are not part of the site.
  disableSources: true,
  hideGenerator: true,
  includeHierarchySummary: false,
  navigation: { includeFolders: true, compactFolders: false },
  // Modules are links, and no folders of their exports.
  navigationLeaves: publicModules().map((name) => `vasst/${name}`),
  searchInComments: true,
  searchInDocuments: true,
  // Names of exports would come before every page otherwise.
  searchGroupBoosts: { Documents: 10 },
}

// TypeDoc reads this one.
// oxlint-disable-next-line import/no-default-export
export default config
