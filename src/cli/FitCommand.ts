import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Document from "../report/Document.ts"
import * as Summary from "../report/Summary.ts"
import * as Record from "../report/Record.ts"
import * as Csv from "../data/Csv.ts"
import * as Data from "../data/Data.ts"
import * as Progress from "../report/Progress.ts"
import * as Together from "./batch/Together.ts"
import { Complaint } from "./Complaint.ts"
import { type Input, parameters, settings } from "./FitFlags.ts"
import * as Unit from "../expr/Unit.ts"
import type { Units } from "../expr/Unit.ts"
import { Fitter, type Hooks, type Settings } from "./Fitter.ts"
import * as Folder from "./Folder.ts"
import * as Budget from "./memory/Budget.ts"
import * as Watched from "./memory/Watched.ts"
import * as Streamed from "./input/Streamed.ts"
import { Interrupt } from "./Interrupt.ts"
import { Invocation } from "./Invocation.ts"
import * as ReportFile from "./ReportFile.ts"
import { lines, Screen } from "./Screen.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as RunFolder from "./RunFolder.ts"
import * as RunRecord from "./RunRecord.ts"
import * as Source from "./Source.ts"
import * as Table from "./Table.ts"
import * as UnitsFile from "./UnitsFile.ts"

/** `vasst fit DATA --target NAME`: finds laws in a table of numbers. */
export const fitCommand = Command.make("fit", parameters, (input) =>
  Effect.gen(function* () {
    const { begun: started } = yield* Invocation
    const operators = yield* OwnOperators.resolve(input)
    const given = yield* settings(input, operators)
    const keeping = yield* RunFolder.asked(input)
    const budget =
      input.memory === undefined
        ? undefined
        : yield* Budget.of(input, input.memory, keeping.folder === undefined && (yield* mayBeInParts(input)))
    const asked = yield* Budget.within(given, budget)
    const parts = budget?.inParts ?? (yield* Streamed.isWanted(input.data, input.stream))
    if (!input.cluster && parts) {
      if (keeping.folder === undefined) return yield* inParts(input, asked, operators.own, started, budget)
      return yield* new Complaint({
        message:
          "a table that is read in parts has no run to go on with; leave --run out, or add --stream never",
      })
    }
    const { name, data: dataset, derived, left } = yield* Table.read(input, operators.own)
    // A search leaves terms out that the rows cannot tell; the paper's ensembles have all of theirs.
    if (asked.objective === "elbo")
      yield* requireRows(dataset, asked).pipe(Effect.mapError(({ message }) => Source.about(name, message)))
    const units = yield* UnitsFile.unitsOf(dataset, input)
    const origin = RunRecord.of(dataset, derived, operators.own, asked)
    const { folder = input.out, overwrite } = keeping
    if (folder !== undefined) yield* Folder.prepare(folder, overwrite)
    if (input.report !== undefined) yield* ReportFile.prepare(input.report, overwrite)
    const store =
      keeping.folder === undefined
        ? undefined
        : yield* RunFolder.open(keeping.folder, origin, input.overwrite)
    const spent = (performance.now() - started) / 1000
    const settled = asked.objective === "elbo" ? asked : { ...asked, units }
    const fitted = yield* fit(dataset, settled, spent, budget).pipe(RunFolder.kept(store, input.every))
    const own = { ...input, out: folder, overwrite: overwrite || store !== undefined }
    yield* publish(own, { name, data: dataset, rows: dataset.rows, left, units, fitted, origin })
    if (store !== undefined && fitted.stopReason === "interrupted")
      (yield* Screen).err(`the state of the search is kept; go on with: vasst resume ${keeping.folder}\n`)
    return undefined
  }).pipe(Effect.scoped),
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

/** A fit with the table that it is of. */
interface Fitted {
  readonly name: string
  /** the rows of the table, or a sample of them */
  readonly data: Data.Dataset
  /** of the whole table */
  readonly rows: number
  /** columns and rows that are not read, a line each */
  readonly left: ReadonlyArray<string>
  readonly units: Units | undefined
  readonly fitted: Document.Fitted
}

/** Writes and prints a fit. */
const publish = (input: Input, made: Fitted & { readonly origin: ReturnType<typeof RunRecord.of> }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { name, data, rows, left, units, fitted, origin } = made
    if (fitted.models.length === 0)
      return yield* new Complaint({ message: "no model was ranked; draw more models (--draws)" })
    // A table shows ten models; the document writes all of them out.
    const written = input.out !== undefined || input.report !== undefined
    const document = input.json || written ? Document.make(fitted, data.target, origin, units) : undefined
    const json = document && `${Document.toJson(document)}\n`
    const record = document && written ? yield* recordOf(input, made, document) : undefined
    const texts =
      input.out === undefined || document === undefined || json === undefined
        ? Effect.void
        : Folder.write(
            input.out,
            {
              "fit.json": json,
              "record.json": `${JSON.stringify(record)}\n`,
              "models.csv": Csv.format(Document.modelRows(document)),
              "report.txt": lines([
                ...preamble(name, { ...data, rows }, document),
                ...left,
                "",
                ...Summary.of(fitted, data.target, { top: Infinity, units }),
              ]),
            },
            input.overwrite,
          )
    // Files first: they are not lost if nobody reads the output. A complaint about them comes last: the output is not lost, either.
    const texted = yield* Effect.exit(texts)
    const page = yield* Effect.exit(
      input.report === undefined || document === undefined || record === undefined
        ? Effect.void
        : ReportFile.write(input.report, document, record),
    )
    screen.out(
      input.json && json !== undefined
        ? json
        : lines(Summary.of(fitted, data.target, { top: 10, width: screen.columns.out, units })),
    )
    yield* texted
    yield* page
    return undefined
  })

