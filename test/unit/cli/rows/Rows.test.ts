import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Rows from "../../../../src/cli/rows/Rows.ts"
import * as Csv from "../../../../src/data/Csv.ts"
import * as Frame from "../../../../src/data/Frame.ts"
import type { Dataset } from "../../../../src/data/Data.ts"
import { fake, run } from "../../../support/cli.ts"

const table = [
  "x,group,y,when,gap,split",
  "1,A,2,2024-01-01,,train",
  "2,B,3,2024-01-02,5,train",
  "3,A,5,2024-02-01,6,test",
  "4,B,9,2024-03-01,7,train",
  "5,it's,11,2024-03-02,8,test",
  "",
].join("\n")

/** The data that a fit is given, or the complaint. */
const fit = async (...flags: ReadonlyArray<string>) => {
  let seen: Dataset | undefined
  const { stderr } = await run(["fit", "-", ...flags], {
    stdin: table,
    fit: fake({}, (data) => void (seen = data)),
  })
  return { data: seen, stderr: stderr.replace("backend: fake\n", "") }
}

const rows = (where: string): Promise<ReadonlyArray<number>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const frame = Frame.ofTexts(yield* Csv.parse(table))
      const { frame: kept } = yield* Rows.choose(frame, { where }, [])
      return Array.from(kept.values[0]!, Number)
    }),
  )

const complaint = async (...flags: ReadonlyArray<string>): Promise<string> => {
  const { data, stderr } = await fit("--target", "y", "--features", "x", ...flags)
  expect(data).toBeUndefined()
  expect(stderr).toMatch(/^vasst: [^\n]*\n$/)
  return stderr.slice("vasst: ".length, -1)
}

describe("--where", () => {
  it.each([
    ["x > 2", [3, 4, 5]],
    ["x > 2 and group == 'A'", [3]],
    ["group = 'A' OR group = 'B'", [1, 2, 3, 4]],
    ['group == "it\'s"', [5]],
    ["group == 'it''s'", [5]],
    ["not (group == 'A' or x >= 4)", [2]],
    ["(x + 1) * 2 > 6 && (y < 10 || x = 5)", [3, 4, 5]],
    ["((x > 1) and ((x < 5)))", [2, 3, 4]],
    ["1 < x <= 3", [2, 3]],
    ["when >= '2024-02-01'", [3, 4, 5]],
    ["gap != '' and gap > 6", [4, 5]],
    ["`x`^2 + sin(pi) != 4", [1, 2, 3, 4, 5].filter((x) => x ** 2 + Math.sin(Math.PI) !== 4)],
    ["x<>2", [1, 3, 4, 5]],
    ["abs(-x) == 2", [2]],
  ])("%s", async (where, kept) => expect(await rows(where)).toEqual(kept))

  it("says how many rows are kept, and keeps their numbers", async () => {
    const { data, stderr } = await fit("--target", "y", "--where", "group == 'A'", "--features", "x")
    expect(stderr).toBe("--where keeps 2 of 5 rows\n")
    expect([...data!.numbers!]).toEqual([1, 3])
  })

  it("leaves columns that it compares with texts out of the features", async () => {
    const { data: two } = await fit(
      "--target",
      "y",
      "--where",
      "group == 'B' and when != 'x' and split != 'x'",
    )
    expect(two!.features).toEqual(["x", "gap"])
  })

  it.each([
    ["x >", '--where "x >": expected a formula or a text in quotation marks at column 4'],
    ["x", '--where "x": expected a comparison, such as x > 2 at column 2'],
    ["x > 2 x", '--where "x > 2 x": expected an operator or the end at column 7'],
    ["(x > 2", '--where "(x > 2": expected ")" at column 4'],
    ["x > 2 and", '--where "x > 2 and": expected a formula or a text in quotation marks at column 10'],
    ["sin( > 2", '--where "sin( > 2": expected'],
    [
      "z > 2",
      '--where "z > 2": there is no column "z"; a text stands in quotation marks: \'A\'; the columns are: x,',
    ],
    ["group == A", '--where "group == A": there is no column "A"; a text stands in quotation marks'],
    ["'A' == 'B'", "two texts are compared; name a column on one side"],
    ["x + 1 == 'B'", "a text can be compared with a column only"],
    [
      "gap > 2",
      "row 1 (line 2): the column \"gap\" is empty there; leave such rows out first, as in x != '' and x > 2",
    ],
    ["group > 2", 'row 1 (line 2): the column "group" is "A", which is no number there'],
    ["log(x - 3) > 0", "row 1 (line 2): it has no finite value there"],
    ["x > 7", '--where "x > 7" keeps none of 5 rows'],
    ["constructor > 1", 'there is no column "constructor"'],
    [`${"(".repeat(300)}x > 2${")".repeat(300)}`, "expected a condition of at most 100 brackets"],
  ])("%s is a complaint", async (where, message) => {
    expect(await complaint("--where", where)).toContain(message)
  })
})

