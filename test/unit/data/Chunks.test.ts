import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as Chunks from "../../../src/data/Chunks.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { table } from "../../support/streamed.ts"

const key = Rng.key(5)
const sampled = (chunks: Chunks.Chunks, count: number) =>
  Effect.runPromise(Chunks.sampled(chunks, count, key))

describe("a sample of chunks", () => {
  const data = table(70_001, (a, b) => a * b)

  it("does not depend on the length of chunks", async () => {
    const one = await sampled(Chunks.ofDataset(data), 100)
    for (const rows of [999, 65_537]) expect(await sampled(Chunks.ofDataset(data, rows), 100)).toEqual(one)
    expect(one.rows).toBe(70_001)
    expect(one.positive).toEqual([true, true, true])
  })

  it("has one row of each of as many equal parts, by chance, with its number", async () => {
    const { sample } = await sampled(Chunks.ofDataset(data, 5000), 100)
    expect(sample.rows).toBeGreaterThanOrEqual(100)
    expect(sample.rows).toBeLessThanOrEqual(200)
    const part = 2 ** Math.ceil(Math.log2(70_001 / 200))
    const numbers = [...sample.numbers!]
    expect(numbers.map((number) => Math.floor((number - 1) / part))).toEqual(numbers.map((_, k) => k))
    expect(new Set(numbers.map((number) => (number - 1) % part)).size).toBeGreaterThan(50)
    numbers.forEach((number, k) => {
      expect(sample.y[k]).toBe(data.y[number - 1])
      expect(sample.columns[2]![k]).toBe(data.columns[2]![number - 1])
    })
  })

  it("is all rows where there are few", async () => {
    const few = table(150, (a) => a)
    const { sample, rows } = await sampled(Chunks.ofDataset(few, 7), 100)
    expect(rows).toBe(150)
    expect(sample.y).toEqual(few.y)
  })

  it("names what is wrong with a chunk, and refuses no rows and one value", async () => {
    const names = { features: ["a"], target: "y" }
    const of = (columns: ReadonlyArray<ReadonlyArray<number>>, y: ReadonlyArray<number>) =>
      Effect.runPromise(
        Effect.flip(
          Chunks.sampled(
            Chunks.make(names, () => [
              { columns: columns.map((one) => Float64Array.from(one)), y: Float64Array.from(y) },
            ]),
            10,
            key,
          ),
        ),
      ).then(({ message }) => message)
    expect(await of([[1, NaN]], [1, 2])).toBe(
      'row 2 of a chunk, column "a": NaN is not a finite number; fill in the value or leave the row out',
    )
    expect(await of([[1]], [1, 2])).toContain('the column "a" has 1 values, but "y" has 2')
    expect(await of([[1], [2]], [1])).toBe("a chunk has 2 columns, but 1 features are named")
    expect(await of([[]], [])).toBe("there are no data: no chunk has a row")
    expect(await of([[1, 2]], [4, 4])).toContain("nothing to explain")
  })

  it("reads anew at every run", async () => {
    let runs = 0
    const chunks = Chunks.make({ features: ["a"], target: "y" }, () => {
      runs++
      return [{ columns: [Float64Array.of(1, 2)], y: Float64Array.of(3, 4) }]
    })
    for (let k = 0; k < 3; k++)
      expect(await Effect.runPromise(Stream.runCollect(chunks.chunks))).toHaveLength(1)
    expect(runs).toBe(3)
  })
})
