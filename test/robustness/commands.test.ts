// Any command line: what it is asked to do, or one line that says what to mend.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { run, type Outcome } from "../support/cli.ts"
import { at } from "../support/tables.ts"
import { odd } from "./corpus.ts"

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

const good = ({ code, stderr }: Outcome): void => {
  expect(stderr).not.toMatch(/internal error|at .*\.(ts|js):\d|TypeError|RangeError/)
  expect([0, 1]).toContain(code)
  const complaints = stderr.split("\n").filter((line) => line.startsWith("vasst: "))
  expect(complaints.length).toBe(code)
  // It names a flag, quotes a text, or begins with the table that it is about.
  for (const one of complaints)
    expect(one).toMatch(/--[a-z]|"|^vasst: standard input\b|: there is no such file/)
  if (code === 1) expect(stderr.endsWith("\n")).toBe(true)
}

const value = fc.oneof(
  fc.constantFrom(
    "x",
    "y",
    "x,y",
    "0",
    "-1",
    "1e999",
    "NaN",
    "",
    "sin",
    "sin=1",
    "sin(sin)",
    "x > 1",
    "x=1",
    "z=log(x)",
    "f(x)=x^2",
    "none",
    "csv",
    "-",
    "--",
    "all",
    "0.5",
  ),
  fc.constantFrom(...odd.filter((one) => one.length < 100)),
  fc.string({ maxLength: 5 }),
)
const flag = fc.constantFrom(
  "target",
  "features",
  "operators",
  "operator",
  "constants",
  "learned",
  "links",
  "noise",
  "error",
  "weights",
  "group",
  "where",
  "column",
  "test-column",
  "input-format",
  "stream",
  "decimal",
  "trees",
  "depth",
  "time",
  "effort",
  "workers",
  "test-fraction",
  "seed",
  "objective",
  "steps",
  "contains",
  "without",
  "at-most",
  "forbid",
  "over",
  "exponents",
  "size",
  "units",
  "numbers",
  "start",
  "json",
  "wrong",
)
const verb = fc.constantFrom(
  "fit",
  "fit",
  "fit",
  "score",
  "predict",
  "show",
  "compare",
  "demo",
  "operators",
  "ffit",
  "",
)

describe("any command line", () => {
  it("does what it says, or says what to mend (3,000 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        verb,
        fc.constantFrom("-", at("table.csv"), at("zstd.parquet"), "nowhere"),
        fc.array(fc.tuple(flag, value), { maxLength: 4 }),
        fc.boolean(),
        async (command, data, flags, target) => {
          const args = [
            ...(command === "" ? [] : [command]),
            data,
            ...(target ? ["--target", "y"] : []),
            ...flags.map(([name, text]) => (name === "json" ? "--json" : `--${name}=${text}`)),
          ]
          // Scores are computed, and take long for odd formulas of large tables: the search is not.
          good(await run(args, { stdin: "x,y\n1,2\n2,3.5\n3,5\n4,8\n" }))
        },
      ),
      { numRuns: 3000 },
    ))

  it("reads names that programs trip over, as columns, features and targets", async () => {
    for (const name of odd) {
      if (name.trim() === "y" || name.trim() === "w") continue
      const stdin = `${quote(name)},w,y\n1,1,2\n2,3,3.5\n3,5,5\n4,1,8\n`
      for (const format of [
        stdin,
        JSON.stringify([
          { [name]: 1, w: 2, y: 3 },
          { [name]: 2, w: 3, y: 4 },
        ]),
      ]) {
        good(await run(["fit", "-", "--target", "y"], { stdin: format }))
        good(await run(["fit", "-", `--target=${name}`], { stdin: format }))
        good(
          await run(["fit", "-", "--target", "y", `--features=${quote(name)}`, `--group=${name}`], {
            stdin: format,
          }),
        )
        const ticked = `\`${name.replaceAll("`", "``")}\``
        good(
          await run(["fit", "-", "--target", "y", "--where", `${ticked} >= 1`, "--column", `z=${ticked}^2`], {
            stdin: format,
          }),
        )
      }
    }
  })

  it.each([
    ["empty", ""],
    ["blank", " \n\n"],
    ["a mark alone", "\uFEFF"],
    ["a header alone", "x,y\n"],
    ["a header with a mark and CRLF", "\uFEFFx,y\r\n"],
    ["names twice", "x,x\n1,2\n"],
    ["no names", "1,2\n3,4\n"],
    ["a quote that is not closed", 'x,y\n1,"2\n'],
    ["a thousand columns", `${Array.from({ length: 1000 }, (_, k) => `c${k}`).join(",")}\n`],
  ])("says what is wrong with a table that is %s", async (_, stdin) => {
    const outcome = await run(["fit", "-", "--target", "y"], { stdin })
    good(outcome)
    expect(outcome.code).toBe(1)
  })
})
