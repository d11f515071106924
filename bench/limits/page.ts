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
import * as Memory from "./memoryTable.ts"
import { type Bounded, memoryFile, type Timed, timesFile } from "./records.ts"
import * as Times from "./timesTable.ts"

const { values } = options(import.meta.url, { options: { check: { type: "boolean", default: false } } })

const page = blocks(
  `# Limits`,
  `What vasst answers for tables that are hard, and what that takes. CPU seconds and peak memory of the whole process are those of \`vasst fit FILE --target y --effort 100000 --workers 1\` on one core, beside other work; 0.6 s and 120 MB of each are the program itself. The law of most tables is y = 3 x0 x1 / x2 with noise of a standard deviation of 0.02.`,
  `| table                                                  | documented answer                                                                                                                                                                        | this one                                                                         |             CPU |            memory |
| ------------------------------------------------------ | ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- | -------------------------------------------------------------------------------- | --------------: | ----------------: |
| 500 rows with a constant column, a duplicate and a sum | a column in the span of others earns nothing and costs its nodes: the law has the simplest columns; of two that are equal either may stand in it                                         | \`3*x0*x1/x2\`, 0.96                                                               |             1.8 |               175 |
| 6 rows, 2 columns, no noise                            | the simplest law; the mass of laws that were not seen says how little six rows tell                                                                                                      | \`5*x0*x1/2\`, 0.73, 27 % unseen                                                   |             0.8 |               127 |
| 200 rows, 1,000 columns                                | with a short search, and the table says so: cut off, no restart has ended, more than 99 % unseen.                                                                                        | a wrong law with 0.0001; unseen more than 99 %, misfit p = 8e-36                 |             1.8 |               149 |
| 500 rows, each 25th with an error of up to 200         | such rows are wrong rows: they are listed, and have no say in the law                                                                                                                    | \`3*x0*x1/x2\`, 0.96, standard deviation 0.02, the wrong rows by number            |             1.8 |               171 |
| 500 rows of pure noise, 5 columns                      | the mean: nothing explains y                                                                                                                                                             | the mean, 0.84                                                                   |             2.2 |               179 |
| 1,000 rows, of which 99 % have the target 0            | the law 0 with heavy-tailed noise: most rows are on it, and the few that are not are far out. Fit the rows that are not 0: \`--where 'y != 0'\`                                            | 0, heavy tails with a scale of 1e-7, a root mean square error of 0.9             |             2.6 |               181 |
| 500 rows with a target of 0 and 1                      | no law of the values explains them, and the table says so: unseen more than 99 %, and a misfit. For probabilities use a likelihood: \`Likelihood.bernoulli\` ([how](how-to/likelihood.md)) | a smooth function with 0.002; unseen more than 99 %, misfit p = 4e-71            |             3.5 |               181 |
| 10^6 rows, 20 columns (178 MB), \`--effort 50000\`       | the law, in parts or not; a search that is cut off says so                                                                                                                               | in memory cut off at \`9*x1/x2\`, 99 % unseen, misfit; in parts \`3*x0*x1/x2\`, 0.97 | 12; 21 in parts | 935; 348 in parts |`,
  `Read in parts (\`--stream always\`), 10^6 rows by 5 columns (45 MB) take 10 s and 0.37 GiB, and 10^7 generated rows by 5 take 157 s and 0.33 GiB: the memory does not grow with the rows ([large tables](reference/cli.md#large-tables), [decision 50](adr/0050-large-tables-are-read-in-parts.md)).`,
  ...Times.section(lines<Timed>(timesFile.pathname)),
  `## Memory`,
  ...Memory.section(lines<Bounded>(memoryFile.pathname)),
  `Node has a limit of its own, \`NODE_OPTIONS=--max-old-space-size=MB\`, for what is not a column. A table that does not fit is refused in one line before it is read, or read in parts. Where the limit is below 512 MB the program runs in a process of its own
(\`bin/supervise.mjs\`): when it is reached, a line says so in the place of V8's trace. A search of 200 rows by 1,000 columns ends so with 24 MB and not with 64 MB.`,
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
