/** The section of docs/limits.md about limits of memory. */
import { table } from "../harness/markdown.ts"
import type { Bounded } from "./records.ts"
import { sizeOf } from "./timesTable.ts"

/** A limit is kept up to this share of it. */
const allowed = 0.1

/** Whether a limit is kept, or by how much it is not. */
export const verdict = ({ limit, peak, seen }: Pick<Bounded, "limit" | "peak" | "seen">): string => {
  const most = Math.max(peak, seen)
  return most <= (1 + allowed) * limit ? "kept" : `+${((most - limit) / 1e6).toFixed(0)} MB`
}

const outcomes: Readonly<Record<Bounded["outcome"], string>> = {
  refused: "refused, with the least that is needed",
  "the same": "the law that it has without a limit",
  "cut off": "the search is cut off by the limit, and says so",
  other: "another law than without a limit",
}

const MB = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** The blocks of the section. */
export const section = (all: ReadonlyArray<Bounded>): ReadonlyArray<string> => [
  "`--memory SIZE` keeps the resident memory of the process below a limit, and 10 %. Before the table is read its size, and the beginning of the file, say how much memory a fit needs: the program and a small table 170 MB, each column 0.15 MB, each further thread 90 MB, a text of numbers 3.2 times its size, other texts and packed files 16 times, a ranking 25 kB for each row up to 20,000, and 0.4 kB for each row above. From that follow the number of threads and whether the table is read in parts; a limit that is too small is refused in one sentence that says the least. While a fit runs garbage is collected from 72 % of the limit on; where too little is left for the ranking the search ends, and a line says so: `cut off: its limit of memory ended the search`. With `--effort` threads and the limit do not change the laws otherwise, unless the table is read in parts, which is said, too. The peak within a single step is not looked at. Amounts were measured, and are about those of other machines.",
  "`npm run limits:memory` measures it, with `--effort`. The peak is that which the process tells at its end; from outside the system tells the parent `VmHWM` of it and of those that it begins, every 20 ms until they end, and the larger of both counts:",
  table(
    [
      "rows x features",
      "`--memory`, MB",
      "peak, MB",
      "seen from outside, MB",
      "kept within 10 %",
      "without, MB",
      "CPU",
      "what happens",
    ],
    all.map((one) => [
      `${sizeOf(one)}${one.stream === "never" ? ", `--stream never`" : ""}`,
      MB(one.limit),
      MB(one.peak),
      MB(one.seen),
      verdict(one),
      MB(one.without),
      one.cpu.toFixed(1),
      `${one.inParts ? "read in parts; " : ""}${outcomes[one.outcome]}`,
    ]),
  ),
]
