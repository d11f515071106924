import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { bind } from "../../../../src/evidence/likelihood/bound.ts"
import * as Relaxed from "../../../../src/evidence/likelihood/relaxed.ts"
import { dataOf, shipped } from "../../../support/densities.ts"

// The evidence node of relaxed trees: its derivative against central differences.

const rows = 30

describe("the evidence node of the likelihood", () => {
  it.each(shipped.map((one) => [one.density.name, one] as const))(
    "%s has the derivative of its evidence, collinear columns or not",
    (_, one) => {
      const data = dataOf(one, rows)
      const relaxed = Relaxed.make((given) => bind(one.density, given, 3, 1e-7), 2)
      const node = Effect.runSync(relaxed.bind(data, 2))
      const [a, b] = data.columns
      const near = a!.map((value, i) => value * b![i]! + 0.1 * value)
      const first = [near, b!.map(Math.sin)].map((column) => column.map(Math.fround))
      const twice = [near, near].map((column) => column.map(Math.fround))
      const design = Float32Array.from([...first, ...twice].flatMap((column) => [...column]))
      const adjoint = new Float32Array(design.length)
      const found = Float64Array.from(node.evidence(design, adjoint))
      expect(found[0]).toBeCloseTo(node.exact(first), 6)
      expect(found[1]).toBeCloseTo(node.exact(twice), 6)
      const most = adjoint.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0)
      for (const [s, columns] of [first, twice].entries())
        for (const k of [0, 1])
          for (const i of [0, 7, 29]) {
            const at = (by: number) =>
              node.exact(columns.map((column, m) => (m === k ? column.with(i, column[i]! + by) : column)))
            const expected = (at(1e-5) - at(-1e-5)) / 2e-5
            expect(Math.abs(adjoint[(s * 2 + k) * rows + i]! - expected)).toBeLessThan(1e-3 * most)
          }
    },
  )

  it("has no evidence where a column is not finite", () => {
    const one = shipped[0]!
    const relaxed = Relaxed.make((given) => bind(one.density, given, 3, 1e-7), 1)
    const node = Effect.runSync(relaxed.bind(dataOf(one, rows), 1))
    expect(node.evidence(new Float32Array(rows).fill(Infinity))[0]).toBeNaN()
  })
})
