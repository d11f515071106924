import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ShippedName, shipped } from "../declare/Operator.ts"
import { nearest } from "../runtime/Nearest.ts"
import { backends } from "./Fitter.ts"

const isShipped = (name: string): name is ShippedName => Object.hasOwn(shipped, name)

/** A flag that takes a number; `expected` completes "must be". */
const number = (
  name: string,
  metavar: string,
  description: string,
  expected: string,
  accepts: (value: number) => boolean,
): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect((text) => {
      const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
      return Number.isFinite(value) && accepts(value)
        ? Effect.succeed(value)
        : Effect.fail(new CliError.InvalidValue({ option: name, value: text, expected, kind: "flag" }))
    }),
  )

const whole = (name: string, metavar: string, description: string, least: number, most: number) =>
  number(
    name,
    metavar,
    description,
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`,
    (value) => Number.isSafeInteger(value) && value >= least && value <= most,
  )

/** A list of names, separated by commas. */
const names = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect((text) => {
      const parts = text.split(",").map((part) => part.trim())
      return parts.every((part) => part !== "")
        ? Effect.succeed([...new Set(parts)])
        : Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: text,
              expected: "names with commas between them",
              kind: "flag",
            }),
          )
    }),
  )

const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  Flag.map(Flag.optional(flag), Option.getOrUndefined)

const operators = names(
  "operators",
  "NAMES",
  "Operators that a law may use, with commas between them; vasst operators lists them " +
    "(default add,sub,mul,div,square)",
).pipe(
  Flag.mapEffect((list): Effect.Effect<ReadonlyArray<ShippedName>, CliError.CliError> => {
    const unknown = list.find((name) => !isShipped(name))
    if (unknown === undefined) return Effect.succeed(list.filter(isShipped))
    const near = nearest(unknown, Object.keys(shipped))
    const meant = near === undefined ? ";" : `; did you mean "${near}"?`
    return Effect.fail(
      new CliError.ValidationError({
        message: `there is no operator "${unknown}"${meant} the operators are: ${Object.keys(shipped).join(", ")}`,
      }),
    )
  }),
)

/** What `vasst fit` takes. */
export const parameters = {
  data: Argument.String("DATA").pipe(
    Argument.withDescription(
      "A CSV or TSV file with the names of the columns in its first row; - for standard input",
    ),
  ),
  target: optional(
    Flag.String("target").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("The column to explain (required)"),
    ),
  ),
  features: optional(
    names(
      "features",
      "NAMES",
      "The columns to explain it by, with commas between them (default: every other column)",
    ),
  ),
  operators: optional(operators),
  trees: whole("trees", "K", "Trees in a law: terms besides the intercept (default 3)", 1, 50).pipe(
    Flag.withDefault(3),
  ),
  depth: whole("depth", "D", "Greatest depth of a tree (default 3)", 1, 10).pipe(Flag.withDefault(3)),
  steps: whole(
    "steps",
    "T",
    "Steps of variational inference; 0 ranks draws from the untrained start (default 2000)",
    0,
    Number.MAX_SAFE_INTEGER,
  ).pipe(Flag.withDefault(2000)),
  draws: whole("draws", "H", "Models to draw and rank (default 2000)", 1, Number.MAX_SAFE_INTEGER).pipe(
    Flag.withDefault(2000),
  ),
  learningRate: number(
    "learning-rate",
    "RATE",
    "Step size of the optimiser (default 5e-5)",
    "a number greater than 0",
    (value) => value > 0,
  ).pipe(Flag.withDefault(5e-5)),
  testFraction: number(
    "test-fraction",
    "FRACTION",
    "Part of the rows set aside to test the laws on (default 0.1)",
    "a number of at least 0 and less than 1",
    (value) => value >= 0 && value < 1,
  ).pipe(Flag.withDefault(0.1)),
  time: optional(
    number(
      "time",
      "SECONDS",
      "Stop after so many seconds and rank what there is",
      "a number of seconds greater than 0",
      (value) => value > 0,
    ),
  ),
  seed: optional(
    whole(
      "seed",
      "SEED",
      "Seed of the random numbers: the same seed gives the same result",
      0,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  backend: Flag.Literals("backend", backends).pipe(
    Flag.withDescription("What computes the tensors (default auto)"),
    Flag.withDefault("auto"),
  ),
  out: optional(
    Flag.String("out").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("Write fit.json, models.csv and report.txt into this directory"),
    ),
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON document instead of the table"),
    Flag.withoutNegation,
    Flag.withDefault(false),
  ),
} as const

/** What `vasst fit` was told. */
export type Input = Command.Command.Config.Infer<typeof parameters>
