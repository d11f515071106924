import type { Extremes } from "../../../src/numeric/extremes.ts"
import type { Settings } from "../Settings.ts"

/** A column as the page shows it. */
export interface Column {
  readonly name: string
  /** the unit that the header has, as text */
  readonly unit: string | undefined
  /** its least and largest value; undefined where it does not hold numbers */
  readonly range: Extremes | undefined
  /** the number of rows that lack a value of it, and that a fit that reads it leaves out */
  readonly missing: number
  /** why it does not hold numbers, with the row and the mend */
  readonly complaint: string | undefined
}

/** A table as the page shows it. */
export interface Look {
  readonly columns: ReadonlyArray<Column>
  readonly rows: number
}

/** A law of a posterior. */
export interface Law {
  /** with the digits that the data determine */
  readonly latex: string
  readonly text: string
  readonly probability: number
  /** log marginal posterior, in nats */
  readonly logPosterior: number
  readonly complexity: number
}

/** A posterior over laws, at the end of a search or before. */
export interface Posterior {
  /** the most probable, best first */
  readonly laws: ReadonlyArray<Law>
  /** the number and the joint probability of the laws that were ranked beside these */
  readonly others: { readonly count: number; readonly probability: number }
  /** the probability of laws that were not seen */
  readonly unseen: number
}

/** How far a search is. */
export interface Progress {
  /** since the fit began */
  readonly seconds: number
  /** ensembles scored */
  readonly scored: number
  /** undefined where it is the previous one */
  readonly posterior: Posterior | undefined
}

/** Values of a law beside the data. */
export interface Drawn {
  /** on the rows of `Points` */
  readonly values: Float64Array
  /** for a law of one column: its values along it, with the band of new values that holds 90 % */
  readonly curve:
    | {
        readonly column: string
        readonly x: Float64Array
        readonly y: Float64Array
        readonly low: Float64Array | undefined
        readonly high: Float64Array | undefined
      }
    | undefined
}

/** The rows that plots show. */
export interface Points {
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly y: Float64Array
}

/** A law at the end of a fit, in every notation. */
export interface FinalLaw extends Law {
  readonly sympy: string
  readonly numpy: string
  /** with all digits, as in the document */
  readonly exactLatex: string
  /** the law with names in place of its numbers; undefined where it has none */
  readonly named: { readonly latex: string; readonly text: string } | undefined
  /** these numbers with intervals of 95 % */
  readonly numbers: ReadonlyArray<string>
  /** the kind of noise, and wrong rows */
  readonly noise: ReadonlyArray<string>
  /** whether residuals are relative: the noise is in proportion to the law */
  readonly relative: boolean
  readonly drawn: Drawn
}

/** The result of a fit. */
export interface Outcome {
  readonly posterior: Posterior
  readonly laws: ReadonlyArray<FinalLaw>
  readonly points: Points
  readonly target: string
  readonly seconds: number
  /** how the search ended, in words, a line each */
  readonly ended: ReadonlyArray<string>
  /** probabilities that the law has a column */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly probability: number }>
  /** the document of `vasst fit --json` */
  readonly json: string
}

/** What the page asks of its worker. */
export type Request =
  | { readonly _tag: "Look"; readonly id: number; readonly file: string; readonly bytes: Uint8Array }
  /** @param file the name of the table's file, which a report names */
  | { readonly _tag: "Fit"; readonly id: number; readonly settings: Settings; readonly file: string }
  /** for the report of the fit that was done last */
  | { readonly _tag: "Report"; readonly id: number }
  /** to end the fit and rank the laws found so far */
  | { readonly _tag: "Stop" }

/** What the worker answers, with the number of the request. */
export type Reply =
  | { readonly _tag: "Looked"; readonly id: number; readonly look: Look }
  | { readonly _tag: "Progress"; readonly id: number; readonly progress: Progress }
  | { readonly _tag: "Reported"; readonly id: number; readonly page: string }
  | { readonly _tag: "Done"; readonly id: number; readonly outcome: Outcome }
  | { readonly _tag: "Failed"; readonly id: number; readonly message: string }
