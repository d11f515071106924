// Jobs as a worker does them, on a table that is refused before a search.
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import * as FitJob from "../../src/cli/batch/FitJob.ts"
import { change, places, replaced } from "./changes.ts"

const rows = 24
const x = Float64Array.from({ length: rows }, (_, i) => 1 + i / 20)
const y = x.map((value, i) => value * value + 0.05 * Math.sin(37 * i))
export const table = { features: ["x"], columns: [x], target: "y", y, numbers: undefined }
/** Tables that do not vary are refused before a search: what is read wrongly does not take its time. */
export const flat = { ...table, y: new Float64Array(rows).fill(1) }
export const refusal = /there is nothing to explain$/

interface Ended {
  readonly error?: { readonly _tag: string; readonly message: string }
  readonly result?: string
}

/** A job done in this thread. A defect is thrown, and ends the test. */
export const done = (job: {
  readonly payload: string
  readonly data: Uint8Array
  readonly checkpoint?: Uint8Array
}): Promise<Ended> =>
  Effect.runPromise(
    FitJob.run({ checkpoint: undefined, every: 10, watched: false, ...job }, () => undefined).pipe(
      Effect.map((result) => ({ result })),
      Effect.catch((error) => Effect.succeed({ error })),
    ),
  )

/** That a message is one for people. */
export const oneLine = (message: string): void => {
  expect(message).toMatch(/^[^\n\r]+$/)
  expect(message).not.toMatch(/\bat .*:\d+:\d+|\[object Object\]/)
  expect(Object.keys(Object.prototype)).toEqual([])
}

/** A value of which one part, or two, are others. */
export const changed = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<unknown> =>
  fc.tuple(value, fc.array(change, { minLength: 1, maxLength: 2 })).map(([valid, changes]) =>
    changes.reduce<unknown>((one, [place, by]) => {
      const now = places(one)
      return replaced(one, now[place % now.length]!, by)
    }, valid),
  )
