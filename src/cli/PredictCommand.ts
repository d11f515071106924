import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import * as Data from "../data/Data.ts"
import type { Frame } from "../data/Frame.ts"
import type { Operator } from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import type { Weighted } from "../rank/Prediction.ts"
import type { Document } from "../report/Document.ts"
import * as LawDocument from "../report/LawDocument.ts"
import { Complaint } from "./Complaint.ts"
import { decimal, numbers, optional, text } from "./Flags.ts"
import * as Input from "./input/Input.ts"
import * as Derived from "./rows/Derived.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
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
    ...Input.parameters,
    bands,
    error: optional(
      text(
        "error",
        "COLUMN",
        "The column with the standard error of each new row, where the fit had such a column (default none)",
      ),
    ),
  },
  (input) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const document = yield* Run.read(input.run)
      const { groups } = document.best
      const { own: operators } = yield* OwnOperators.resolve(
        { operators: undefined, operator: [] },
        document.operators,
      )
      const laws = yield* lawsOf(document, input.run, operators, undefined)
      const table = yield* Input.read(input)
      const features = [
        ...new Set(
          laws.flatMap(({ law }) => Term.variables(law.formula).filter((one) => !law.names.includes(one))),
        ),
      ]
      const read = input.error === undefined ? features : [...features, input.error]
      const { columns, rows, labels } = yield* Input.frameOf(table).pipe(
        Effect.flatMap((frame) => withDerived(frame, document, read, operators)),
        Effect.flatMap((frame) => Data.columnsOf(frame, read, groups?.column)),
        Effect.mapError((error) =>
          error._tag === "DataError" ? Source.about(table.name, error.message) : error,
        ),
      )
      const Prediction = yield* Effect.promise(() => import("../rank/Prediction.ts"))
      const places = Array.from(
        { length: rows },
        (_, row) => groups?.groups.indexOf(labels?.[row] ?? "") ?? -1,
      )
      const lines: Array<ReadonlyArray<number>> = []
      // Rows of each group by its own laws; those of a group that the run does not know by the laws of any group.
      for (const place of new Set(places)) {
        const own = Array.from(places.keys()).filter((row) => places[row] === place)
        const pick = (column: Float64Array): Float64Array => Float64Array.from(own, (row) => column[row]!)
        const { mean, bands: found } = Prediction.make(
          place < 0 ? laws : yield* lawsOf(document, input.run, operators, place),
          {
            features,
            columns: columns.slice(0, features.length).map(pick),
            count: own.length,
            errors: input.error === undefined ? undefined : pick(columns[features.length]!),
          },
          input.bands,
        )
        own.forEach((row, i) => {
          lines[row] = [
            mean[i]!,
            ...found.flatMap(({ credible, predictive }) =>
              [credible, predictive].flatMap(({ low, high }) => [low[i]!, high[i]!]),
            ),
          ]
        })
      }
      // A row where no law is defined has no prediction.
      const cell = (value: number): number | string => (Number.isFinite(value) ? value : "")
      screen.out(
        Csv.format([
          [
            "prediction",
            ...input.bands.flatMap((level) =>
              ["credible", "predictive"].flatMap((kind) => [`${kind}_${level}_low`, `${kind}_${level}_high`]),
            ),
          ],
          ...lines.map((line) => line.map(cell)),
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

/** A table with the columns that the run was made with and that the laws read, each a formula over others. */
const withDerived = (
  frame: Frame,
  { derived = [] }: Document,
  read: ReadonlyArray<string>,
  operators: ReadonlyArray<Operator>,
) =>
  Effect.gen(function* () {
    const all = yield* Effect.forEach(derived, (one) => Derived.parse(one, operators))
    const needed = new Set(read.flatMap((name) => [name, ...Derived.sources(name, all)]))
    const lacking = all.filter(({ name }) => needed.has(name) && !frame.columns.includes(name))
    const wide = yield* Derived.add(frame, lacking)
    yield* Derived.check(wide, lacking)
    return wide
  })

/**
 * The laws of a run with their probabilities.
 *
 * @param group the place of a group; undefined for laws without groups, and for a group that the run does not know
 */
const lawsOf = (
  document: Document,
  run: string,
  operators: ReadonlyArray<Operator>,
  group: number | undefined,
): Effect.Effect<ReadonlyArray<Weighted>, Complaint> =>
  Effect.gen(function* () {
    const found = document.models.flatMap(({ law, posterior, groups }) => {
      const own = group === undefined ? law : (groups?.laws[group] ?? null)
      return own === null ? [] : [{ law: own, probability: posterior }]
    })
    if (found.length === 0)
      return yield* new Complaint({
        message: `${run}: its laws have no noise scale, and predict nothing; make a run with vasst fit --objective inclusive`,
      })
    return yield* Effect.forEach(found, ({ law, probability }) =>
      Effect.mapBoth(Effect.fromResult(LawDocument.read(law, operators)), {
        onFailure: ({ message }) => Source.about(run, `the formula of a law cannot be read: ${message}`),
        onSuccess: (read) => ({ law: read, probability }),
      }),
    )
  })
