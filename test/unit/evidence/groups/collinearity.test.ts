import { describe, expect, it } from "vitest"
import * as Collinearity from "../../../../src/evidence/groups/collinearity.ts"
import * as Hierarchy from "../../../../src/evidence/groups/Hierarchy.ts"
import * as Role from "../../../../src/evidence/groups/Role.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"

const t = Float64Array.from({ length: 9 }, (_, i) => i / 2)
const ones = new Float64Array(9).fill(1)

/** The derivatives of A exp(-k (t + b)) by A, k and b at the groups' values of k. */
const shifted = (rates: ReadonlyArray<number>): Hierarchy.Linearised => {
  const size = 1.7
  const parts = rates.map((k): Hierarchy.Part => {
    const falling = t.map((value) => Math.exp(-k * value))
    const columns = [falling, falling.map((e, i) => -size * t[i]! * e), falling.map((e) => -size * k * e)]
    return { columns, ones, z: t, y: t }
  })
  return Hierarchy.linearised(GPrior.target(t, { a: 3, resolution: 1e-7 }), parts)
}

describe("collinearity", () => {
  it("is that of a shift that free factors of the groups make up for", () => {
    const law = shifted([0.7, 1.1, 0.9])
    const [shift] = Collinearity.ofShared(law, [Role.varies, Role.varies, Role.shared])
    expect(shift).toBeLessThan(1e-8)
  })

  it("is not that of a shift beside one factor for all groups, whose rates differ", () => {
    const [factor, shift] = Collinearity.ofShared(shifted([0.7, 1.1, 0.9]), [
      Role.shared,
      Role.varies,
      Role.shared,
    ])
    expect(factor).toBeGreaterThan(0.05)
    expect(shift).toBeGreaterThan(0.05)
    const equal = Collinearity.ofShared(shifted([0.8, 0.8, 0.8]), [Role.shared, Role.varies, Role.shared])
    for (const share of equal) expect(share).toBeLessThan(1e-8)
  })
})
