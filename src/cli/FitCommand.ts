import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Data from "../data/Data.ts"
import * as Progress from "../report/Progress.ts"
import * as Together from "./batch/Together.ts"
import { Complaint } from "./Complaint.ts"
import { type Input, parameters } from "./FitFlags.ts"
import { settings } from "./FitSettings.ts"
import { Fitter, type Hooks, type Settings } from "./Fitter.ts"
import * as Folder from "./Folder.ts"
import * as Budget from "./memory/Budget.ts"
import * as Watched from "./memory/Watched.ts"
import * as Streamed from "./input/Streamed.ts"
import { Interrupt } from "./Interrupt.ts"
import { Invocation } from "./Invocation.ts"
import * as ReportFile from "./ReportFile.ts"
import { Screen } from "./Screen.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as Publication from "./Publication.ts"
import * as RunFolder from "./RunFolder.ts"
import * as RunRecord from "./RunRecord.ts"
import * as Source from "./Source.ts"
import * as Table from "./Table.ts"
import * as TemplateFlags from "./TemplateFlags.ts"
import * as UnitsFile from "./UnitsFile.ts"

/** `vasst fit DATA --target NAME`: finds laws in a table of numbers. */
export const fitCommand = Command.make("fit", parameters, (input) =>
  Effect.gen(function* () {
    const { begun: started } = yield* Invocation
    const operators = yield* OwnOperators.resolve(input)
    const form = yield* TemplateFlags.of(input, operators.own)
    const given = yield* settings(input, operators, form)
    if (input.report !== undefined && form !== undefined)
      yield* ReportFile.single(TemplateFlags.outputs(form))
    const keeping = yield* RunFolder.asked(input)
    const budget =
      input.memory === undefined
        ? undefined
        : yield* Budget.of(input, input.memory, keeping.folder === undefined && (yield* mayBeInParts(input)))
    const asked = yield* Budget.within(given, budget)
    const parts = budget?.inParts ?? (yield* Streamed.isWanted(input.data, input.stream))
    if (parts && form !== undefined)
      return yield* new Complaint({
        message:
          "--template needs all rows in memory; give --stream never where there is memory for all of them",
      })
    if (!input.cluster && parts) {
      if (keeping.folder === undefined) return yield* inParts(input, asked, operators.own, started, budget)
      return yield* new Complaint({
        message:
          "a table that is read in parts has no run to go on with; leave --run out, or add --stream never",
      })
    }
    const {
      name,
      data: dataset,
      derived,
      left,
    } = yield* Table.read(
      form === undefined
        ? input
        : {
            ...input,
            target: form.template.outputs[0]!.name,
            features: form.template.columns,
            form,
          },
      operators.own,
    )
    // A search leaves terms out that the rows cannot tell; the paper's ensembles have all of theirs.
    if (asked.objective === "elbo")
      yield* requireRows(dataset, asked).pipe(Effect.mapError(({ message }) => Source.about(name, message)))
    // A template says which quantities are added.
    const units = form === undefined ? yield* UnitsFile.unitsOf(dataset, input) : undefined
    const origin = RunRecord.of(dataset, derived, operators.own, asked)
    const { folder = input.out, overwrite } = keeping
    if (folder !== undefined) yield* Folder.prepare(folder, overwrite)
    if (input.report !== undefined) yield* ReportFile.prepare(input.report, overwrite)
    const store =
      keeping.folder === undefined
        ? undefined
        : yield* RunFolder.open(keeping.folder, origin, input.overwrite)
    const spent = (performance.now() - started) / 1000
    const settled = asked.objective === "inclusive" ? { ...asked, units } : asked
    const fitted = yield* fit(dataset, settled, spent, budget).pipe(RunFolder.kept(store, input.every))
    const own = { ...input, form, out: folder, overwrite: overwrite || store !== undefined }
    yield* Publication.publish(own, { name, data: dataset, rows: dataset.rows, left, units, fitted, origin })
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

/** Whether flags allow that a table is read in parts. */
const mayBeInParts = (input: Input) =>
  Effect.gen(function* () {
    const { links, noise, fitted, cluster, template } = input
    if (cluster || template.length > 0 || links !== undefined || noise !== undefined || (fitted ?? 0) > 0)
      return false
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
    if (input.target === undefined || asked.objective !== "inclusive")
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
    return yield* Publication.publish(input, {
      name: input.data,
      data,
      rows,
      left: [],
      units,
      fitted,
      origin,
    })
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
