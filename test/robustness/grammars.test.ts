// Any grammar and any option of `vasst fit`, with the real fit and little effort: laws, or one line that says what to mend.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Operator from "../../src/expr/Operator.ts"
import { run } from "../support/cli.ts"
import { fit } from "../support/libraryFit.ts"
import { odd } from "./corpus.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-grammars-"))
beforeAll(() => {
  writeFileSync(join(folder, "units.csv"), "column,unit\ny,kg m/s^2\n")
  writeFileSync(join(folder, "none.csv"), "column,unit\ny,constructor\n")
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A command line with its table. */
interface Case {
  readonly flags: ReadonlyArray<string>
  readonly table: string
  /** whether its fit is given all the time that it takes */
  readonly long: boolean
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

const shipped = Object.keys(Operator.shipped)
/** Names of columns: usual ones with units, and those that programs trip over. */
const columns = fc.uniqueArray(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("x", "t", "x [m]", "v [m/s]", "mass [kg]", "a b") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...odd.filter((name) => name.length < 100 && name.trim() !== "")),
    },
  ),
  { minLength: 1, maxLength: 3, selector: (name) => name.trim().replace(/ *\[.*\]$/, "") },
)

/** Definitions of operators, of which some are none. */
const definition = fc.constantFrom(
  "gauss(x)=exp(-x^2)",
  "hypot(x,y)=sqrt(x^2+y^2)",
  "half(x)=x/2",
  "twice(x)=x+x",
  "same(x)=x",
  "one(x)=1",
  "nan(x)=log(-1-x^2)",
  "big(x)=exp(exp(exp(x)))",
  "constructor(x)=x^3",
  "__proto__(x)=x^3",
  "toString(x,y)=x*y+1",
  "sin(x)=x",
  "f(f)=f",
  "f(x)=f(x)",
  "f(x,y,z)=x+y+z",
  "f(x,x)=x",
  "f()=1",
  "f(x)=y",
  "f(x)=",
  "=x",
  "pi(x)=x",
  "f(x)=1/0",
  "f(x)=x^x^x",
  "é(x)=x^2",
)

const word = (names: ReadonlyArray<string>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 6, arbitrary: fc.constantFrom(...shipped) },
    { weight: 1, arbitrary: fc.constantFrom("gauss", "half", "nan", "constructor", "nothing", "Sin") },
    { weight: 1, arbitrary: fc.constantFrom(...odd.filter((name) => name.length < 100)) },
  )

const list = (one: fc.Arbitrary<string>, separator = ",", maxLength = 3) =>
  fc.array(one, { minLength: 1, maxLength }).map((parts) => parts.join(separator))

const number = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("0", "1", "2", "3", "pi", "0.5", "-1", "10") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "1e300",
      "1e-300",
      "-0",
      "1e999",
      "NaN",
      "",
      "1/2",
      "9007199254740993",
      "none",
    ),
  },
)

