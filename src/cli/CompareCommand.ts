import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import type { Document } from "../report/Document.ts"
import * as Table from "../report/Table.ts"
import { Complaint } from "./Complaint.ts"
import { present } from "./Flags.ts"
import * as Run from "./Run.ts"
import { lines, Screen } from "./Screen.ts"
import * as Real from "../numeric/Real.ts"

interface Named {
  readonly run: string
  readonly document: Document
}

/** The columns that two runs must share, by their fingerprints. */
const columnsOf = ({ document }: Named): ReadonlyMap<string, string> =>
  new Map(document.data?.columns.map(({ name, fingerprint }) => [name, fingerprint]))

/** The columns that laws explain. */
const outputsOf = ({ document: { target, best } }: Named): string =>
  Csv.list((best.parts?.outputs ?? [{ target }]).map((one) => one.target))

/** Why the laws of two runs cannot be compared; undefined where they are of the same data. */
const apart = (first: Named, other: Named): string | undefined => {
  const pair = `${first.run} and ${other.run}`
  const unknown = [first, other].find(({ document }) => document.data === undefined)
  if (unknown !== undefined)
    return `${unknown.run}: this run does not say what its data were; make it again with this version`
  if (first.document.target !== other.document.target)
    return `${pair} explain different columns, ${Csv.quote(first.document.target)} and ${Csv.quote(other.document.target)}`
  const [outputs, others] = [first, other].map(outputsOf)
  if (outputs !== others) return `${pair} explain different columns, ${outputs} and ${others}`
  const [one, two] = [first.document.data!, other.document.data!]
  if (one.rows !== two.rows)
    return `${pair} are of different data: ${Csv.count(one.rows, "row")} and ${Csv.count(two.rows, "row")}`
  const columns = columnsOf(other)
  const differs = one.columns.find(
    ({ name, fingerprint }) => columns.has(name) && columns.get(name) !== fingerprint,
  )
  if (differs !== undefined)
    return `${pair} are of different data: the values of the column ${Csv.quote(differs.name)} are not the same`
  return one.tested === two.tested
    ? undefined
    : `${pair} were fitted to different rows: ${one.tested} and ${two.tested} were set aside for tests`
}

/** log(sum(exp(values))) */
const logSum = (values: ReadonlyArray<number>): number => {
  const top = values.reduce((most, value) => Math.max(most, value), -Infinity)
  return top + Real.log(values.reduce((sum, value) => sum + Real.exp(value - top), 0))
}

/** One run beside the others. */
const row = ({ run, document }: Named) => {
  const { best, models, unseen } = document
  return {
    run,
    objective: document.objective,
    law: best.expression,
    logEvidence: best.logEvidence,
    logPosterior: best.lmpse,
    /** log of the sum of evidence times prior over the laws that were ranked */
    logSum: logSum(models.map(({ lmpse }) => lmpse)),
    probability: best.probability,
    unseen: unseen?.probability ?? null,
    rmseTrain: best.rmseTrain,
    rmseTest: best.rmseTest,
    complexity: best.complexity,
    seconds: document.seconds,
  }
}

/** Odds as people read them: beyond a million as a power of ten. */
const odds = (log: number): string => {
  const size = Math.abs(log) / Math.LN10
  if (size < 6)
    return Real.exp(log) < 1
      ? `1 : ${Table.significant(Real.exp(-log), 3)}`
      : `${Table.significant(Real.exp(log), 3)} : 1`
  return log < 0 ? `1 : 1e${Math.round(size)}` : `1e${Math.round(size)} : 1`
}

/** `vasst compare RUN RUN...`: runs of the same data side by side. */
export const compareCommand = Command.make(
  "compare",
  {
    runs: Argument.String("RUN").pipe(
      Argument.withDescription(
        "Folders of vasst fit --out of the same data, or JSON documents of vasst fit --json",
      ),
      Argument.between(2, 100),
    ),
    json: present("json", "Print one JSON document instead of the table"),
  },
  ({ runs, json }) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const named: ReadonlyArray<Named> = yield* Effect.forEach(runs, (run) =>
        Effect.map(Run.read(run), (document) => ({ run, document })),
      )
      // Columns that only some runs read are compared among these.
      for (const [k, one] of named.entries())
        for (const other of named.slice(0, k)) {
          const message = apart(other, one)
          if (message !== undefined)
            return yield* new Complaint({
              message: `${message}; evidences are comparable on the same rows of the same table only`,
            })
        }
      const rows = named.map(row).toSorted((one, other) => other.logPosterior - one.logPosterior)
      const lead = rows[0]!
      const { target, data } = named[0]!.document
      if (json) {
        screen.out(`${JSON.stringify({ target, rows: data?.rows, runs: rows })}\n`)
        return undefined
      }
      const tested = rows.some(({ rmseTest }) => rmseTest !== null)
      const error = (value: number | null): string => (value === null ? "-" : Table.significant(value, 4))
      const table = Table.render(
        [
          { title: "run", align: "left" },
          { title: "log evidence", align: "right" },
          { title: "log posterior", align: "right" },
          { title: "odds", align: "right" },
          { title: "unseen", align: "right" },
          { title: "RMSE train", align: "right" },
          ...(tested ? [{ title: "RMSE test", align: "right" } as const] : []),
          { title: "complexity", align: "right" },
          { title: target, align: "left", cut: true },
        ],
        rows.map((one) => [
          one.run,
          one.logEvidence.toFixed(2),
          one.logPosterior.toFixed(2),
          one === lead ? "1 : 1" : odds(one.logPosterior - lead.logPosterior),
          one.unseen === null ? "-" : `${Math.round(100 * one.unseen)} %`,
          error(one.rmseTrain),
          ...(tested ? [error(one.rmseTest)] : []),
          String(one.complexity),
          one.law,
        ]),
        screen.columns.out,
      )
      const same = new Set(rows.map(({ law }) => law)).size === 1
      const objectives = new Set(rows.map(({ objective }) => objective))
      screen.out(
        lines([
          ...table,
          "",
          `the same data: ${Csv.count(data?.rows ?? 0, "row")}, by the fingerprints of ${target} and of the columns that runs share`,
          same
            ? "the best laws are the same"
            : `odds are those of the best laws, evidence times prior, against the first`,
          ...(objectives.size > 1
            ? [
                "the objectives differ, and with them the priors of coefficients: compare the errors rather than the odds",
              ]
            : []),
        ]),
      )
      return undefined
    }),
).pipe(
  Command.withDescription(
    "Compare runs of the same data: evidence, odds and errors of their best laws, side by side",
  ),
  Command.withExamples([
    {
      command: "vasst compare plain/ with-gauss/",
      description: "Does an operator of your own pay? The odds of the best laws of two runs",
    },
  ]),
)
