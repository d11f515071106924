import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Document from "../report/Document.ts"
import * as Csv from "../data/Csv.ts"
import * as Data from "../data/Data.ts"
import * as Progress from "../report/Progress.ts"
import { Complaint } from "./Complaint.ts"
import { parameters, settings } from "./FitFlags.ts"
import { Fitter, type Settings } from "./Fitter.ts"
import * as Folder from "./Folder.ts"
import { Interrupt } from "./Interrupt.ts"
import { lines, Screen } from "./Screen.ts"
import * as Source from "./Source.ts"
import * as Table from "./Table.ts"
import * as UnitsFile from "./UnitsFile.ts"

/** `vasst fit DATA --target NAME`: finds laws in a table of numbers. */
export const fitCommand = Command.make("fit", parameters, (input) =>
  Effect.gen(function* () {
    const started = performance.now()
    const screen = yield* Screen
    const asked = yield* settings(input)
    const { name, data: dataset } = yield* Table.read(input)
    // A search leaves terms out that the rows cannot tell; the paper's ensembles have all of theirs.
    if (asked.objective === "elbo")
      yield* requireRows(dataset, asked).pipe(Effect.mapError(({ message }) => Source.about(name, message)))
    const units = yield* UnitsFile.unitsOf(dataset, input)
    if (input.out !== undefined) yield* Folder.prepare(input.out, input.overwrite)
    const spent = (performance.now() - started) / 1000
    const fitted = yield* fit(dataset, asked.objective === "elbo" ? asked : { ...asked, units }, spent)
    if (fitted.models.length === 0)
      return yield* new Complaint({ message: "no model was ranked; draw more models (--draws)" })
    // A table shows ten models; the document writes all of them out.
    const document = input.json || input.out !== undefined ? Document.make(fitted, dataset.target) : undefined
    const json = document && `${Document.toJson(document)}\n`
    const texts =
      input.out === undefined || document === undefined || json === undefined
        ? Effect.void
        : Folder.write(input.out, {
            "fit.json": json,
            "models.csv": Csv.format(Document.modelRows(document)),
            "report.txt": lines([
              ...preamble(name, dataset, document),
              "",
              ...Document.report(fitted, dataset.target, { top: Infinity, units }),
            ]),
          })
    // Files first: they are not lost if nobody reads the output. A complaint about them comes last: the output is not lost, either.
    const written = yield* Effect.exit(texts)
    screen.out(
      input.json && json !== undefined
        ? json
        : lines(Document.report(fitted, dataset.target, { top: 10, width: screen.columns.out, units })),
    )
    yield* written
    return undefined
  }),
).pipe(
  Command.withDescription("Find laws in a table of numbers, ranked by their posterior probability"),
  Command.withExamples([
    {
      command: "vasst fit planets.csv --target period",
      description: "Explain the period of the planets by every other column",
    },
    {
      command: "cat data.tsv | vasst fit - --target y --features a,b --json",
      description: "Read standard input and print JSON",
    },
    {
      command: "vasst fit data.csv --target y --objective elbo --operators mul,sin,cos",
      description: "The method of the paper",
    },
  ]),
)

/** The model's defaults are loaded when they are needed. */
const requireRows = (dataset: Data.Dataset, asked: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("../models/vasst.ts")),
    ({ paper: { trees, testFraction } }) =>
      Data.requireRows(dataset, {
        trees: asked.trees ?? trees,
        testFraction: asked.testFraction ?? testFraction,
      }),
  )

const fit = (dataset: Data.Dataset, asked: Settings, spent: number) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const fitter = yield* Fitter
    const interrupt = yield* Interrupt
    const width = screen.columns.err
    const line = width === undefined ? undefined : Progress.line({ write: screen.err, columns: width })
    return yield* interrupt
      .during(
        () => {
          line?.clear()
          screen.err("stopping; ranking the laws found so far (Ctrl-C again to leave at once)\n")
        },
        (stop) =>
          fitter.fit(dataset, asked, {
            onBackend: (name, note) =>
              screen.err(`backend: ${name}${note === undefined ? "" : ` (${note})`}\n`),
            onProgress: line?.update,
            spent,
            stop,
          }),
      )
      .pipe(Effect.ensuring(Effect.sync(() => line?.clear())))
  })

const preamble = (
  name: string,
  dataset: Data.Dataset,
  document: Document.Document,
): ReadonlyArray<string> => [
  `data      ${name}: ${Csv.count(dataset.rows, "row")}`,
  `target    ${dataset.target}`,
  `features  ${Csv.list(dataset.features)}`,
  `objective ${document.objective}`,
  `backend   ${document.backend}`,
  `seed      ${document.seed}`,
  `ended     after ${document.steps} steps${document.seconds === null ? "" : ` and ${Progress.duration(document.seconds)}`} (${document.stopReason})`,
]
