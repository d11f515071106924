// Periodograms are checked against least squares by orthogonalisation, and on noise by how often a wave is claimed.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { whole } from "../../../src/internal/whole.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Periodogram from "../../../src/search/Periodogram.ts"
import { schwarz } from "../../../src/search/schwarz.ts"

const found = (...given: Parameters<typeof Periodogram.of>) => whole(Periodogram.of(...given))
const ones = (n: number): Float64Array => new Float64Array(n).fill(1)
const uniform = (n: number, key: string, reach = 1): Float64Array =>
  Rng.uniform(Rng.fold(Rng.key(8), key), new Float64Array(n)).map((value) => reach * value)

describe("periodograms", () => {
  it("have the frequency and the phase of a wave, at any unit of the column", () => {
    for (const unit of [1, 1e-9, 1e12]) {
      const u = uniform(80, "u", 3 * unit)
      const z = u.map((value) => 5 - 2 * Math.sin((17 / unit) * value + 0.4))
      const [best] = found([u], z, ones(80))
      // Neighbours of the grid are a quarter of a period over the rows apart.
      expect(Math.abs(best!.frequencies[0]! - 17 / unit)).toBeLessThan((2 * Math.PI) / (8 * 3 * unit))
    }
  })

  it("have waves that travel, of either direction", () => {
    const [a, b] = [uniform(120, "a", 4), uniform(120, "b", 2)]
    for (const [f, g] of [
      [3.1, -4.7],
      [2.2, 9.5],
      [0, 12],
    ] as const) {
      const z = a.map((value, i) => Math.sin(f * value + g * b[i]! + 1))
      const [best] = found([a, b], z, ones(120))
      expect(Math.abs(best!.frequencies[0]! - f)).toBeLessThan((2 * Math.PI) / (6 * 3.9))
      expect(Math.abs(best!.frequencies[1]! - g)).toBeLessThan((2 * Math.PI) / (6 * 1.9))
    }
  })

  it("have the sum of squares of least squares, with weights and heights", () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 60 }), fc.nat(), fc.boolean(), (n, seed, two) => {
        const { next, normal } = Rng.generator(Rng.key(seed))
        const draw = (make: () => number): Float64Array => Float64Array.from({ length: n }, make)
        const columns = [draw(next), ...(two ? [draw(next)] : [])]
        const [z, w, h] = [draw(normal), draw(() => next() + 0.1), draw(() => next() + 0.1)]
        for (const { frequencies, phase, criterion } of found(columns, z, w, h)) {
          const at = draw(() => 0).map((_, i) =>
            columns.reduce((sum, column, j) => sum + frequencies[j]! * column[i]!, 0),
          )
          const weigh = (column: Float64Array): Float64Array => column.map((value, i) => value * w[i]!)
          const rss = (...waves: ReadonlyArray<Float64Array>): number =>
            leastSquares([w, ...waves.map(weigh)], weigh(z)).rss
          const own = (of: (angle: number) => number): Float64Array => at.map((angle, i) => h[i]! * of(angle))
          const both = rss(own(Math.cos), own(Math.sin))
          expect(rss(own((angle) => Math.sin(angle + phase)))).toBeCloseTo(both, 8)
          const plain = schwarz(weigh(z), w)(both, 3 + columns.length)
          // What is added is the number of frequencies, and is the same for all.
          expect(criterion - plain).toBeGreaterThan(0)
          expect(criterion - plain).toBeLessThan(2 * Math.log(5000))
        }
      }),
      { numRuns: 60 },
    )
  })

  it("claim a wave of pure noise in few tables", () => {
    // With 200 tables a rate of 5 % would give more than 20 claims with a probability of 0.1 %.
    const tables = Array.from({ length: 200 }, (_, k) => {
      const { next, normal } = Rng.generator(Rng.fold(Rng.key(3), k))
      const u = Float64Array.from({ length: 60 }, next)
      const z = Float64Array.from({ length: 60 }, normal)
      const mean = z.reduce((sum, value) => sum + value, 0) / 60
      const tss = z.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      const [best] = found([u], z, ones(60))
      return best !== undefined && best.criterion < schwarz(z, ones(60))(tss, 1)
    })
    expect(tables.filter((claimed) => claimed).length).toBeLessThanOrEqual(20)
  })

  it("have no waves of constant columns, and no trends", () => {
    const u = uniform(40, "t")
    expect(found([ones(40)], u, ones(40))).toEqual([])
    expect(found([u, ones(40)], u, ones(40))).toEqual([])
    const slow = u.map((value) => Math.sin(2 * value))
    for (const { frequencies } of found([u], slow, ones(40))) expect(frequencies[0]!).toBeGreaterThan(4.5)
  })
})
