import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import * as Data from "../data/Data.ts"
import * as Term from "../expr/Term.ts"
import type { Weighted } from "../rank/Prediction.ts"
import type { Document } from "../report/Document.ts"
import * as LawDocument from "../report/LawDocument.ts"
import { Complaint } from "./Complaint.ts"
import { decimal, numbers, optional, text } from "./Flags.ts"
import * as Run from "./Run.ts"
import { Screen } from "./Screen.ts"
import * as Source from "./Source.ts"

const bands = numbers(
  "bands",
  "SHARES",
  "The shares of probability that bands hold, with commas between them, such as 0.5,0.9; or none (default 0.9)",
  "numbers between 0 and 1",
  (part) => {
    const share = decimal(part)
    return share > 0 && share < 1 ? share : Number.NaN
  },
).pipe(Flag.withDefault([0.9]))

/** `vasst predict RUN DATA`: predictions with bands by the laws of a run. */
export const predictCommand = Command.make(
  "predict",
  {
    run: Run.argument,
    data: Argument.String("DATA").pipe(
      Argument.withDescription(
        "A CSV or TSV file with the columns that the laws read; - for standard input. Other columns are not read",
      ),
    ),
    bands,
    error: optional(
      text(
        "error",
        "COLUMN",
        "The column with the standard error of each new row, where the fit had such a column",
      ),
    ),
  },
  (input) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const laws = yield* lawsOf(yield* Run.read(input.run), input.run)
      const { name, text } = yield* Source.read(input.data)
      const features = [
        ...new Set(
          laws.flatMap(({ law }) => Term.variables(law.formula).filter((one) => !law.names.includes(one))),
        ),
      ]
      const read = input.error === undefined ? features : [...features, input.error]
      const { columns, rows } = yield* Data.columnsFromCsv(text, read).pipe(
        Effect.mapError(({ message }) => Source.about(name, message)),
      )
      const Prediction = yield* Effect.promise(() => import("../rank/Prediction.ts"))
      const { mean, bands: found } = Prediction.make(
        laws,
        {
          features,
          columns,
          count: rows,
          errors: input.error === undefined ? undefined : columns[features.length],
        },
        input.bands,
      )
      // A row where no law is defined has no prediction.
      const cell = (value: number): number | string => (Number.isFinite(value) ? value : "")
      screen.out(
        Csv.format([
          [
            "prediction",
            ...found.flatMap(({ level }) =>
              ["credible", "predictive"].flatMap((kind) => [`${kind}_${level}_low`, `${kind}_${level}_high`]),
            ),
          ],
          ...Array.from(mean, (value, i) => [
            cell(value),
            ...found.flatMap(({ credible, predictive }) =>
              [credible, predictive].flatMap(({ low, high }) => [cell(low[i]!), cell(high[i]!)]),
            ),
          ]),
        ]),
      )
      return undefined
    }),
).pipe(
  Command.withDescription("Predict with credible and predictive bands, averaged over the laws of a run"),
  Command.withExamples([
    {
      command: "vasst predict run/ new.csv --bands 0.5,0.9 > predicted.csv",
      description: "A prediction and two bands for every row",
    },
  ]),
)

/** The laws of a run with their probabilities. */
const lawsOf = (document: Document, run: string): Effect.Effect<ReadonlyArray<Weighted>, Complaint> =>
  Effect.gen(function* () {
    const found = document.models.flatMap(({ law, posterior }) =>
      law === null ? [] : [{ law, probability: posterior }],
    )
    if (found.length === 0)
      return yield* new Complaint({
        message: `${run}: its laws have no noise scale, and predict nothing; make a run with vasst fit --objective inclusive`,
      })
    return yield* Effect.forEach(found, ({ law, probability }) =>
      Effect.mapBoth(Effect.fromResult(LawDocument.read(law)), {
        onFailure: ({ message }) => Source.about(run, `the formula of a law cannot be read: ${message}`),
        onSuccess: (read) => ({ law: read, probability }),
      }),
    )
  })
