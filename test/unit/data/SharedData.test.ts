import { afterEach, expect, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../src/data/Data.ts"
import * as SharedData from "../../../src/data/SharedData.ts"
import * as Workers from "../../../src/workers/Workers.ts"
import { mark } from "../../fixtures/workers/tasks.ts"

afterEach(() => {
  vi.unstubAllGlobals()
})

const data: Dataset<"a" | "b"> = {
  features: ["a", "b"],
  columns: [Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)],
  target: "c",
  y: Float64Array.of(7, 8, 9.5),
  rows: 3,
}

it("data come back as they were shared", () => {
  const shared = SharedData.share(data)
  expect(SharedData.open(shared)).toEqual(data)
  expect(SharedData.open(shared).y.buffer).toBeInstanceOf(SharedArrayBuffer)
  // The caller's arrays are not what is shared.
  SharedData.open(shared).y[0] = 0
  expect(data.y[0]).toBe(7)
})

it.live("workers have the very memory: what one writes the others see", () =>
  Effect.gen(function* () {
    for (const workers of [1, 2]) {
      const shared = SharedData.share(data)
      const jobs = [0, 2].map((row) => ({ data: shared, row }))
      expect(yield* Workers.map(mark, jobs, { workers })).toEqual([24.5, 24.5])
      expect(SharedData.open(shared).columns).toEqual([data.columns[0], Float64Array.of(100, 5, 102)])
    }
  }),
)

it.live("without shared memory they have copies", () =>
  Effect.gen(function* () {
    vi.stubGlobal("SharedArrayBuffer", undefined)
    const shared = SharedData.share(data)
    expect(shared.memory).toBeInstanceOf(ArrayBuffer)
    expect(yield* Workers.map(mark, [{ data: shared, row: 0 }])).toEqual([24.5])
    expect(SharedData.open(shared)).toEqual(data)
  }),
)
