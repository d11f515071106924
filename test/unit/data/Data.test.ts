import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

const plain = (dataset: Data.Dataset) => ({
  ...dataset,
  columns: dataset.columns.map((column) => [...column]),
  y: [...dataset.y],
})

describe("Data.fromCsv", () => {
  it.effect("takes every other column as a feature", () =>
    Effect.map(Data.fromCsv("a,y,b\n1,2,+3.5\n-4,5e-1,.6\n", { target: "y" }), (dataset) =>
      expect(plain(dataset)).toEqual({
        features: ["a", "b"],
        columns: [
          [1, -4],
          [3.5, 0.6],
        ],
        target: "y",
        y: [2, 0.5],
        rows: 2,
      }),
    ),
  )

  it.effect("takes the features listed, in that order, whatever the other columns hold", () =>
    Effect.map(
      Data.fromCsv("name,a,,b,y\nEarth,1,,3,2\nMars,4,x,6,5\n", { target: "y", features: ["b", "a"] }),
      (dataset) =>
        expect(plain(dataset)).toMatchObject({
          features: ["b", "a"],
          columns: [
            [3, 6],
            [1, 4],
          ],
        }),
    ),
  )

  for (const [name, text, features, expected] of [
    [
      "a missing target with a near name",
      "a,period\n1,2\n3,4\n",
      undefined,
      'there is no column "perod"; did you mean "period"? the columns are: a, period',
    ],
    ["a missing target", "a,b\n1,2\n", undefined, 'there is no column "perod"; the columns are: a, b'],
    [
      "a missing header",
      "1,2\n3,4\n",
      undefined,
      'there is no column "perod"; the columns are: 1, 2 (the first row must hold the names of the columns, not numbers)',
    ],
    [
      "a title above the header",
      "of March;;\n;;\nt;perod [s];\n1;2;\n",
      undefined,
      'there is no column "perod"; the columns are: "of March", "", "" (row 2 (line 3) has this name: remove what stands above it)',
    ],
    [
      "other delimiters",
      "a|b\n1|2\n",
      undefined,
      'there is no column "perod"; the columns are: a|b (columns are separated by commas, tabs, semicolons or blanks)',
    ],
    [
      "an unknown feature",
      "mass,perod\n1,2\n",
      ["Mass"],
      'there is no column "Mass"; did you mean "mass"? the columns are: mass, perod',
    ],
    [
      "a target that is a feature",
      "a,perod\n1,2\n",
      ["a", "perod"],
      '"perod" is the target and cannot be a feature too; take it out of the features',
    ],
    ["a feature named twice", "a,perod\n1,2\n", ["a", "a"], 'the feature "a" is named twice'],
    ["no feature", "perod\n1\n2\n", undefined, "there is no feature to explain the target by"],
    [
      "text in a column",
      "name,mass,perod\nEarth,1,2\n",
      undefined,
      'row 1 (line 2), column "name": "Earth" is not a number; ' +
        "correct it, or list the features without this column: --features mass",
    ],
    [
      "text in a column that was asked for",
      "name,perod\n\n1,2\nEarth,1\n",
      ["name"],
      'row 2 (line 4), column "name": "Earth" is not a number; correct it, or take "name" out of the features',
    ],
    [
      "text in the target",
      "a,perod\n1,2\n3,1e5x\n",
      undefined,
      'row 2 (line 3), column "perod": "1e5x" is not a number; the target must be a number in every row',
    ],
    [
      "a hexadecimal",
      "a,perod\n0x10,2\n",
      undefined,
      'row 1 (line 2), column "a": "0x10" is not a number; ' +
        "correct it, or list the features without this column: --features ...",
    ],
    [
      "an empty cell",
      "a,perod\n1,2\n,1\n",
      undefined,
      'row 2 (line 3), column "a" is empty; fill in the value or remove the row',
    ],
    [
      "NaN",
      "a,perod\n1,NaN\n",
      undefined,
      'row 1 (line 2), column "perod": "NaN" is not a finite number; fill in the value or remove the row',
    ],
    [
      "Inf",
      "a,perod\n-Inf,1\n",
      undefined,
      'row 1 (line 2), column "a": "-Inf" is not a finite number; fill in the value or remove the row',
    ],
    [
      "NA",
      "a,perod\nNA,1\n",
      undefined,
      'row 1 (line 2), column "a": "NA" is not a finite number; fill in the value or remove the row',
    ],
    [
      "a number that overflows",
      "a,perod\n1e999,1\n",
      undefined,
      'row 1 (line 2), column "a": "1e999" is too large; numbers go up to 1.8e308',
    ],
    [
      "a number that underflows",
      "a,perod\n-1.5e-400,1\n",
      undefined,
      'row 1 (line 2), column "a": "-1.5e-400" is too small; numbers other than 0 begin at 4.9e-324; give the column in a smaller unit',
    ],
    [
      "a decimal comma",
      "a;perod\n1,5;2\n",
      undefined,
      'row 1 (line 2), column "a": "1,5" has a decimal comma; write a decimal point, or add --decimal comma',
    ],
    [
      "a column of text without a name",
      ",a,perod\nx,1,2\n",
      undefined,
      'row 1 (line 2), column 1 (no name): "x" is not a number; ' +
        "correct it, or list the features without this column: --features a",
    ],
    [
      "a constant target",
      "a,perod\n1,2\n3,2.0\n",
      undefined,
      'the target "perod" is 2 in all 2 rows; there is nothing to explain',
    ],
    ["a single row", "a,perod\n1,2\n", undefined, "there is one row of values; a law needs several"],
    [
      "an empty file",
      "",
      undefined,
      "there are no data: expected a row of column names, and rows of numbers below it",
    ],
  ] as const)
    it.effect(`refuses ${name}`, () =>
      Effect.map(Effect.flip(Data.fromCsv<string>(text, { target: "perod", features })), (error) => {
        expect(error._tag).toBe("DataError")
        expect(error.message).toBe(expected)
      }),
    )

  it.effect("reads a hundred thousand rows", () => {
    const text = `a,b,y\n${Array.from({ length: 100_000 }, (_, i) => `${i},${i / 7},${i * i}\n`).join("")}`
    return Effect.map(Data.fromCsv(text, { target: "y" }), ({ rows, columns }) =>
      expect([rows, columns[1]?.[99_999]]).toEqual([100_000, 99_999 / 7]),
    )
  })
})

