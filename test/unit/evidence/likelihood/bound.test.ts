import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../../src/data/Data.ts"
import { bind } from "../../../../src/evidence/likelihood/bound.ts"
import type { Density } from "../../../../src/evidence/likelihood/Density.ts"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Laplace from "../../../../src/evidence/likelihood/Laplace.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { dataOf, shipped } from "../../../support/densities.ts"

// Densities meet data: units, columns that add nothing, and what is refused.

const [one] = shipped
const data = dataOf(one!, 60)
const evidence = (density: Density, given: Dataset, columns: ReadonlyArray<Float64Array>): number => {
  const { rows, prior } = Effect.runSync(bind(density, given, 3, 1e-7))
  return Laplace.evidence(rows, prior, columns)!.logEvidence
}
const [a, b] = data.columns
const product = a!.map((value, i) => value * b![i]!)

describe("the evidence", () => {
  it.each([1e-30, 1e30])("of y times %s is that of y times the Jacobian", (scale) => {
    const scaled = { ...data, y: data.y.map((value) => value * scale) }
    const by = data.rows * Math.log(scale)
    for (const density of [Likelihood.normal(), Likelihood.studentT(), Likelihood.logNormal()]) {
      const found = evidence(density, scaled, [product.map((value) => value * scale)])
      expect(found + by).toBeCloseTo(evidence(density, data, [product]), 4)
    }
  })

  it("does not change with columns that add nothing, or their order and units", () => {
    const density = Likelihood.studentT()
    const expected = evidence(density, data, [product, a!])
    const same = [a!.map((value) => 1e20 * value - 3e20), product, a!.map(() => 7)]
    expect(evidence(density, data, same)).toBeCloseTo(expected, 6)
  })

  it("of rows that stand for two is that of rows which are there twice, at the same null fit", () => {
    const weight = new Float64Array(data.rows).fill(2)
    const weighted = { ...data, features: ["weight"], columns: [weight] }
    const twice = { ...data, y: Float64Array.of(...data.y, ...data.y), rows: 2 * data.rows }
    const of = (density: Density, given: Dataset, x: Float64Array) => {
      const { rows, prior } = Effect.runSync(bind(density, given, 3, 0))
      return Laplace.evidence(rows, prior, [x])!.mode.value
    }
    const plain = of(Likelihood.normal(), twice, Float64Array.of(...product, ...product))
    const found = of(Likelihood.weighted(Likelihood.normal(), "weight"), weighted, product)
    expect(found).toBeCloseTo(plain, 1)
  })

  it("of an exact law is finite", () => {
    const exact = { ...data, y: product.map((value) => 1 + 2 * value) }
    expect(Number.isFinite(evidence(Likelihood.normal(), exact, [product]))).toBe(true)
  })

  it("of separated classes is finite", () => {
    const separated = { ...data, y: product.map((value) => (value > 1.5 ? 1 : 0)) }
    expect(Number.isFinite(evidence(Likelihood.bernoulli, separated, [product]))).toBe(true)
  })
})

describe("a likelihood refuses", () => {
  const complaint = (density: Density, given: Dataset): string =>
    Effect.runSync(Effect.flip(bind(density, given, 3, 0))).message
  it("data without a column that it names", () => {
    expect(complaint(Likelihood.normalError("sigma_y"), data)).toContain('reads the column "sigma_y"')
  })
  it("a response that it cannot have made, and names the row", () => {
    expect(
      complaint(Likelihood.poisson, { ...data, y: data.y.with(2, 0.5).map(Math.abs).fill(1, 0, 2) }),
    ).toContain("row 3 has 0.5")
  })
  it.each([
    [() => Likelihood.make("m", { support: "real", logDensity: ({ y }) => y }), "does not depend on eta"],
    [
      () =>
        Likelihood.make("m", {
          support: "real",
          logDensity: ({ y, eta }) => Term.mul(Term.sub(y, eta), Term.variable("dy")),
        }),
      'reads "dy", which is no parameter',
    ],
    [
      () =>
        Likelihood.make("m", {
          support: "real",
          nuisance: { eta: "positive" },
          logDensity: ({ y, eta }) => Term.sub(y, eta),
        }),
      'cannot have a nuisance parameter called "eta"',
    ],
  ])("a definition that cannot be: %#", (definition, message) => {
    expect(definition).toThrow(Likelihood.LikelihoodError)
    expect(definition).toThrow(message)
  })
})