describe("--column", () => {
  it("makes columns of columns, which may be the target and have units", async () => {
    const { data, stderr } = await fit(
      "--target",
      "z",
      "--column",
      "half [m]=x/2",
      "--column",
      "z=half+y",
      "--where",
      "z > 4",
      "--features",
      "x,half",
    )
    expect([...data!.y]).toEqual([6.5, 11, 13.5])
    expect(data!.units).toEqual({ half: "m" })
    expect(stderr).toBe("--where keeps 3 of 5 rows\n")
  })

  it("keeps what the target is made of, and what is made of it, out of the features", async () => {
    const made = await fit(
      "--target",
      "ly",
      "--column",
      "ly=log(y)",
      "--where",
      "group != 'x' and when != 'x' and split != 'x' and gap != ''",
    )
    expect(made.data!.features).toEqual(["x", "gap"])
    expect(made.stderr).toContain("no features, as the target is made of them or they of it: y (")
    const other = await fit(
      "--target",
      "y",
      "--column",
      "ly=log(y)",
      "--column",
      "q=ly^2",
      "--where",
      "group != 'x' and when != 'x' and split != 'x' and gap != ''",
    )
    expect(other.data!.features).toEqual(["x", "gap"])
  })

  it("may have no value where rows are left out", async () => {
    const { data } = await fit(
      "--target",
      "y",
      "--features",
      "l",
      "--column",
      "l=log(x-2)",
      "--where",
      "x > 2",
    )
    expect([...data!.columns[0]!]).toEqual([0, Math.log(2), Math.log(3)])
  })

  it.each([
    ["x", '--column "x": expected a name and a formula, such as logx=log(x)'],
    ["x=1", '--column "x=1": there is a column "x" already; choose another name'],
    ["z=log(", '--column "z=log(": expected a number, a name or "(" at column 7'],
    ["z=lo(x)", 'expected an operator ("lo" is not a function'],
    ["z=log(xx)", '--column "z=log(xx)": there is no column "xx"; the columns are: x'],
    ["z=log(x-1)", "row 1 (line 2): it has no finite value there; leave such rows out with --where"],
    ["z=gap+1", 'row 1 (line 2): the column "gap" is empty there'],
    ["z=z+1", 'there is no column "z"'],
  ])("%s is a complaint", async (column, message) => {
    expect(await complaint("--column", column)).toContain(message)
  })

  it("is named where the target is a formula", async () => {
    const { stderr } = await fit("--target", "log(y)")
    expect(stderr).toContain("make one: --column 'target=log(y)' --target target")
  })
})

describe("--test-column", () => {
  it("says which rows test the laws, and is no feature", async () => {
    const { data } = await fit(
      "--target",
      "y",
      "--test-column",
      "split",
      "--where",
      "group != 'x' and when != 'x' and gap != ''",
    )
    expect(data!.features).toEqual(["x", "gap"])
    expect([...data!.tests!]).toEqual([1, 3])
  })

  it.each([
    [["--test-column", "spilt"], '--test-column: there is no column "spilt"; did you mean "split"?'],
    [
      ["--test-column", "group"],
      '--test-column: row 1 (line 2), column "group": "A" is neither test nor train',
    ],
    [["--test-column", "split", "--where", "x < 3"], "marks none of 2 rows for testing"],
    [
      ["--test-column", "split", "--test-fraction", "0.1"],
      "both say which rows test the laws; leave one out",
    ],
  ])("%j is a complaint", async (flags, message) => {
    expect(await complaint(...flags)).toContain(message)
  })
})
