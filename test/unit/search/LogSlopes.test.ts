import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import * as LogSlopes from "../../../src/search/LogSlopes.ts"
import * as SingleIndex from "../../../src/search/SingleIndex.ts"

const n = 400

/** Rows of features between 1 and 3, the logarithms of these, and that of a law's magnitude, with relative errors. */
const rowsOf = (features: number, law: (x: ReadonlyArray<number>) => number, noise = 0) => {
  const chances = Rng.generator(Rng.key(5))
  const X = Array.from({ length: n }, () => Array.from({ length: features }, () => 1 + 2 * chances.next()))
  const logs = Array.from({ length: features }, (_, j) => Float64Array.from(X, (row) => Math.log(row[j]!)))
  const t = Float64Array.from(X, (row) => Math.log(Math.abs(law(row) * (1 + noise * chances.normal()))))
  return { logs, t }
}

const slopesOf = (features: number, law: (x: ReadonlyArray<number>) => number, noise = 0) => {
  const { logs, t } = rowsOf(features, law, noise)
  return LogSlopes.of(logs, t)!
}

describe("slopes of logarithms", () => {
  it("are the powers of a product of powers, and nothing bends", () => {
    const { slopes, bends, unexplained } = slopesOf(3, ([a, b, c]) => (7 * a! ** 2) / (b! * Math.sqrt(c!)))
    ;[2, -1, -0.5].forEach((power, j) => expect(slopes[j]).toBeCloseTo(power, 9))
    for (const bend of bends.flatMap((row) => [...row])) expect(bend).toBeCloseTo(0, 8)
    expect(unexplained).toBeLessThan(1e-9)
  })

  it("are the derivatives of a quadratic function, and bends its second derivatives", () => {
    const { logs } = rowsOf(2, ([a]) => a!)
    const middle = logs.map((column) => column.reduce((sum, value) => sum + value, 0) / n)
    const [a, b] = logs.map((column, j) => column.map((value) => value - middle[j]!))
    const t = a!.map((value, i) => 1 + 2 * value - b![i]! + 1.5 * value ** 2 + 0.5 * value * b![i]!)
    const { slopes, bends } = LogSlopes.of([a!, b!], t)!
    expect([...slopes].map((slope) => Number(slope.toFixed(6)))).toEqual([2, -1])
    expect(bends.map((row) => [...row].map((bend) => Number(bend.toFixed(6))))).toEqual([
      [3, 0.5],
      [0.5, 0],
    ])
  })

  it("of factors are their powers within the stated errors, whatever the others do", () => {
    for (const law of [
      ([a, b, c]: ReadonlyArray<number>) => a! ** 2 * Math.sin(b! * c!),
      ([a, b, c]: ReadonlyArray<number>) => a! ** 2 / (b! ** 2 + c! ** 2 - b! * c!),
    ]) {
      const { slopes, errors } = slopesOf(3, law, 0.05)
      expect(Math.abs(slopes[0]! - 2)).toBeLessThan(4 * errors[0]!)
      expect(errors[0]).toBeLessThan(0.2)
    }
  })

  it("need twice as many rows as a quadratic function has numbers", () => {
    const { logs, t } = rowsOf(2, ([a, b]) => a! * b!)
    const first = (rows: number) =>
      LogSlopes.of(
        logs.map((column) => column.slice(0, rows)),
        t.slice(0, rows),
      )
    expect(first(11)).toBeUndefined()
    expect(first(12)).toBeDefined()
  })
})

describe("the line through a column", () => {
  it("has its slope in spite of wrong rows", () => {
    const x = Float64Array.from({ length: 100 }, (_, i) => i / 10)
    const y = x.map((value, i) => 3 - 2 * value + (i % 10 === 0 ? 5 : 0.001 * Math.sin(i)))
    const { slope, unexplained } = LogSlopes.line(x, y)
    expect(slope).toBeCloseTo(-2, 1)
    expect(unexplained).toBeLessThan(0.5)
  })
})

describe("a single index", () => {
  const indexOf = (features: number, law: (x: ReadonlyArray<number>) => number, noise = 0) => {
    const { logs, t } = rowsOf(features, law, noise)
    return SingleIndex.of(logs, t, LogSlopes.of(logs, t)!)
  }
  /** What powers are beside a multiple of the index, which the function takes over. */
  const beside = (powers: Float64Array, { index }: SingleIndex.SingleIndex) =>
    powers.map((power, j) => power - (powers[0]! * index[j]!) / index[0]!)

  for (const noise of [0, 0.01])
    it(`of a law is the product of powers in its function, at errors of ${noise}`, () => {
      const laws = {
        planck: ([h, w, k, T, c]: ReadonlyArray<number>) =>
          (h! * w! ** 3) / (c! ** 2 * (Math.exp((h! * w!) / (k! * T!)) - 1)),
        magnet: ([h, w, k, T, c]: ReadonlyArray<number>) => c! * h! * Math.tanh((h! * w!) / (k! * T!)),
      }
      const factors = { planck: [1, 3, 0, 0, -2], magnet: [1, 0, 0, 0, 1] } as const
      for (const name of ["planck", "magnet"] as const) {
        const found = indexOf(5, laws[name], noise)!
        expect([...found.index].map((power) => power * found.index[0]! + 0)).toEqual([1, 1, -1, -1, 0])
        expect(beside(found.factor, found)).toEqual(beside(Float64Array.from(factors[name]), found))
      }
    })

  it("is none of a law of two", () => {
    expect(indexOf(4, ([a, b, c, d]) => 1 + a! * b! + (3 * c! ** 2) / d! ** 2)).toBeUndefined()
  })

  it("is none of one variable", () => {
    expect(indexOf(2, ([a, b]) => b! * (1 + a! ** 2))).toBeUndefined()
  })
})
