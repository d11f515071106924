// Columns by name: as a data set, and as rows.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Columns from "../../../src/data/Columns.ts"
import * as Data from "../../../src/data/Data.ts"

describe("Data.fromNamed", () => {
  it.effect("has the columns of a record, in its order", () =>
    Effect.gen(function* () {
      const columns = { a: [1, 2, 3], b: Float32Array.of(4, 5, 7) }
      const named = yield* Data.fromNamed({ columns, y: [1, 0, 2] })
      const listed = { features: ["a", "b"], columns: [columns.a, columns.b], target: "y", y: [1, 0, 2] }
      expect(named).toEqual(yield* Data.fromColumns(listed))
    }),
  )

  const refused: ReadonlyArray<readonly [Readonly<Record<string, ReadonlyArray<number>>>, string]> = [
    [{}, "there is no feature to explain the target by"],
    // As a program without types may have it.
    [{ a: [1], b: undefined as never }, 'there is no column "b"; the columns are: a'],
    [{ a: [1] }, 'the column "a" has 1 values, but "y" has 3; they must agree'],
    [{ y: [1, 2, 3] }, '"y" is the target and cannot be a feature too; take it out of the features'],
  ]
  for (const [columns, expected] of refused)
    it.effect(`refuses: ${expected}`, () =>
      Effect.map(Effect.flip(Data.fromNamed({ columns, y: [1, 0, 2] })), ({ message }) =>
        expect(message).toBe(expected),
      ),
    )
})

describe("Columns.rowsOf", () => {
  const columns = { a: [1, 2], b: Float32Array.of(3, 4), ["__proto__"]: [5, 6] }

  it("has the values of each row in the order of names, and reads no others", () => {
    expect(Columns.rowsOf(columns, ["b", "a"])).toEqual([
      [3, 1],
      [4, 2],
    ])
    expect(Columns.rowsOf(columns, ["__proto__"])).toEqual([[5], [6]])
    expect(Columns.rowsOf(columns, ["a", "none", "b"], ["a", "b"])).toEqual([
      [1, NaN, 3],
      [2, NaN, 4],
    ])
  })

  it("refuses columns that are not there, or of another length", () => {
    expect(() => Columns.rowsOf({ mass: [1] }, ["mas"])).toThrow(
      'there is no column "mas"; did you mean "mass"?',
    )
    expect(() => Columns.rowsOf({}, ["toString"])).toThrow('there is no column "toString"')
    expect(() => Columns.rowsOf({ a: [1], b: [] }, ["a", "b"])).toThrow('"b" has 0 values, but "a" has 1')
  })
})