/** Whether flags allow that a table is read in parts. */
const mayBeInParts = (input: Input) =>
  Effect.gen(function* () {
    const { links, noise, fitted, cluster } = input
    if (cluster || links !== undefined || noise !== undefined || (fitted ?? 0) > 0) return false
    const StreamedFit = yield* Effect.promise(() => import("./StreamedFit.ts"))
    return Exit.isSuccess(yield* Effect.exit(StreamedFit.check(input)))
  })

/** The fit of a table that is read in parts. */
const inParts = (
  input: Input,
  asked: Settings,
  own: OwnOperators.Operators["own"],
  started: number,
  budget: Budget.Budget | undefined,
) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const StreamedFit = yield* Effect.promise(() => import("./StreamedFit.ts"))
    yield* StreamedFit.check(input)
    if (input.target === undefined || asked.objective === "elbo")
      return yield* new Complaint({ message: "name the column to explain with --target" })
    const { chunks, units: texts } = yield* Streamed.open(input, {
      target: input.target,
      features: input.features,
    })
    const units = yield* UnitsFile.unitsOf({ ...chunks, units: texts }, input)
    if (input.out !== undefined) yield* Folder.prepare(input.out, input.overwrite)
    if (input.report !== undefined) yield* ReportFile.prepare(input.report, input.overwrite)
    const spent = (performance.now() - started) / 1000
    const { fitted, sample, rows, note } = yield* withProgress(budget, (hooks) =>
      StreamedFit.fit(chunks, { ...asked, units }, { ...hooks, spent }),
    ).pipe(Effect.catchTag("DataError", ({ message }) => Effect.fail(Source.about(input.data, message))))
    screen.err(`${note}\n`)
    const data = { ...sample, units: texts }
    const origin = RunRecord.of(data, [], own, asked, rows)
    return yield* publish(input, {
      name: input.data,
      data,
      rows,
      left: [],
      units,
      fitted,
      origin,
    })
  })

/** The circumstances of a fit, which a report shows beside its laws. */
const recordOf = (
  { error, weights, group, testFraction, objective, units: file }: Input,
  { name, data, rows, left, units, fitted: { trace } }: Fitted,
  document: Document.Document,
) =>
  Effect.gen(function* () {
    const { version, args } = yield* Invocation
    const record = Record.make(
      {
        program: version,
        command: args,
        name,
        data,
        left,
        trace,
        testFraction:
          testFraction ??
          (objective === "elbo"
            ? (yield* Effect.promise(() => import("../models/vasst.ts"))).paper.testFraction
            : 0),
        error,
        weights,
        group,
        // As they are written in the header; a file may say otherwise.
        units: {
          ...Object.fromEntries(
            Object.entries(units?.columns ?? {}).map(([column, unit]) => [column, Unit.format(unit)]),
          ),
          ...(file === undefined && data.units),
        },
      },
      document,
    )
    return { ...record, data: { ...record.data, rows } }
  })

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

const fit = (dataset: Data.Dataset, asked: Settings, spent: number, budget: Budget.Budget | undefined) =>
  Effect.flatMap(Fitter, (fitter) =>
    withProgress(budget, (hooks) =>
      Together.fit(dataset.target, asked, (settled) => fitter.fit(dataset, settled, { ...hooks, spent })),
    ),
  )

/** A fit that writes a line of progress, and that a signal or a limit of memory stops early. */
const withProgress = <A, E, R>(
  budget: Budget.Budget | undefined,
  use: (hooks: Hooks) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const screen = yield* Screen
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
          Watched.within(budget, stop, (either) =>
            use({
              onBackend: (name, note) =>
                screen.err(`backend: ${name}${note === undefined ? "" : ` (${note})`}\n`),
              onProgress: line?.update,
              stop: either,
            }),
          ),
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
