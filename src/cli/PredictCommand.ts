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
import * as ByOutput from "./ByOutput.ts"
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
        "The column with the standard error of each new row, where the fit had such a column; of several outputs OUTPUT=COLUMN,... (default none)",
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
      const targets = document.best.parts?.outputs.map(({ target }) => target) ?? [document.target]
      const errors = yield* ByOutput.read("--error", input.error, targets)
      const laws = yield* Effect.forEach(targets, (_, output) =>
        lawsOf(document, input.run, operators, { output }),
      )
      const table = yield* Input.read(input)
      const features = [
        ...new Set(
          laws
            .flat()
            .flatMap(({ law }) => Term.variables(law.formula).filter((one) => !law.names.includes(one))),
        ),
      ]
      const read = [...new Set([...features, ...targets.flatMap((target) => errors?.[target] ?? [])])]
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
        const pick = (name: string): Float64Array => {
          const column = columns[read.indexOf(name)]!
          return Float64Array.from(own, (row) => column[row]!)
        }
        const found = yield* Effect.forEach(targets, (target, output) =>
          Effect.gen(function* () {
            const error = errors?.[target]
            return Prediction.make(
              place < 0
                ? laws[output]!
                : yield* lawsOf(document, input.run, operators, { output, group: place }),
              {
                features,
                columns: features.map(pick),
                count: own.length,
                errors: error === undefined ? undefined : pick(error),
              },
              input.bands,
            )
          }),
        )
        own.forEach((row, i) => {
          lines[row] = found.flatMap(({ mean, bands: each }) => [
            mean[i]!,
            ...each.flatMap(({ credible, predictive }) =>
              [credible, predictive].flatMap(({ low, high }) => [low[i]!, high[i]!]),
            ),
          ])
        })
      }
      // A row where no law is defined has no prediction.
      const cell = (value: number): number | string => (Number.isFinite(value) ? value : "")
      const headings = [
        "prediction",
        ...input.bands.flatMap((level) =>
          ["credible", "predictive"].flatMap((kind) => [`${kind}_${level}_low`, `${kind}_${level}_high`]),
        ),
      ]
      screen.out(
        Csv.format([
          // One output needs no name.
          targets.flatMap((target) =>
            headings.map((heading) => (targets.length === 1 ? heading : `${target}_${heading}`)),
          ),
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
 * @param of.output the place of an output among those of a template
 * @param of.group the place of a group; undefined for laws without groups, and for a group that the run does not know
 */
const lawsOf = (
  document: Document,
  run: string,
  operators: ReadonlyArray<Operator>,
  { output, group }: { readonly output: number; readonly group?: number },
): Effect.Effect<ReadonlyArray<Weighted>, Complaint> =>
  Effect.gen(function* () {
    const found = document.models.flatMap(({ law, posterior, groups, parts }) => {
      const own =
        parts !== undefined
          ? (parts.outputs[output]?.law ?? null)
          : group === undefined
            ? law
            : (groups?.laws[group] ?? null)
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
