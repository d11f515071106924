import { describe, expect, it } from "vitest"
import { FAULTS, FIRST, SQUARE } from "../../../../src/search/kernel/Kernel.ts"
import * as Spaces from "../../../support/spaces.ts"

describe("weights of rows in the hard engine", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!, { rows: 333 })
  const { kernel } = spaces.space
  const product = Spaces.apply(spaces, "mul", 0, 1)
  const wave = Spaces.apply(spaces, "sin", Spaces.apply(spaces, "mul", 0, 0))
  const inner = (x: Float64Array, y: Float64Array): number => x.reduce((sum, v, i) => sum + v * y[i]!, 0)
  // The terminal b is the weight.
  const weighed = (id: number, weight: Float64Array): Float64Array =>
    Spaces.column(spaces, id).map((value, i) => value * weight[i]!)
  const table = new Float64Array(3 * (FIRST + 2))

  const check = (weight: Float64Array): void => {
    kernel.hold([product, 0])
    kernel.moments([wave, product, 1], table)
    ;[wave, product, 1].forEach((id, row) => {
      const at = row * (FIRST + 2)
      const t = weighed(id, weight)
      expect(table[at + FAULTS]).toBe(0)
      expect(table[at + SQUARE]! / inner(t, t)).toBeCloseTo(1, 5)
      ;[product, 0].forEach((other, j) => {
        const u = weighed(other, weight)
        const scale = Math.sqrt(inner(t, t) * inner(u, u))
        expect((table[at + FIRST + j]! - inner(t, u)) / scale).toBeCloseTo(0, 5)
      })
    })
  }

  it("multiply what is held and what has its moments taken", () => {
    const b = spaces.data.columns[1]!
    const ones = b.map(() => 1)
    check(ones)
    kernel.weigh(1)
    check(b)
    kernel.weigh(-1)
    check(ones)
  })

  it("do not change columns that are asked for", () => {
    kernel.weigh(1)
    const column = kernel.column(product)
    Spaces.column(spaces, product).forEach((value, i) => expect(column[i]! / value).toBeCloseTo(1, 6))
    check(spaces.data.columns[1]!)
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

  it("have to be a terminal", () => {
    expect(() => kernel.weigh(product)).toThrow("there is no terminal")
  })
})
