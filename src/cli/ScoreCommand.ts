import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Complaint } from "./Complaint.ts"
import { parameters } from "./FitFlags.ts"
import { optional, present, text } from "./Flags.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as Run from "./Run.ts"
import { lines, Screen } from "./Screen.ts"
import * as Source from "./Source.ts"
import * as Table from "./Table.ts"

/** `vasst score FORMULA DATA --target NAME`: the evidence of a formula of one's own. */
export const scoreCommand = Command.make(
  "score",
  {
    formula: Argument.String("FORMULA").pipe(
      Argument.withDescription(
        "A formula over the columns, such as 'a*x0*sin(x1)': names that are no column are numbers to be fitted, written numbers are exact",
      ),
    ),
    ...Struct.pick(parameters, [
      "data",
      "inputFormat",
      "decimal",
      "encoding",
      "target",
      "features",
      "operators",
      "operator",
      "where",
      "column",
      "constants",
      "links",
      "noise",
      "error",
      "weights",
      "trees",
      "depth",
    ]),
    against: optional(
      text(
        "against",
        "RUN",
        "A folder of vasst fit --out of the same data: its best law is compared with (default none)",
      ),
    ),
    future: optional(
      text(
        "future",
        "COLUMN",
        "A column that says the order of rows, such as time: the second half is predicted from the rows before it (default none)",
      ),
    ),
    json: present("json", "Print one JSON document instead of text"),
  },
  (input) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const run = input.against === undefined ? undefined : yield* Run.read(input.against)
      // Those of the run that it is compared with need not be given again.
      const found = yield* OwnOperators.resolve(input, run?.operators)
      const { name, data: table } = yield* Table.read(input, found.own)
      if ((run?.best.parts?.outputs.length ?? 1) > 1)
        return yield* new Complaint({
          message: `--against ${input.against}: its laws explain several columns together; name a run of one`,
        })
      if (run !== undefined && run.target !== table.target)
        return yield* new Complaint({
          message: `--against ${input.against}: its laws explain "${run.target}", not "${table.target}"; name a run of the same target`,
        })
      const [Formula, FormulaText] = yield* Effect.promise(() =>
        Promise.all([import("../models/Formula.ts"), import("../report/FormulaText.ts")]),
      )
      const LawGrammar = yield* Effect.promise(() => import("../models/LawGrammar.ts"))
      const scored = yield* Formula.score(input.formula, table, {
        ...input,
        operators: OwnOperators.withDefaults(found, LawGrammar.operators),
      }).pipe(
        Effect.mapError((failure) =>
          failure._tag === "DataError"
            ? Source.about(name, failure.message)
            : failure._tag === "TermParseError"
              ? new Complaint({ message: `the formula cannot be read: ${failure.message}` })
              : failure,
        ),
      )
      const others = [
        { name: "the mean alone", lmpse: scored.mean.lmpse },
        ...(run === undefined
          ? []
          : [{ name: `${run.target} = ${run.best.expression}`, lmpse: run.best.lmpse }]),
      ]
      screen.out(
        input.json
          ? `${JSON.stringify(FormulaText.document(scored, table.target, others))}\n`
          : lines(FormulaText.lines(scored, table.target, others)),
      )
      return undefined
    }),
).pipe(
  Command.withDescription(
    "Score a formula of your own: its evidence, its numbers, and the rows where it fails",
  ),
  Command.withExamples([
    {
      command: "vasst score 'a*r^b' planets.csv --target period",
      description: "Fit a factor and an exponent",
    },
    {
      command: "vasst score 'r^1.5' planets.csv --target period --against run/",
      description: "The posterior odds of a law against the best of a run",
    },
    {
      command: "vasst score 'a*exp(b*year)' people.csv --target people --future year",
      description: "How well it predicts later rows from earlier ones",
    },
  ]),
)
