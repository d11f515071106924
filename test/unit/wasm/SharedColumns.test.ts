import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { FIRST } from "../../../src/search/kernel/Kernel.ts"
import * as SharedColumns from "../../../src/wasm/SharedColumns.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import * as SharedData from "../../../src/data/SharedData.ts"
import * as Workers from "../../../src/workers/Workers.ts"
import { moments } from "../../fixtures/workers/kernels.ts"
import { dataOf, shareWith } from "../../support/sharedData.ts"
import * as Kernels from "../../support/kernels.ts"
import { forestOf, softOf } from "../../support/softKernel.ts"

// Whoever has the data, kernels compute the same.
const ways = ["one memory", "two memories"] as const

/** Everything that a soft kernel computes, after its samples have been gone over in both directions. */
const results = (
  data: Dataset,
  depth: number,
  features: ReadonlyArray<string>,
  kept: number,
  block: number,
) => {
  const soft = softOf(data, forestOf(depth, features), { kept, block })
  const found: Array<number> = []
  const note = (values: ArrayLike<number>) => found.push(...Array.from(values))
  for (const keeps of [true, false])
    for (let s = 0; s < soft.samples; s++) {
      soft.moments(s, keeps)
      note(soft.sums)
      soft.residuals(s)
      note(soft.squares)
      soft.adjoint(s, keeps)
    }
  note(soft.gradients)
  const columns = new Float32Array(soft.samples * soft.shape.trees * soft.rows)
  soft.columns(columns)
  note(columns)
  soft.pullback(columns)
  note(soft.gradients)
  // The tensors have made its memory grow.
  soft.moments(0, false)
  note(soft.sums)
  return found
}

/** Expects the same numbers, and says where the first other one is: there are too many to be shown. */
const same = (found: ReadonlyArray<number>, expected: ReadonlyArray<number>): void => {
  expect(found.length).toBe(expected.length)
  const at = expected.findIndex((value, i) => !Object.is(value, found[i]))
  expect([at, found[at]]).toEqual([-1, undefined])
}

describe.each(ways)("soft trees over shared data, %s", (way) => {
  it.each([
    ["a window", 301, 2, ["a", "b", "c"], 2 ** 20],
    ["a row", 1, 1, ["a", "b"], 2 ** 20],
    ["some of the features in another order", 205, 2, ["c", "a"], 2 ** 14],
    ["a tree of depth 0", 77, 0, ["b"], 0],
    ["windows", 30_003, 1, ["b", "c"], 2 ** 19],
  ] as const)("have the bits of a kernel of its own: %s", (_, rows, depth, features, kept) => {
    const data = dataOf(rows)
    const shared = SharedData.open(shareWith(data, way))
    for (const block of [64, 128])
      same(results(shared, depth, features, kept, block), results(data, depth, features, kept, block))
  })

  it("do not keep the data, whatever their number", () => {
    const bytes = (rows: number, share: boolean) => {
      const data = dataOf(rows)
      const forest = forestOf(1, ["a", "b", "c"])
      return softOf(share ? SharedData.open(shareWith(data, way)) : data, forest, { kept: 0 }).bytes()
    }
    expect(bytes(300_000, true)).toBe(bytes(100_000, true))
    // Three features, a constant and the target, up to a page.
    expect(bytes(300_000, false) - bytes(100_000, false)).toBeGreaterThan(200_000 * 24 - 2 ** 17)
  })

  it("do not take a part of the rows for all", () => {
    const data = SharedData.open(shareWith(dataOf(64), way))
    const part = (column: Float64Array) => column.subarray(0, 32)
    const half = { ...data, columns: data.columns.map(part), y: part(data.y), rows: 32 }
    const copied = { ...half, columns: half.columns.map((c) => c.slice()), y: half.y.slice() }
    same(results(half, 1, ["a", "b"], 0, 64), results(copied, 1, ["a", "b"], 0, 64))
  })
})

describe("columns for kernels", () => {
  it("lie in a buffer only where modules have one memory", () => {
    const data = dataOf(3)
    expect(ways.map((way) => shareWith(data, way).memory instanceof SharedArrayBuffer)).toEqual([true, false])
  })

  it("are found beside columns of the same data only", () => {
    const data = dataOf(5)
    const { columns, y } = SharedData.open(SharedData.share(data))
    const found = SharedColumns.find([columns[2]!, data.columns[0]!, y], y)
    expect(found?.rows).toBe(16)
    expect(found?.columns).toEqual([found!.y + 8 * 16 + 2 * 64, undefined, undefined])
    expect(SharedColumns.find(columns, data.y)).toBeUndefined()
    expect(SharedColumns.find(columns, columns[0]!)).toBeUndefined()
  })
})

describe("threads", () => {
  it.live("have kernels over one memory, with the same bits", () =>
    Effect.gen(function* () {
      const data = dataOf(40_001)
      const alone = softOf(data, forestOf(2, ["a", "b", "c"]), { kept: 0 })
      alone.moments(0, false)
      const jobs = ways.flatMap((way) => {
        const shared = shareWith(data, way)
        return [{ data: shared }, { data: shared }]
      })
      const found = yield* Workers.map(moments, jobs, { workers: 2 })
      for (const { sums, bytes } of found) {
        expect(sums).toEqual(alone.sums)
        // Three features and the target, but for a window.
        expect(alone.bytes() - bytes).toBeGreaterThan(40_000 * 20 - 2 ** 18 - 2 ** 17)
      }
    }),
  )
})

describe.each(ways)("hard trees over shared data, %s", (way) => {
  const operators = [Operator.add, Operator.mul, Operator.sin]
  const grammar = Grammar.make({ features: ["c", "a"], operators, constants: { two: 2 } })
  const make = (data: Dataset) => {
    return Effect.runSync(Kernels.open(grammar, data, 2, { capacity: 2 ** 16, block: 64 }))
  }

  it.each([1, 63, 64, 700])("have the bits of an evaluator of its own: %i rows", (rows) => {
    const data = dataOf(rows)
    const run = (data: Dataset) => {
      const { dag, kernel } = make(data)
      const product = dag.apply(1, 0, 1)
      const wave = dag.apply(2, dag.apply(0, product, 2), -1)
      const ids = [0, 1, 2, product, wave, dag.apply(1, wave, 0)]
      const found: Array<number> = []
      const ask = () => {
        const out = new Float64Array(ids.length * (FIRST + kernel.held()))
        kernel.moments(ids, out)
        found.push(...out)
      }
      ask()
      kernel.hold([1, wave])
      ask()
      kernel.weigh(0)
      kernel.hold([product])
      ask()
      kernel.weigh(-1)
      return [...found, ...kernel.column(wave), ...kernel.column(1), kernel.evaluated()]
    }
    expect(run(SharedData.open(shareWith(data, way)))).toEqual(run(data))
  })

  it("keep their columns and not the data", () => {
    const data = dataOf(50_000)
    const shared = make(SharedData.open(shareWith(data, way)))
    // Two features.
    expect(make(data).bytes - shared.bytes).toBeGreaterThan(50_000 * 8 - 4096)
  })

  it("give other values to terminals of their own only", () => {
    const data = SharedData.open(shareWith(dataOf(20), way))
    const { kernel } = make(data)
    const values = new Float64Array(20).fill(5)
    expect(() => kernel.replace(0, values)).toThrow(RangeError)
    kernel.replace(2, values)
    expect(kernel.column(2)).toEqual(values)
    expect(kernel.column(0)).toEqual(data.columns[2]!)
  })
})
