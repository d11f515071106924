import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import type * as Data from "../data/Data.ts"
import * as Unit from "../expr/Unit.ts"
import * as Document from "../report/Document.ts"
import * as Progress from "../report/Progress.ts"
import * as Record from "../report/Record.ts"
import * as Summary from "../report/Summary.ts"
import { Complaint } from "./Complaint.ts"
import type { Input } from "./FitFlags.ts"
import * as Folder from "./Folder.ts"
import { Invocation } from "./Invocation.ts"
import * as ReportFile from "./ReportFile.ts"
import type * as RunRecord from "./RunRecord.ts"
import { lines, Screen } from "./Screen.ts"
import * as TemplateFlags from "./TemplateFlags.ts"

/** A fit with the table that it is of. */
export interface Fitted {
  readonly name: string
  /** the rows of the table, or a sample of them */
  readonly data: Data.Dataset
  /** of the whole table */
  readonly rows: number
  /** columns and rows that are not read, a line each */
  readonly left: ReadonlyArray<string>
  readonly units: Unit.Units | undefined
  readonly fitted: Document.Fitted
}

/** The flags, and the template that they say. */
export interface Asked extends Input {
  readonly form?: TemplateFlags.Form | undefined
}

/** Writes and prints a fit. */
export const publish = (input: Asked, made: Fitted & { readonly origin: ReturnType<typeof RunRecord.of> }) =>
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

/** The circumstances of a fit, which a report shows beside its laws. */
const recordOf = (
  { error, weights, group, testFraction, objective, form, units: file }: Asked,
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
        roles: form === undefined ? Record.rolesOf({ error, weights, group }) : TemplateFlags.rolesOf(form),
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