/** A flag of the grammar with its value. */
const flag = (names: ReadonlyArray<string>): fc.Arbitrary<string> => {
  const name = word(names)
  const own = (values: fc.Arbitrary<string>, option: string) => values.map((value) => `--${option}=${value}`)
  return fc.oneof(
    own(
      list(
        fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...shipped) }, { weight: 1, arbitrary: name }),
        ",",
        8,
      ),
      "operators",
    ),
    own(definition, "operator"),
    own(list(number, ",", 4), "constants"),
    own(
      fc.constantFrom("identity", "log", "sqrt", "identity,log", "square", "none", "", "inverse", "exp"),
      "links",
    ),
    own(
      fc.constantFrom(
        "additive",
        "proportional",
        "log",
        "heavy",
        "contaminated",
        "additive,heavy",
        "none",
        "log,log",
      ),
      "noise",
    ),
    own(fc.constantFrom("1", "2", "5", "10", "0", "11"), "depth"),
    own(fc.constantFrom("1", "2", "10", "50", "0", "51"), "trees"),
    own(fc.constantFrom("1", "2", "5", "30", "1000", "0", "1001"), "size"),
    own(fc.constantFrom("0", "1", "0.001", "1e6", "1e-300", "1e300", "-1", "NaN"), "learned"),
    own(fc.constantFrom("either", "free", "dimensionless", "both"), "numbers"),
    own(
      fc.constantFrom("units.csv", "none.csv", "nowhere.csv").map((name) => join(folder, name)),
      "units",
    ),
    own(list(name), "contains"),
    own(list(name), "without"),
    own(
      list(fc.tuple(name, fc.constantFrom("0", "1", "2", "-1", "1e9", "x")).map((parts) => parts.join("="))),
      "at-most",
    ),
    own(list(fc.tuple(name, name).map(([outer, inner]) => `${outer}(${inner})`)), "forbid"),
    own(
      list(
        fc.tuple(name, list(name)).map((parts) => parts.join("=")),
        ";",
      ),
      "over",
    ),
    own(fc.constantFrom("2", "1", "-1,3", "1,1", "-1e300,1e300", "0", "3,-1", "0.5,1.5", "x"), "exponents"),
    own(
      fc.oneof(
        name,
        fc.tuple(name, name).map(([f, x]) => `${f}(${x})`),
        fc.constantFrom("a*x+b", "a*exp(-b*x)", "1", "1/0", "x+", "sin(sin(sin(x)))", "x^x^x^x", ")("),
      ),
      "start",
    ),
    own(fc.constantFrom("0.2", "0", "0.9", "1"), "test-fraction"),
    own(name, "error"),
    own(name, "weights"),
    own(name, "group"),
    own(fc.constantFrom("0", "1", "9007199254740991", "-1"), "seed"),
  )
}

/** The values of a cell of a column, by the kind of its numbers. */
const valueOf = (kind: number, row: number, column: number): number => {
  const x = 1 + ((row * 7 + column * 3) % 11) / 4
  return [x, x, x * 1e9, x * 1e-9, x - 2, 1, row % 2][kind] ?? x
}

const cases: fc.Arbitrary<Case> = columns.chain((names) =>
  fc
    .record({
      rows: fc.integer({ min: 8, max: 20 }),
      kinds: fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5, 6), {
        minLength: names.length,
        maxLength: names.length,
      }),
      target: fc.constantFrom("y", "y [m]", "y [kg m/s]"),
      law: fc.nat(4),
      long: fc.integer({ min: 0, max: 19 }).map((one) => one === 7),
      flags: fc.array(flag(names.map((name) => name.trim().replace(/ *\[.*\]$/, ""))), { maxLength: 4 }),
    })
    .map(({ rows, kinds, target, law, flags, long }) => {
      const lines = Array.from({ length: rows }, (_, row) => {
        const values = kinds.map((kind, column) => valueOf(kind, row, column))
        const first = values[0] ?? 1
        const y = [
          3 * first,
          first ** 2 + Math.sin(17 * row) / 50,
          Math.exp(first / 1e9),
          row % 5,
          Math.log(Math.abs(first) + 1),
        ][law]
        return [...values, y].join()
      })
      return {
        long,
        flags: [
          ...new Map(
            flags.map((one) => [one.startsWith("--operator=") ? one : one.split("=")[0]!, one]),
          ).values(),
        ],
        table: `${[...names, target].map(quote).join()}\n${lines.join("\n")}\n`,
      }
    }),
)

