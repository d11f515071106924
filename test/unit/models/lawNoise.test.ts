import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"

vi.setConfig({ testTimeout: 120_000 })

const small = { search: { patience: 30, library: 2000 }, steps: 150, time: 60 } satisfies Law.Options

const product = (seed: number) => {
  const source = Rng.generator(Rng.key(seed))
  const X = Array.from({ length: 120 }, () => [1 + 4 * source.next(), 1 + 4 * source.next()])
  return { X, y: X.map(([a = 0, b = 0]) => a * b + 0.05 * source.normal()), features: ["a", "b"] }
}

describe("a fit of a law", () => {
  it("finds x^2 over four decades with relative noise, and says that it is relative", async () => {
    const source = Rng.generator(Rng.key(1))
    const X = Array.from({ length: 150 }, () => [10 ** (2 * source.next())])
    const y = X.map(([x = 0]) => x * x * (1 + 0.01 * source.normal()))
    const { best } = await Effect.runPromise(Law.fit({ X, y, features: ["x"] }, small))
    expect(infix(best.expression)).toBe("x^2")
    expect(["proportional", "log"]).toContain(best.noise?.kind)
    expect(best.noise?.sigma).toBeCloseTo(0.01, 2)
    expect(best.noise?.wrongRows).toEqual([])
  })

  it.each([
    ["-9999 in one row", [17], () => -9999],
    ["5 % of the rows wrong by 100 sigma", [3, 20, 41, 66, 90, 111], (y: number) => y + 5],
  ] as const)("keeps its law with %s, and names the rows", async (_, rows, spoil) => {
    const table = product(2)
    for (const row of rows) table.y[row] = spoil(table.y[row]!)
    const { best } = await Effect.runPromise(Law.fit(table, { ...small, testFraction: 0 }))
    expect(infix(best.expression)).toBe("a*b")
    expect(best.rmseTrain).toBeLessThan(0.07)
    expect(best.noise?.wrongRows.map(({ row }) => row)).toEqual(rows.map((row) => row + 1))
    for (const { row, value, law, sigmas } of best.noise?.wrongRows ?? []) {
      const [a = 0, b = 0] = table.X[row - 1]!
      expect(value).toBe(table.y[row - 1])
      expect(law).toBeCloseTo(a * b, 0)
      expect(sigmas).toBeGreaterThan(50)
    }
  })

  it("does not call a law exact that few rows are far away from", async () => {
    const X = Array.from({ length: 1000 }, (_, i) => [1 + ((7 * i) % 41) / 10])
    const y = X.map(([x = 0], i) => (i % 100 === 0 ? 3 * x : 0))
    const { best } = await Effect.runPromise(Law.fit({ X, y, features: ["x"] }, small))
    expect(best.ensemble.trees).toEqual([])
    expect(best.noise?.kind).toBe("heavy")
  })

  it("reads columns of errors and weights, which are no features", async () => {
    const table = product(3)
    const X = table.X.map((row, i) => [...row, i % 7 === 0 ? 5 : 0.05])
    const y = table.y.map((value, i) => value + (i % 7 === 0 ? 5 * Math.cos(i) : 0))
    const { best, predict } = await Effect.runPromise(
      Law.fit({ X, y, features: ["a", "b", "dy"] }, { ...small, error: "dy" }),
    )
    expect(infix(best.expression)).toBe("a*b")
    expect(best.noise?.kind).toBe("known errors")
    expect(predict([[2, 3]])[0]).toBeCloseTo(6, 1)
  })

  it.each([
    ["error", -1, 'row 4, column "w": the standard error must be a number above 0, but is -1'],
    ["error", 0, 'row 4, column "w": the standard error must be a number above 0, but is 0'],
    ["weights", -2, 'row 4, column "w": the weight must be a number of at least 0, but is -2'],
  ] as const)("refuses a wrong %s by row and column", async (option, value, message) => {
    const { X, y } = product(4)
    const wide = X.map((row, i) => [...row, i === 3 ? value : 1])
    const error = await Effect.runPromise(
      Effect.flip(
        Law.fit({ X: wide, y, features: ["a", "b", "w"] }, { ...small, [option]: "w", testFraction: 0 }),
      ),
    )
    expect(error._tag).toBe("CompileError")
    expect(error.message).toContain(message)
  })

  it("refuses a column that is not there", async () => {
    const error = await Effect.runPromise(Effect.flip(Law.fit(product(5), { ...small, weights: "c" })))
    expect(error.message).toContain('there is no column "c" with weights')
  })
})