describe("Data.fromRows", () => {
  it.effect("names the columns", () =>
    Effect.map(Data.fromRows({ X: [[1, 2], Float32Array.of(3, 4)], y: [5, 6] }), (dataset) =>
      expect(plain(dataset)).toEqual({
        features: ["x0", "x1"],
        columns: [
          [1, 3],
          [2, 4],
        ],
        target: "y",
        y: [5, 6],
        rows: 2,
      }),
    ),
  )

  it.effect("keeps the names given, literally in the type", () =>
    Effect.map(
      Data.fromRows({ X: [[1], [2]], y: [1, 4], features: ["side"], target: "area" }),
      ({ features, target }) => {
        const first: "side" | undefined = features[0]
        expect([first, target]).toEqual(["side", "area"])
      },
    ),
  )

  for (const [name, data, expected] of [
    ["no rows", { X: [], y: [] }, "there are no data: X is empty"],
    ["no columns", { X: [[], []], y: [1, 2] }, "there are no data: X is empty"],
    ["lengths that disagree", { X: [[1], [2]], y: [1] }, "X has 2 rows, but y has 1 values; they must agree"],
    ["too few names", { X: [[1, 2]], y: [1], features: ["a"] }, "X has 2 columns, but 1 features are named"],
    ["a ragged row", { X: [[1, 2], [3]], y: [1, 2] }, "row 2 of X has 1 values, but the first has 2"],
    [
      "NaN",
      { X: [[1], [Number.NaN]], y: [1, 2] },
      'row 2, column "x0": NaN is not a finite number; fill in the value or remove the row',
    ],
    [
      "an infinite target",
      { X: [[1], [1]], y: [1, Infinity], target: "force" },
      'row 2, column "force": Infinity is not a finite number; fill in the value or remove the row',
    ],
    ["a name used twice", { X: [[1, 2]], y: [1], features: ["a", "a"] }, 'the feature "a" is named twice'],
    [
      "the target among the features",
      { X: [[1, 2]], y: [1], features: ["a", "y"] },
      '"y" is the target and cannot be a feature too; take it out of the features',
    ],
    [
      "a constant target",
      { X: [[1], [2]], y: [3, 3] },
      'the target "y" is 3 in all 2 rows; there is nothing to explain',
    ],
  ] as const)
    it.effect(`refuses ${name}`, () =>
      Effect.map(Effect.flip(Data.fromRows<string>(data)), (error) => expect(error.message).toBe(expected)),
    )
})

