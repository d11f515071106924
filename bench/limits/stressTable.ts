/** The section of docs/limits.md about tables that are hard. */
import { table } from "../harness/markdown.ts"
import type { Hard } from "./hard.ts"
import type { Stressed } from "./records.ts"

/** The lines below a law that are part of the answer; wrong rows are counted. */
const told = (all: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wrong = all.filter((line) => line.startsWith("wrong:")).length
  return [
    ...all.filter((line) => /^(noise|cut off|nothing explains|misfit|all terms|not even)/.test(line)),
    ...(wrong > 0 ? [`${wrong} wrong rows by number`] : []),
  ]
}

/** The blocks of the section: a row for each table that has a record. */
export const section = (
  tables: ReadonlyArray<Hard>,
  records: ReadonlyArray<Stressed>,
): ReadonlyArray<string> => [
  "What vasst answers for tables that are hard, and what that takes. CPU seconds and peak memory of the whole process are those of `vasst fit FILE --target y --effort 100000 --workers 1`, beside other work; 0.5 s and 130 MB of each are the program itself. The law of most tables is y = 3 x0 x1 / x2 with noise of a standard deviation of 0.02. Each answer is a test (`test/unit/models/hardTables.test.ts`); `npm run limits:stress` makes the records.",
  table(
    ["table", "documented answer", "this one", "CPU", "memory, MB"],
    tables.flatMap(({ name, title, answer }) =>
      records
        .filter((one) => one.name === name)
        .map(({ law, probability, lines, cpu, peak }) => [
          title,
          answer,
          [`\`${law}\`, ${probability}`, ...told(lines)].join("; "),
          cpu.toFixed(1),
          (peak / 1e6).toFixed(0),
        ]),
    ),
  ),
]
