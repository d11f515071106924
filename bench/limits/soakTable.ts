/** The section of docs/limits.md about runs in one process for long. */
import { table } from "../harness/markdown.ts"
import type { Soaked } from "./records.ts"

const nameOf: Readonly<Record<string, string>> = {
  rss: "resident",
  heap: "heap after garbage collection, without code",
  external: "outside of the heap",
  code: "code that V8 has compiled",
}

const MB = (value: number): string => value.toFixed(1)

/** What a run says, in sentences. */
const textOf = ({
  interpreted,
  minutes,
  rounds,
  tasks,
  time,
  memory,
  complaints,
  load,
  by,
}: Soaked): string =>
  [
    `${interpreted ? "Without V8's compilers (`--interpreted`)" : "As usual"}: ${minutes} minutes, ${rounds} rounds of ${tasks.length} tasks, with a load of ${load} programs at the end, its own among them.`,
    `${time.kept} of ${time.runs} runs with \`--time\` 1 or 2 ended within 5 % of it, the latest after ${(100 * time.most).toFixed(0)} % of it.`,
    ...(memory === undefined
      ? []
      : [
          `${memory.kept} of ${memory.runs} processes with \`--memory\` kept it within 10 %, the largest with ${(100 * memory.most).toFixed(0)} % of it.`,
        ]),
    complaints.length === 0 ? "Flat, and nothing is left." : `Not flat: ${complaints.join("; ")}.`,
    `Measured with ${by}.`,
  ].join(" ")

/** The blocks of the section; none without a record. */
export const section = (all: ReadonlyArray<Soaked>): ReadonlyArray<string> => {
  if (all.length === 0) return []
  const sorted = all.toSorted((a, b) => Number(a.interpreted) - Number(b.interpreted))
  return [
    "## Hours in one process",
    "`npm run soak` does fits of every kind in one process: in this thread and in threads that start, stop and are interrupted, streams, groups, both ELBOs, commands that write files, and jobs over SQLite. After each round memory, threads, open files, handles, tensors and temporary files are read. The code that V8 compiles is told apart: it is compiled anew, and better, for hours, and is memory that the program keeps nothing of. Without V8's compilers what grows is kept by the program. Growth is the slope of Theil and Sen after the first fifth of the rounds; memory may grow by 5 %, or by 5 MB.",
    table(
      ["memory, MB", "compilers", "median", "growth", "an hour"],
      sorted.flatMap(({ interpreted, growths }) =>
        growths.map(({ name, median, grown, hourly }) => [
          nameOf[name] ?? name,
          interpreted ? "no" : "yes",
          MB(median),
          MB(grown),
          MB(hourly),
        ]),
      ),
    ),
    ...sorted.map(textOf),
  ]
}