describe("Data.split", () => {
  const data = Data.fromRows({
    X: Array.from({ length: 25 }, (_, i) => [i]),
    y: Array.from({ length: 25 }, (_, i) => i),
  })

  it.effect("sets round(fraction n) rows aside and loses none", () =>
    Effect.gen(function* () {
      const dataset = yield* data
      const { train, test } = yield* Data.split(dataset, 0.1, Rng.key(1))
      expect([train.rows, test.rows]).toEqual([22, 3])
      expect([...train.y, ...test.y].sort((a, b) => a - b)).toEqual([...dataset.y])
      expect(train.columns[0]).toEqual(train.y)
      expect([...train.y]).toEqual([...train.y].sort((a, b) => a - b))
    }),
  )

  it.effect("depends on the key, and on nothing else", () =>
    Effect.gen(function* () {
      const dataset = yield* data
      const tests = (seed: number) =>
        Effect.map(Data.split(dataset, 0.4, Rng.key(seed)), ({ test }) => [...test.y])
      expect(yield* tests(1)).toEqual(yield* tests(1))
      expect(yield* tests(1)).not.toEqual(yield* tests(2))
    }),
  )

  it.effect("gives all rows for the fit at fraction 0", () =>
    Effect.gen(function* () {
      const dataset = yield* data
      const { train, test } = yield* Data.split(dataset, 0, Rng.key(1))
      expect(plain(train)).toEqual(plain(dataset))
      expect(test.rows).toBe(0)
    }),
  )

  it.effect("refuses fractions that leave nothing", () =>
    Effect.gen(function* () {
      const dataset = yield* data
      const message = (fraction: number) =>
        Effect.map(Effect.flip(Data.split(dataset, fraction, Rng.key(1))), (error) => error.message)
      for (const fraction of [1, 1.5, -0.1, Number.NaN])
        expect(yield* message(fraction)).toBe(
          `the fraction of rows for testing must be at least 0 and less than 1, not ${fraction}`,
        )
      expect(yield* message(0.99)).toBe(
        "testing on 25 of 25 rows leaves none to fit; lower the test fraction",
      )
    }),
  )

  it.effect("requires a row for every coefficient", () =>
    Effect.gen(function* () {
      const dataset = yield* data
      yield* Data.requireRows(dataset, { trees: 21, testFraction: 0.1 })
      const error = yield* Effect.flip(Data.requireRows(dataset, { trees: 22, testFraction: 0.1 }))
      expect(error.message).toBe(
        "25 rows, 3 of them for testing, are too few for 23 coefficients (22 trees and the intercept); " +
          "give more rows or use fewer trees",
      )
    }),
  )
})

describe("Data.fromColumns", () => {
  const table = {
    features: ["a", "b"],
    columns: [[1, 2, 3], Float32Array.of(4, 5, 7)],
    target: "y",
    y: [1, 0, 2],
  }

  it.effect("is the data set of the same rows", () =>
    Effect.gen(function* () {
      const columns = yield* Data.fromColumns(table)
      const rows = yield* Data.fromRows({
        X: [[1, 4], [2, 5], [3, 7]], // prettier-ignore
        y: table.y,
        features: table.features,
      })
      expect(plain(columns)).toEqual(plain(rows))
    }),
  )

  for (const [change, expected] of [
    [{ columns: [[1, 2, 3]] }, "there are 1 columns, but 2 features are named"],
    [{ y: [] }, 'there are no data: the column "y" is empty'],
    [{ columns: [[1, 2, 3], [4]] }, 'the column "b" has 1 values, but "y" has 3; they must agree'],
    [
      {
        columns: [
          [1, 2, 3],
          [4, Number.NaN, 5],
        ],
      },
      'row 2, column "b": NaN is not a finite number; fill in the value or remove the row',
    ],
    [
      { y: [1, 2, Infinity] },
      'row 3, column "y": Infinity is not a finite number; fill in the value or remove the row',
    ],
    [{ features: ["a", "a"] }, 'the feature "a" is named twice'],
    [{ y: [2, 2, 2] }, 'the target "y" is 2 in all 3 rows; there is nothing to explain'],
  ] as const)
    it.effect(`refuses: ${expected}`, () =>
      Effect.map(Effect.flip(Data.fromColumns({ ...table, ...change })), ({ message }) =>
        expect(message).toBe(expected),
      ),
    )
})
