/** The results of a list of data sets as one table. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Csv from "../../data/Csv.ts"
import { Document } from "../../report/DocumentSchema.ts"

/** What has come of a data set. */
export interface Outcome {
  readonly name: string
  readonly data: string
  /** the document of its fit as JSON */
  readonly result: string | null
  /** why there is none */
  readonly error: string | null
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Document))

const header = [
  "name",
  "data",
  "target",
  "expression",
  "probability",
  "log_posterior",
  "unseen",
  "rmse_loo",
  "ended",
  "error",
]

const row = ({ name, data, result, error }: Outcome): ReadonlyArray<string | number> => {
  const complaint = (message: string) => [name, data, "", "", "", "", "", "", "", message]
  if (result === null) return complaint(error ?? "")
  const read = decode(result)
  if (Result.isFailure(read)) return complaint("the result is no fit of this version of vasst")
  const { target, best, unseen, stopReason } = read.success
  return [
    name,
    data,
    target,
    best.expression,
    best.probability ?? best.posterior,
    best.lmpse,
    unseen?.probability ?? "",
    best.rmseLoo ?? "",
    stopReason,
    "",
  ]
}

/** A row for each data set, below a header. */
export const table = (outcomes: ReadonlyArray<Outcome>): string => Csv.format([header, ...outcomes.map(row)])
