import { describe, expect, it } from "vitest"
import { FAULTS, FIRST, SHIFT, SQUARE } from "../../../../src/search/kernel/Kernel.ts"
import * as Spaces from "../../../support/spaces.ts"

describe("weights of rows in the hard engine", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!, { rows: 333 })
  const { kernel } = spaces.space
  const product = Spaces.apply(spaces, "mul", 0, 1)
  const wave = Spaces.apply(spaces, "sin", Spaces.apply(spaces, "mul", 0, 0))
  const inner = (x: Float64Array, y: Float64Array): number => x.reduce((sum, v, i) => sum + v * y[i]!, 0)
  // Of the first 16 rows, where these vary little around it.
  const meanOf = (id: number): number => {
    const column = Spaces.column(spaces, id).subarray(0, 16)
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length
    return variance < mean ** 2 / 256 ? mean : 0
  }
  /** A column as products are taken of it; without weights it is not centred. */
  const weighed = (id: number, weight: Float64Array | undefined): Float64Array => {
    const mean = weight === undefined ? 0 : meanOf(id)
    return Spaces.column(spaces, id).map((value, i) => (value - mean) * (weight?.[i] ?? 1))
  }
  const table = new Float64Array(3 * (FIRST + 2))

  const check = (weight: Float64Array | undefined): void => {
    kernel.hold([product, 0])
    kernel.moments([wave, product, 1], table)
    ;[wave, product, 1].forEach((id, row) => {
      const at = row * (FIRST + 2)
      const t = weighed(id, weight)
      expect(table[at + FAULTS]).toBe(0)
      expect(table[at + SHIFT]).toBeCloseTo(weight === undefined ? 0 : meanOf(id), 12)
      expect(table[at + SQUARE]! / inner(t, t)).toBeCloseTo(1, 12)
      ;[product, 0].forEach((other, j) => {
        const u = weighed(other, weight)
        const scale = Math.sqrt(inner(t, t) * inner(u, u))
        expect((table[at + FIRST + j]! - inner(t, u)) / scale).toBeCloseTo(0, 12)
      })
    })
  }

  it("centre and multiply what is held and what has its moments taken", () => {
    const b = spaces.data.columns[1]!
    kernel.weigh(-1)
    check(undefined)
    kernel.weigh(1)
    check(b)
    kernel.weigh(-1)
    check(undefined)
  })

  it("do not change columns that are asked for", () => {
    kernel.weigh(1)
    const column = kernel.column(product)
    Spaces.column(spaces, product).forEach((value, i) => expect(column[i]! / value).toBeCloseTo(1, 13))
    check(spaces.data.columns[1])
    kernel.weigh(-1)
  })

  it("are those that a replaced terminal has", () => {
    const { one } = spaces.space
    const squares = spaces.data.columns[0]!.map((a) => a * a)
    kernel.replace(one, squares)
    kernel.weigh(one)
    check(squares)
    kernel.weigh(-1)
  })

  it("leave products their digits where a column varies little around a large value", () => {
    const stamps = Spaces.make(([a]) => a!, { rows: 333, offset: 1.7e9 })
    const { kernel, one } = stamps.space
    kernel.weigh(one)
    kernel.hold([one, 0])
    kernel.moments([0], table)
    const column = stamps.data.columns[0]!
    const mean = column.reduce((sum, value) => sum + (value - 1.7e9), 0) / 333
    const square = column.reduce((sum, value) => sum + (value - 1.7e9 - mean) ** 2, 0)
    expect(Math.abs(table[SHIFT]! - 1.7e9 - mean)).toBeLessThan(Math.sqrt(square / 333))
    expect((table[SQUARE]! - table[FIRST]! ** 2 / 333) / square).toBeCloseTo(1, 12)
    expect(table[FIRST + 1]! / table[SQUARE]!).toBeCloseTo(1, 12)
  })

  it("have to be a terminal", () => {
    expect(() => kernel.weigh(product)).toThrow("there is no terminal")
  })
})
