import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { BackendError, CompileError, DataError, FitError } from "../../../src/errors/Errors.ts"
import { fitted, run } from "../../support/cli.ts"

let directory = ""
const at = (name: string): string => path.join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "vasst-cli-"))
  await writeFile(at("data.csv"), "a,b,y\n1,2,3\n2,3,5\n3,5,8\n4,7,11\n5,8,13\n6,8,14\n")
  await writeFile(at("named.csv"), "name,a,y\nfirst,1,2\n7,2,4\n")
  await writeFile(at("empty.csv"), "")
  await writeFile(at("binary.csv"), Uint8Array.of(0x61, 0, 1, 2, 0xff))
})

afterAll(() => rm(directory, { recursive: true }))

describe("complaints", () => {
  const operators = Object.keys(Operator.shipped).join(", ")
  const data = (): string => at("data.csv")

  const cases: ReadonlyArray<readonly [string, () => ReadonlyArray<string>, () => string]> = [
    ["an unknown command", () => ["fti"], () => 'there is no command "fti"; did you mean fit?'],
    ["no data", () => ["fit"], () => "the argument DATA is missing; see vasst fit --help"],
    ["two files", () => ["fit", "a", "b"], () => 'unexpected argument "b"; see vasst fit --help'],
    [
      "an unknown flag",
      () => ["fit", "a", "--tres", "3"],
      () => "there is no flag --tres; did you mean --trees?",
    ],
    [
      "a flag without value",
      () => ["fit", "a", "--trees"],
      () => "the flag --trees needs a value; see vasst fit --help",
    ],
    [
      "a flag twice",
      () => ["fit", "a", "--seed", "1", "--seed", "2"],
      () => "the flag --seed is given more than once",
    ],
    [
      "no target",
      () => ["fit", data()],
      () => "name the column to explain with --target; the columns are: a, b, y",
    ],
    [
      "a missing file",
      () => ["fit", at("nope.csv"), "--target", "y"],
      () => `${at("nope.csv")}: there is no such file or directory`,
    ],
    [
      "a directory",
      () => ["fit", directory, "--target", "y"],
      () => `${directory}: this is a directory; name the file with the data`,
    ],
    [
      "an empty file",
      () => ["fit", at("empty.csv"), "--target", "y"],
      () =>
        `${at("empty.csv")}: there are no data: expected a row of column names, and rows of numbers below it`,
    ],
    [
      "a binary file",
      () => ["fit", at("binary.csv"), "--target", "y"],
      () => `${at("binary.csv")}: this is a binary file, not text; save the data as CSV`,
    ],
    [
      "empty standard input",
      () => ["fit", "-", "--target", "y"],
      () => "standard input: there are no data: expected a row of column names, and rows of numbers below it",
    ],
    [
      "an unknown target",
      () => ["fit", data(), "--target", "z"],
      () => `${data()}: there is no column "z"; the columns are: a, b, y`,
    ],
    [
      "text in a column",
      () => ["fit", at("named.csv"), "--target", "y"],
      () =>
        `${at("named.csv")}: row 1 (line 2), column "name": "first" is not a number; ` +
        "correct it, or list the features without this column: --features a",
    ],
    [
      "more coefficients than rows",
      () => ["fit", data(), "--target", "y", "--objective", "elbo", "--trees", "5"],
      () =>
        `${data()}: 6 rows, 1 of them for testing, are too few for 6 coefficients (5 trees and the intercept); ` +
        "give more rows or use fewer trees",
    ],
    [
      "an unknown operator",
      () => ["fit", data(), "--target", "y", "--operators", "mul,sine"],
      () => `there is no operator "sine"; did you mean "sin"? the operators are: ${operators}`,
    ],
    [
      "an unheard-of operator",
      () => ["fit", data(), "--target", "y", "--operators", "gamma"],
      () => `there is no operator "gamma"; the operators are: ${operators}`,
    ],
    [
      "an empty operator",
      () => ["fit", data(), "--target", "y", "--operators", "mul,,sin"],
      () => '--operators must be names with commas between them, not "mul,,sin"',
    ],
    [
      "an unknown link",
      () => ["fit", data(), "--target", "y", "--links", "lag"],
      () =>
        'there is no link "lag"; did you mean "log"? the links are: ' +
        "identity, square, sqrt, inverse, inverseSquare, log, exp, sin, cos, arcsin",
    ],
    [
      "a constant that is no number",
      () => ["fit", data(), "--target", "y", "--constants", "1,e"],
      () => '--constants must be numbers or pi with commas between them, or none, not "1,e"',
    ],
    ...["-0.5", "-1", "c"].map(
      (size) =>
        [
          `numbers of the size ${size}`,
          () => ["fit", data(), "--target", "y", `--learned=${size}`],
          () => `--learned must be 0 or a number greater than 0, not "${size}"`,
        ] as const,
    ),
    [
      "an unknown objective",
      () => ["fit", data(), "--target", "y", "--objective", "mcmc"],
      () => '--objective must be one of inclusive, elbo, not "mcmc"',
    ],
    ...["--steps 9", "--draws 9", "--learning-rate 1", "--backend cpu"].map((text) => {
      const [flag = "", value = ""] = text.split(" ")
      return [
        `${flag} without --objective elbo`,
        () => ["fit", data(), "--target", "y", flag, value],
        () => `${flag} is for --objective elbo; add that, or leave ${flag} out`,
      ] as const
    }),
    ...["--links log", "--constants 1", "--learned 10"].map((text) => {
      const [flag = "", value = ""] = text.split(" ")
      return [
        `${flag} with --objective elbo`,
        () => ["fit", data(), "--target", "y", "--objective", "elbo", flag, value],
        () => `${flag} is for --objective inclusive, the default; leave --objective elbo or ${flag} out`,
      ] as const
    }),
    [
      "an unknown backend",
      () => ["fit", data(), "--target", "y", "--backend", "cuda"],
      () => '--backend must be one of auto, simd, tensorflow, wasm, cpu, not "cuda"',
    ],
    [
      "an output directory that is a file",
      () => ["fit", data(), "--target", "y", "--out", data()],
      () => `${data()}: cannot write here: there is a file of this name`,
    ],
    [
      "--json=maybe",
      () => ["fit", data(), "--target", "y", "--json=maybe"],
      () => '--json must be one of true, yes, on, 1, y, false, no, off, 0, n, not "maybe"',
    ],
    ...(
      [
        ["--trees", "0", "a whole number from 1 to 50"],
        ["--trees", "2.5", "a whole number from 1 to 50"],
        ["--trees", "-1", "a whole number from 1 to 50"],
        ["--depth", "11", "a whole number from 1 to 10"],
        ["--steps", "1.5", "a whole number from 0 to 2^53 - 1"],
        ["--steps", "many", "a whole number from 0 to 2^53 - 1"],
        ["--draws", "9007199254740991", "a whole number from 1 to 10000000"],
        ["--seed", "1e300", "a whole number from 0 to 2^53 - 1"],
        ["--seed", "0x10", "a whole number from 0 to 2^53 - 1"],
        ["--learning-rate", "0", "a number greater than 0"],
        ["--learning-rate", "1e999", "a number greater than 0"],
        ["--test-fraction", "1.5", "a number of at least 0 and less than 1"],
        ["--test-fraction", "1", "a number of at least 0 and less than 1"],
        ["--time", "0", "a number of seconds greater than 0"],
      ] as const
    ).map(
      ([flag, value, expected]) =>
        [
          `${flag} ${value}`,
          () => ["fit", data(), "--target", "y", flag, value],
          () => `${flag} must be ${expected}, not "${value}"`,
        ] as const,
    ),
  ]

  for (const [name, args, expected] of cases)
    it(`one line about ${name}`, async () => {
      expect(await run(args())).toEqual({ code: 1, stdout: "", stderr: `vasst: ${expected()}\n` })
    })

  for (const error of [
    new DataError({ message: "the data are bad" }),
    new CompileError({ message: "the model is bad" }),
    new BackendError({ message: "the backend is bad" }),
    new FitError({ message: "the fit is bad\nin two lines" }),
  ])
    it(`one line about a ${error._tag} of the fit`, async () => {
      const outcome = await run(["fit", data(), "--target", "y"], { fit: () => Effect.fail(error) })
      expect(outcome).toEqual({ code: 1, stdout: "", stderr: `vasst: ${error.message.replace("\n", " ")}\n` })
    })

  it("one line about a fit without a model", async () => {
    const fit = (dataset: Dataset) => Effect.succeed(fitted(dataset, { models: [] }))
    expect(await run(["fit", data(), "--target", "y"], { fit })).toEqual({
      code: 1,
      stdout: "",
      stderr: "vasst: no model was ranked; draw more models (--draws)\n",
    })
  })

  it("one line about a defect, and its trace when asked", async () => {
    const fit = () => Effect.die(new TypeError("x is not a function"))
    expect(await run(["fit", data(), "--target", "y"], { fit })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "vasst: internal error: TypeError: x is not a function (set VASST_DEBUG=1 for the trace, and please report it)\n",
    })
    const { stderr } = await run(["fit", data(), "--target", "y"], { fit, debug: true })
    expect(stderr).toMatch(/^TypeError: x is not a function\n\s+at /)
  })
})
