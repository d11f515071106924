import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as PowerProduct from "../../../src/search/PowerProduct.ts"
import * as LocalSearch from "../../support/localSearch.ts"
import * as Spaces from "../../support/spaces.ts"
import * as Rng from "../../../src/random/Rng.ts"

const spaces = Spaces.make(([a, b]) => a! * b!, { depth: 8 })
const { bench } = LocalSearch.make(
  spaces.space,
  {
    most: 2,
    links: [0],
    weigh: () => undefined,
    weights: () => undefined,
    bound: () => undefined,
    evidence: (_, __, rss) => -rss,
    prior: () => 0,
  },
  Rng.generator(Rng.key(1)),
  10,
)
const [a, b] = [Spaces.column(spaces, 0), Spaces.column(spaces, 1)]
const whole = fc.integer({ min: -6, max: 6 })

describe("a product of powers", () => {
  it("has its values as a node, and multiplies other nodes", () => {
    fc.assert(
      fc.property(whole, whole, (p, q) => {
        const product = PowerProduct.of(bench, [0, 1], Float64Array.of(p, q))!
        const values = a.map((value, i) => value ** p * b[i]! ** q)
        const node = PowerProduct.node(bench, product)
        const close = (id: number, to: Float64Array): void =>
          Spaces.column(spaces, id).forEach((value, i) => expect(value / to[i]!).toBeCloseTo(1, 10))
        if (p === 0 && q === 0) expect(node).toBe(-1)
        else close(node, values)
        const sum = bench.apply("add", 0, 1)
        close(
          PowerProduct.times(bench, product, sum),
          values.map((value, i) => value * (a[i]! + b[i]!)),
        )
      }),
      { numRuns: 60 },
    )
  })

  it("is none where the grammar has no root, or a power is no multiple of 1/2", () => {
    expect(PowerProduct.of(bench, [0, 1], Float64Array.of(0.5, 1))).toBeUndefined()
    expect(PowerProduct.of(bench, [0, 1], Float64Array.of(0.25, 1))).toBeUndefined()
  })
})
