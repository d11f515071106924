import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import * as RelaxedGPrior from "../../../../src/evidence/likelihood/relaxedGPrior.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import { dataOf, shipped } from "../../../support/densities.ts"

// The evidence node of relaxed trees under the g-prior: its value against that of hard trees, its derivative against
// central differences.

const rows = 30
const prior = { a: 3, resolution: 1e-7 }
const data = dataOf(shipped[0]!, rows)
const [a, b] = data.columns as [Float64Array, Float64Array]
const single = (columns: ReadonlyArray<Float64Array>) => columns.map((column) => column.map(Math.fround))
const product = a.map((value, i) => value * b[i]!)
const designs = {
  "two columns": single([product.map((value, i) => value + 0.1 * a[i]!), b.map(Math.sin)]),
  "a column far from 0": single([product.map((value) => 100 + value), b]),
  "nearly equal columns": single([product, product.map((value, i) => value + 0.03 * a[i]!)]),
  "equal columns": single([product, product]),
  "a constant column": single([product, a.map(() => 7)]),
}
/** Columns whose difference is of the size that the fit leaves out in part: the rank is between 1 and 2. */
const edge = single([product, product.map((value, i) => value + 2e-4 * a[i]!)])
const nodeOf = (trees: number, samples = 1) =>
  Effect.runSync(RelaxedGPrior.make(prior, trees).bind(data, samples))

/** The evidence of hard trees. */
const hard = (columns: ReadonlyArray<Float64Array>): number => {
  const { rss, rank } = leastSquares([a.map(() => 1), ...columns], data.y)
  return GPrior.logEvidence({ ...GPrior.target(data.y, prior), rank: rank - 1, rss })
}

describe("the evidence node of the g-prior", () => {
  it.each(Object.entries(designs))("has the evidence of the hard trees of %s", (_, columns) => {
    expect(Math.abs(nodeOf(2).exact(columns) - hard(columns))).toBeLessThan(0.01)
  })

  it.each(Object.entries({ ...designs, "columns that are nearly dependent": edge }))(
    "has the derivative of its evidence at %s",
    (_, columns) => {
      const node = nodeOf(2, 2)
      const both = [...columns, ...designs["two columns"]].flatMap((column) => [...column])
      const adjoint = new Float32Array(both.length)
      const found = node.evidence(Float32Array.from(both), adjoint)
      expect(found[0]).toBeCloseTo(node.exact(columns), 9)
      expect(found[1]).toBeCloseTo(node.exact(designs["two columns"]), 9)
      const most = adjoint.subarray(0, 2 * rows).reduce((sum, value) => Math.max(sum, Math.abs(value)), 0)
      expect(most).toBeGreaterThan(0.1)
      for (const k of [0, 1])
        for (const i of [0, 7, 29]) {
          const at = (by: number) =>
            node.exact(columns.map((column, m) => (m === k ? column.with(i, column[i]! + by) : column)))
          // Of the fourth order: near equal columns the evidence bends within 1e-4 of their length.
          const by = 3e-5
          const expected = (8 * (at(by) - at(-by)) - at(2 * by) + at(-2 * by)) / (12 * by)
          expect(Math.abs(adjoint[k * rows + i]! - expected)).toBeLessThan(1e-3 * most)
        }
    },
  )

  it("rises with a column that comes nearer to the response, up to the resolution of the data", () => {
    const node = nodeOf(1)
    const evidence = [1, 0.1, 1e-2, 1e-3].map((by) => node.exact([data.y.map((y, i) => y + by * a[i]!)]))
    expect(evidence).toEqual(evidence.toSorted((one, other) => one - other))
    expect(node.exact([data.y])).toBeGreaterThan(evidence[3]!)
    expect(node.exact([data.y])).toBeLessThan(hard([data.y]) + 1)
  })

  it("is finite for a constant response and for more columns than rows, and NaN for columns that are not finite", () => {
    const flat = { ...data, y: data.y.map(() => 2) }
    const node = Effect.runSync(RelaxedGPrior.make(prior, 2).bind(flat, 1))
    const adjoint = new Float32Array(2 * rows)
    const found = node.evidence(Float32Array.from([...a, ...b]), adjoint)
    expect(Number.isFinite(found[0])).toBe(true)
    expect(adjoint.every(Number.isFinite)).toBe(true)
    const few = { ...data, columns: [], y: data.y.slice(0, 3), rows: 3 }
    const short = Effect.runSync(RelaxedGPrior.make(prior, 4).bind(few, 1))
    const slopes = new Float32Array(12)
    const design = Float32Array.from([...a.slice(0, 6), ...b.slice(0, 6)])
    expect(Number.isFinite(short.evidence(design, slopes)[0])).toBe(true)
    expect(slopes.every(Number.isFinite)).toBe(true)
    expect(nodeOf(1).evidence(new Float32Array(rows).fill(Infinity), slopes.subarray(0, 0))[0]).toBeNaN()
  })
})
