import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Csv from "vasst/data/Csv"
import * as Complete from "../../../src/data/Complete.ts"
import * as Cells from "../../../src/data/Cells.ts"
import type * as Frame from "../../../src/data/Frame.ts"
import { extremes } from "../../../src/numeric/extremes.ts"
import type { Column, Look } from "./Messages.ts"

/** No column has this name: a text with this character is refused. */
const nothing = "\0"

/**
 * The columns of a table as the page shows them. Rows that lack a value count where the column is read; texts are no numbers, and no mistake.
 * A mistake among numbers has a complaint.
 */
export const of = (frame: Frame.Frame) =>
  Effect.gen(function* () {
    const all = Complete.of(frame, { target: nothing, features: undefined, all: frame.columns, besides: [] })
    const columns = yield* Effect.forEach(frame.columns, (name) => {
      const own = Complete.of(frame, { target: nothing, features: [name], all: [name], besides: [] })
      const isText = all.columns.some((one) => one.name === name)
      return Effect.map(
        Effect.result(Cells.numbers(Csv, own.frame, { names: [name], target: nothing, listed: true })),
        (numbers): Column => ({
          name,
          unit: frame.units[name],
          range: Result.isSuccess(numbers) && !isText ? extremes(numbers.success[0]!) : undefined,
          missing: own.rows,
          complaint: Result.isFailure(numbers) && !isText ? numbers.failure.message : undefined,
        }),
      )
    })
    return { columns, rows: frame.rows } satisfies Look
  })
