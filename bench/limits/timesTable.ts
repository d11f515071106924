/** The section of docs/limits.md about limits of time. */
import { table } from "../harness/markdown.ts"
import type { Timed } from "./records.ts"

/** A limit is kept where the command takes at most this share of it longer. */
const allowed = 0.05

const rowsOf = (rows: number): string =>
  rows >= 10_000 && Number.isInteger(Math.log10(rows)) ? `10^${Math.log10(rows)}` : String(rows)

/** Rows and features, powers of ten as such. */
export const sizeOf = ({ rows, features }: Pick<Timed, "rows" | "features">): string =>
  `${rowsOf(rows)} x ${features}`

/** Whether a limit is kept, or by how much it is not. */
export const verdict = ({ limit, seconds }: Pick<Timed, "limit" | "seconds">): string =>
  seconds <= (1 + allowed) * limit ? "kept" : `+${(seconds - limit).toFixed(1)} s`

/** The blocks of the section. */
export const section = (all: ReadonlyArray<Timed>): ReadonlyArray<string> => {
  const sorted = all.toSorted(
    (a, b) =>
      (a.options ?? "").localeCompare(b.options ?? "") ||
      a.rows * a.features - b.rows * b.features ||
      a.rows - b.rows ||
      a.limit - b.limit,
  )
  const kept = all.filter((one) => verdict(one) === "kept").length
  const loads = all.map(({ load }) => load)
  return [
    "## Time",
    "`--time` counts from the start of the command, and covers reading, search, ranking and output. It is to be kept within 5 %, but for the work that no limit cuts off: the start of the program (0.4 s of a processor), reading (a second for 50 MB of CSV), a first step of the search or of the training (of 50 relaxed trees of depth 10 the first takes seconds), and scores of the best law and of the law without terms. Where it was not kept, the last line says so.",
    `\`npm run limits:time\` measures it, on two cores, with a load of ${Math.min(...loads)} to ${Math.max(...loads)} programs, its own threads among them. There ${kept} of ${all.length} limits were kept; beside other programs, where a processor is waited for, short ones are not. Seconds are those of one run, or of the middle one of several, from before the process begins until after its end; memory is the peak of the resident memory of the process.`,
    table(
      ["rows x features", "`--time`", "seconds", "of processors", "kept within 5 %", "MiB", "law"],
      sorted.map((one) => [
        one.options === undefined ? sizeOf(one) : `${sizeOf(one)}, \`${one.options}\``,
        String(one.limit),
        one.seconds.toFixed(1),
        one.cpu.toFixed(1),
        verdict(one),
        String(one.megabytes),
        `\`${one.law}\``,
      ]),
    ),
    `Measured with ${[...new Set(all.map(({ by }) => by))].join("; ")}.`,
  ]
}
