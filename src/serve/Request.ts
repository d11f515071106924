/** The lines that are read: requests as JSON, with arrays of numbers as float64 in base64, little endian. */
import * as Schema from "effect/Schema"
import * as LawDocument from "../report/LawDocument.ts"
import { Settings } from "../cli/JsonSettings.ts"

/** The text of an array of numbers: whole numbers of eight bytes. */
const Numbers = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Buffer.byteLength(text, "base64") % 8 === 0 ? undefined : "an array of numbers is no float64 in base64",
  ),
)

/** Columns of m rows, one after the other. */
const Columns = Schema.Struct({
  features: Schema.Array(Schema.String),
  /** as many times m numbers as there are features */
  columns: Numbers,
  /** m */
  rows: Schema.Finite,
}).check(
  Schema.makeFilter(({ features, columns, rows }) =>
    Number.isSafeInteger(rows) &&
    rows >= 0 &&
    Buffer.byteLength(columns, "base64") === 8 * rows * features.length
      ? undefined
      : `the columns of ${features.length} features are not as many numbers as ${rows} rows have`,
  ),
)

const Fit = Schema.Struct({
  method: Schema.Literal("fit"),
  id: Schema.Finite,
  data: Columns,
  target: Schema.String,
  y: Numbers,
  progress: Schema.Boolean,
  settings: Settings,
})

/** Predictions with bands by laws of a document. */
const Predict = Schema.Struct({
  method: Schema.Literal("predict"),
  id: Schema.Finite,
  data: Columns,
  laws: Schema.Array(Schema.Struct({ law: LawDocument.Law, probability: Schema.Finite })),
  bands: Schema.Array(
    Schema.Finite.check(
      Schema.makeFilter((level) =>
        level > 0 && level < 1 ? undefined : `the share of a band is ${level} and not between 0 and 1`,
      ),
    ),
  ),
  /** standard errors of the response */
  errors: Schema.NullOr(Numbers),
})

const Values = Schema.Struct({
  method: Schema.Literal("values"),
  id: Schema.Finite,
  data: Columns,
  /** in infix, as a document has it */
  expression: Schema.String,
})

/** Ends a fit early: its answer has the laws found so far. */
const Stop = Schema.Struct({ method: Schema.Literal("stop"), fit: Schema.Finite })

export const Request = Schema.Union([Fit, Predict, Values, Stop])
export type Request = typeof Request.Type
export type Fit = typeof Fit.Type
export type Predict = typeof Predict.Type
export type Values = typeof Values.Type

export const numbers = (text: string): Float64Array => {
  const bytes = Buffer.from(text, "base64")
  // A copy: the bytes of a buffer need not begin at a multiple of eight.
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

export const text = ({ buffer, byteOffset, byteLength }: Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64")

export const columnsOf = ({ features, columns, rows }: typeof Columns.Type): ReadonlyArray<Float64Array> => {
  const all = numbers(columns)
  return features.map((_, j) => all.subarray(j * rows, (j + 1) * rows))
}