/** Complaints that are about an option without its name as a flag, with the flag. */
const about: ReadonlyArray<readonly [pattern: RegExp, flag: RegExp]> = [
  [/^there is no operator "/, /^--operators=/],
  [/^there is no link "/, /^--links=/],
  [/^the data rule out all links of the model: /, /^--links=/],
  [/^there is no kind of noise "/, /^--noise=/],
  [/^the search cannot start from /, /^--start=/],
  [/^testing on \d+ of \d+ rows leaves /, /^--test-fraction=/],
  [/^\/.*(units|none|nowhere)\.csv: /, /^--units=/],
  [/^laws over groups |^the column .* has one value on all rows; a law over groups/, /^--group=/],
  [/^no law can be found: the restrictions leave out every column/, /^--(without|at-most|size|over|forbid)=/],
]
/** Complaints about the table, or about a search that was short, whatever the options. */
const aboutTable =
  /^(standard input: |no law that was found fits the rows of all |none of the ensembles that were found is a model|the target "y" has the unit )/

let reached = 0
const holds = async ({ flags, table, long }: Case): Promise<void> => {
  const { code, stdout, stderr } = await run(
    ["fit", "-", "--target=y", "--effort=200", "--workers=1", ...(long ? [] : ["--time=0.1"]), ...flags],
    {
      stdin: table,
      fit: (...args) => {
        reached++
        return fit(...args)
      },
    },
  )
  expect([0, 1]).toContain(code)
  expect(stderr).not.toMatch(/internal error|\bat .*:\d+:\d+|TypeError|RangeError|\[object /)
  const said = stderr.split("\n").filter((line) => line.startsWith("vasst: "))
  expect(said).toHaveLength(code)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(stdout === "").toBe(code === 1)
  if (code === 0) return
  expect(stderr.endsWith(`${said[0]}\n`)).toBe(true)
  const complaint = said[0]!.slice("vasst: ".length)
  const named = flags.some((one) => complaint.includes(one.split("=")[0]!))
  const known = about.some(
    ([pattern, flag]) => pattern.test(complaint) && flags.some((one) => flag.test(one)),
  )
  if (!named && !known) expect(complaint).toMatch(aboutTable)
}

describe("any grammar", () => {
  it("is fitted, or refused in a line that names its option (1,000 cases)", async () => {
    await fc.assert(fc.asyncProperty(cases, holds), { numRuns: 1000 })
    // A grammar was built for many of them.
    expect(reached).toBeGreaterThan(350)
  })

  it.each<readonly [about: string, flags: ReadonlyArray<string>, header: ReadonlyArray<string>]>([
    ["a column that is called as a field of every object, beside units", [], ["constructor", "x [m]"]],
    ["a column that is called as the prototype, beside units", [], ["__proto__", "x [m]"]],
    ["no column but that of the weights", ["--weights=x"], ["x"]],
    ["an operator that the grammar lacks", ["--without=cube"], ["x"]],
    ["a column of errors that is not there", ["--error=z"], ["x"]],
    ["units of another file", [`--units=${join(folder, "units.csv")}`], ["x"]],
  ])("has %s", async (_, flags, header) => {
    const rows = Array.from({ length: 12 }, (_, row) =>
      [...header.map((_, column) => valueOf(0, row, column)), row * row].join(),
    )
    await holds({ flags, table: `${[...header, "y"].map(quote).join()}\n${rows.join("\n")}\n`, long: false })
  })

  it("has laws over a column of any name", async () => {
    const rows = Array.from({ length: 12 }, (_, row) => `${row + 1},${3 * (row + 1) ** 2}`).join("\n")
    for (const name of odd) {
      const { code, stdout } = await run(
        ["fit", "-", "--target=y", "--effort=2000", "--workers=1", "--operators=mul", "--json"],
        { stdin: `${quote(name)},y\n${rows}\n`, fit },
      )
      expect([name, code]).toEqual([name, 0])
      const { inclusion, best } = JSON.parse(stdout)
      const names = inclusion.columns.map(({ name }: { readonly name: string }) => name)
      // A unit is none of the name.
      expect(names).toEqual([name.replace(/ \[m\]$/, "")])
      expect(best.rmseTrain).toBeLessThan(1e-9)
    }
  })
})
