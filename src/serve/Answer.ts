import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as LawFitter from "../cli/LawFitter.ts"
import * as Data from "../data/Data.ts"
import { type BackendError, type CompileError, DataError, FitError } from "../errors/Errors.ts"
import { columnOf } from "../expr/columnOf.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import * as Prediction from "../rank/Prediction.ts"
import * as Document from "../report/Document.ts"
import * as LawDocument from "../report/LawDocument.ts"
import * as Request from "./Request.ts"
import * as Settings from "../cli/JsonSettings.ts"

/** Columns of the terminal that a line of progress may take. */
const width = 100

export const fit = (
  { data: { features, ...data }, target, y, settings, progress }: Request.Fit,
  stop: AbortSignal,
  tell: (line: string) => void,
): Effect.Effect<Document.Document, DataError | CompileError | BackendError | FitError> =>
  Effect.gen(function* () {
    const dataset = yield* Data.fromColumns({
      features,
      columns: Request.columnsOf({ features, ...data }),
      target,
      y: Request.numbers(y),
    })
    let told = -Infinity
    const fitted = yield* LawFitter.fit(dataset, yield* Settings.of(settings), {
      onBackend: () => undefined,
      onProgress: progress
        ? ({ seconds, text }) => {
            if (seconds - told < 1) return
            told = seconds
            tell(text(width))
          }
        : undefined,
      stop,
    })
    const document = Document.make(fitted, target)
    return document ?? (yield* new FitError({ message: "no law was ranked" }))
  })

const unreadable = (error: { readonly message: string }): DataError =>
  new DataError({ message: `a formula cannot be read: ${error.message}` })

/** Predictions: the mean, and for each band its four ends in the order of `cli/PredictCommand`. */
export const predict = ({
  data,
  laws,
  bands,
  errors,
}: Request.Predict): Effect.Effect<
  { readonly mean: string; readonly bands: ReadonlyArray<Readonly<Record<string, string>>> },
  DataError
> =>
  Effect.gen(function* () {
    const read = yield* Effect.forEach(laws, ({ law, probability }) =>
      Effect.fromResult(
        Result.mapBoth(LawDocument.read(law), {
          onFailure: unreadable,
          onSuccess: (one) => ({ law: one, probability }),
        }),
      ),
    )
    if (read.length === 0) return yield* new DataError({ message: "there is no law to predict by" })
    for (const { law } of read)
      yield* known(
        Term.variables(law.formula).filter((name) => !law.names.includes(name)),
        data.features,
      )
    const rows = {
      features: data.features,
      columns: Request.columnsOf(data),
      count: data.rows,
      errors: errors === null ? undefined : Request.numbers(errors),
    }
    const { mean, bands: found } = Prediction.make(read, rows, bands)
    return {
      mean: Request.text(mean),
      bands: found.map(({ credible, predictive }) => ({
        credibleLow: Request.text(credible.low),
        credibleHigh: Request.text(credible.high),
        predictiveLow: Request.text(predictive.low),
        predictiveHigh: Request.text(predictive.high),
      })),
    }
  })

/** @errors DataError for a formula over columns that are not there */
const known = (
  names: ReadonlyArray<string>,
  features: ReadonlyArray<string>,
): Effect.Effect<void, DataError> => {
  const unknown = names.find((name) => !features.includes(name))
  return unknown === undefined
    ? Effect.void
    : Effect.fail(
        new DataError({
          message: `there is no column ${JSON.stringify(unknown)}; the columns are: ${features.join(", ")}`,
        }),
      )
}

export const values = ({ data, expression }: Request.Values): Effect.Effect<string, DataError> =>
  Effect.gen(function* () {
    const term = yield* Effect.fromResult(Result.mapError(parse(expression), unreadable))
    yield* known(Term.variables(term), data.features)
    return Request.text(columnOf(term, data.features, Request.columnsOf(data), data.rows))
  })
