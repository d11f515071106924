// The lines of src by room, for docs/adr/0060-the-size-of-src.md. `node scripts/lines.mjs` prints the table, `-- --write` writes it to the
// page; test/unit/docs/lines.test.ts holds that its numbers are about those of src.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { ROOMS, ROOT, sourcesIn } from "./sources.mjs"

/** The page that has the table, between two comments. */
export const PAGE = path.join(ROOT, "docs/adr/0060-the-size-of-src.md")

/**
 * Each room: its lines when rooms were made (commit 8cc1607b), the issues that most of the others came with, and the capabilities.
 * @type {Readonly<Record<string, readonly [before: number, issues: string, capabilities: string]>>}
 */
const GROWTH = {
  errors: [65, "17", "errors with a tag and a mend"],
  internal: [49, "17, 21", "files that are replaced whole, nearest names, memoisation"],
  numeric: [
    1180,
    "18, 21",
    "one Gauss-Newton and one quadrature; elementary functions with the same bits on every engine",
  ],
  wasm: [2214, "4", "the generator of kernels, as it was"],
  random: [555, "17", "keys and noise, as they were"],
  data: [472, "20, 21", "JSON lines, NumPy, encodings, missing cells, groups, tables in parts"],
  workers: [493, "18, 21", "web workers, and errors of workers that are lost"],
  expr: [2004, "18, 19", "normal forms, units, shapes with proofs, one reader and five writers of formulas"],
  prob: [
    3344,
    "17, 19",
    "distributions and tree priors of one's own, restrictions, templates, units as a prior, known forms",
  ],
  evidence: [
    4201,
    "17, 18, 19",
    "open likelihoods, fitted numbers integrated out, latent noise, groups, tables in parts",
  ],
  infer: [
    728,
    "17, 21",
    "the contract of algorithms, checkpoints, folders with a state that survives a crash",
  ],
  search: [
    4922,
    "18, 19",
    "forms with numbers inside, sums built term by term, powers from log y, templates",
  ],
  vi: [
    6942,
    "17, 19",
    "factors by support and role, joints of sites, mixtures, score functions, bounds over several draws",
  ],
  inclusive: [545, "5", "the search led by a family, as it was"],
  rank: [
    1107,
    "18, 19",
    "the mass of unseen laws, misfit, leave-one-out errors, predictions with bands, inclusion, groups",
  ],
  models: [
    734,
    "18, 19",
    "laws of groups, templates and large tables; formulas of one's own; names as types",
  ],
  report: [437, "20", "a page of HTML with pictures, documents of all fits, texts of all answers"],
  promise: [0, "20", "fits as promises"],
  testing: [464, "17", "law suites of every interface, simulations of whole fits"],
  jobs: [0, "21", "a queue in a database, with leases"],
  cli: [
    986,
    "20, 21",
    "14 commands in place of 2; formats, rows, units, lists of tables, limits of memory, runs that last",
  ],
  serve: [0, "20", "the protocol of other languages"],
}

/** The same for the files of src that are in no room. @type {readonly [before: number, issues: string, capabilities: string]} */
const FILES = [59, "20", "the table of contents, `vasst/promise`"]

/** The lines of each room, and of the files of src beside them (`src`). @returns {Readonly<Record<string, number>>} */
export const counts = () => {
  /** @type {Record<string, number>} */
  const lines = Object.fromEntries([...ROOMS, "src"].map((room) => [room, 0]))
  for (const [file, source] of Object.entries(sourcesIn(["src"]))) {
    const parts = file.split("/")
    const room = parts.length > 2 ? (parts[1] ?? "src") : "src"
    const known = lines[room]
    if (known === undefined) throw new Error(`${file} is in no room; add its room to scripts/sources.mjs`)
    lines[room] = known + source.split("\n").length - 1
  }
  return lines
}

/** @param {number} value */
const thousands = (value) => value.toLocaleString("en-US")

/** The table of the page. @param {Readonly<Record<string, number>>} lines of each room @returns {string} */
export const table = (lines) => {
  const all = [...ROOMS, "src"].map((room) => {
    const growth = room === "src" ? FILES : GROWTH[room]
    if (growth === undefined)
      throw new Error(`scripts/lines.mjs does not know the room ${room}; add it to GROWTH`)
    const [before, issues, text] = growth
    return {
      name: room === "src" ? "files of `src` itself" : `\`${room}/\``,
      before,
      now: lines[room] ?? 0,
      issues,
      text,
    }
  })
  const sum = (/** @type {"before" | "now"} */ column) => all.reduce((total, one) => total + one[column], 0)
  const rows = [
    ["room", "then", "now", "issues", "the lines since then"],
    ...[...all, { name: "all", before: sum("before"), now: sum("now"), issues: "", text: "" }].map(
      ({ name, before, now, issues, text }) => [name, thousands(before), thousands(now), issues, text],
    ),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isNumber = (/** @type {number} */ column) => column === 1 || column === 2
  const [head, ...body] = rows.map((row) => {
    const cells = row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    return `| ${cells.join(" | ")} |`
  })
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  )
  return [head, `| ${rule.join(" | ")} |`, ...body].join("\n")
}

const place = /(<!-- lines -->\n)[\s\S]*?(\n<!-- end -->)/

/** The page with another table. @param {string} page @param {string} text */
export const withTable = (page, text) => {
  if (!place.test(page))
    throw new Error(`${PAGE} has no place for the table: <!-- lines --> and <!-- end -->`)
  return page.replace(place, (_, before, after) => `${before}\n${text}\n${after}`)
}

/** The lines of each room that a page states. @param {string} page @returns {Readonly<Record<string, number>>} */
export const stated = (page) =>
  Object.fromEntries(
    [...page.matchAll(/^\| (?:`(\w+)\/`|files of `(src)` itself) *\| *[\d,]+ *\| *([\d,]+) *\|/gm)].map(
      ([, room, files, now]) => [room ?? files ?? "", Number((now ?? "").replaceAll(",", ""))],
    ),
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = table(counts())
  if (process.argv.includes("--write")) fs.writeFileSync(PAGE, withTable(fs.readFileSync(PAGE, "utf8"), text))
  else console.log(text)
}
