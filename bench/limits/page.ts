/**
 * Writes docs/limits.md from the records in bench/results/limits:
 *
 *     npm run limits:page
 *     npm run limits:page -- --check     writes nothing; ends with 1 where the page is not that of the records
 */
import { readFileSync, writeFileSync } from "node:fs"
import { format, resolveConfig } from "prettier"
import { lines } from "../harness/lines.ts"
import { blocks } from "../harness/markdown.ts"
import { options } from "../harness/options.ts"
import * as Hard from "./hard.ts"
import * as Soak from "./soakTable.ts"
import * as Memory from "./memoryTable.ts"
import * as Stress from "./stressTable.ts"
import {
  type Bounded,
  type Large,
  largeFile,
  memoryFile,
  type Soaked,
  soakFile,
  type Stressed,
  stressFile,
  type Timed,
  timesFile,
} from "./records.ts"
import * as Times from "./timesTable.ts"

const { values } = options(import.meta.url, { options: { check: { type: "boolean", default: false } } })

/** What a stream ends with: where all rows know of 30 nats and more that a law lacks, the command says so. */
const largeAnswer = ({ law, rmse, lacking }: Large): string =>
  lacking > 30
    ? `The search was cut off at \`${law}\`, with a root mean square error of ${rmse}, and the command says that all rows know of terms of ${lacking} nats which it lacks.`
    : `It ends with \`${law}\`, a root mean square error of ${rmse}, and all rows know of no term that it lacks.`

const largeText = (one: Large): string =>
  `${one.rows.toLocaleString("en-US")} generated rows by ${one.features} (\`bench/large/generate.ts\`, ${(one.bytes / 1e9).toFixed(1)} GB of CSV, y = 2.31 x0 exp(-0.37 x1) with noise of 0.1), \`--stream always --effort ${one.effort} --workers 1\`: ${one.seconds.toFixed(0)} s beside other work, ${one.cpu.toFixed(0)} s of a processor, a peak of ${(one.peak / 1e6).toFixed(0)} MB, ${one.passes} passes with a sample of ${one.sample} rows. ${largeAnswer(one)}`

const page = blocks(
  `# Limits`,
  ...Stress.section(Hard.all, lines<Stressed>(stressFile.pathname)),
  `Read in parts (\`--stream always\`), 10^6 rows by 5 columns (45 MB) take 10 s and 0.37 GiB, and 10^7 generated rows by 5 take 157 s and 0.33 GiB: the memory does not grow with the rows ([large tables](reference/cli.md#large-tables), [decision 50](adr/0050-large-tables-are-read-in-parts.md)).`,
  ...lines<Large>(largeFile.pathname).map(largeText),
  ...Times.section(lines<Timed>(timesFile.pathname)),
  `## Memory`,
  ...Memory.section(lines<Bounded>(memoryFile.pathname)),
  `Node has a limit of its own, \`NODE_OPTIONS=--max-old-space-size=MB\`, for everything but the columns. A table that does not fit is refused in one line before it is read, or read in parts. Where the limit is below 512 MB the program runs in a process of its own
(\`bin/supervise.mjs\`): when it is reached, a line says so in the place of V8's trace. A search of 200 rows by 1,000 columns ends so with 24 MB and not with 64 MB. With a larger limit there is no such parent: the program would start twice, and a signal that ends the parent alone (\`kill -9\`) would leave the program computing; there V8 writes its trace. Tables are looked at before they are read, whatever the limit, and \`--memory\` ends a search before memory is used up.`,
  ...Soak.section(lines<Soaked>(soakFile.pathname)),
  `## Numbers`,
  `Numbers are float64. Columns beyond 1e100, or all below 1e-100, are computed in another power of ten. Numbers that overflow or underflow (1e-400), and whole numbers beyond 2^53 that would be rounded, are refused where they stand. A fit to the resolution of the data counts as exact.`,
)

const file = new URL("../../docs/limits.md", import.meta.url).pathname
const text = await format(page, { ...(await resolveConfig(file)), parser: "markdown" })
if (!values.check) writeFileSync(file, text)
else if (readFileSync(file, "utf8") !== text) {
  console.error("docs/limits.md is not that of the records; npm run limits:page writes it")
  process.exitCode = 1
}
