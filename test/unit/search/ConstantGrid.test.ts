import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import * as ConstantGrid from "../../../src/search/ConstantGrid.ts"

const range: ConstantGrid.Range = { low: 0, high: 5, reach: 5 }
const still: ConstantGrid.Absorbing = { factor: false, shift: false, turns: false, isPositive: false }
const turns: ConstantGrid.Absorbing = { ...still, turns: true }
const grids = Array.from({ length: 20 }, (_, restart) => ConstantGrid.of(Rng.key(3), restart))

/** The largest distance between neighbours. */
const gap = (values: ReadonlyArray<number>): number =>
  Math.max(...values.map((value, i) => (i === 0 ? 0 : value - values[i - 1]!)))

describe("the grid of rough values of a restart", () => {
  it("of the first has its values in the middle", () => {
    const [first] = grids
    expect(first!.factors({ ...range, reach: 1 }, still).filter((value) => value > 0)).toEqual([
      0.251, 1, 2.51, 3.98, 10,
    ])
    expect(first!.exponents).toEqual(ConstantGrid.exponents)
    expect(first!.frequencies(range).slice(0, 2)).toEqual([0.16, 0.44])
  })

  it("is the same for the same restart, and another for another", () => {
    const all = grids.map((grid) => grid.factors(range, still).join())
    expect(new Set(all).size).toBe(grids.length)
    expect(ConstantGrid.of(Rng.key(3), 7).factors(range, still).join()).toBe(all[7])
    expect(ConstantGrid.of(Rng.key(4), 7).factors(range, still).join()).not.toBe(all[7])
  })

  it("leaves no wider gap than that of the first", () => {
    const middle = gap(grids[0]!.frequencies(range))
    for (const grid of grids) {
      const frequencies = grid.frequencies(range)
      expect(frequencies[0]).toBeGreaterThan(0)
      // Values have four digits.
      expect(gap(frequencies)).toBeLessThan(middle + 0.01)
      expect(gap(grid.factors(range, turns))).toBeLessThan(middle + 0.01)
      expect(grid.phases[1]! - grid.phases[0]!).toBeCloseTo(1.6, 12)
    }
  })

  it("covers what lies between the values of the first: the places of restarts are spread over a distance of neighbours", () => {
    const middle = grids[0]!.frequencies(range)[4]!
    const places = grids.slice(1).map((grid) => (grid.frequencies(range)[4]! - middle) / (1.4 / 5))
    // Of 19 uniform places all lie in three of four quarters with a probability of 4 (3/4)^19 = 0.02, for this one key.
    const quarters = new Set(places.map((place) => Math.floor(4 * (place + 0.5))))
    expect(quarters).toEqual(new Set([0, 1, 2, 3]))
    expect(Math.max(...places.map(Math.abs))).toBeLessThanOrEqual(0.51)
  })

  it("has no shift at which a column with a pole there is 0", () => {
    for (const grid of grids)
      for (const by of grid.outer(range)) expect((range.low + by) * (range.high + by)).toBeGreaterThan(0)
  })
})
