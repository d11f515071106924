import { describe, expect, it } from "vitest"
import { logCancellation } from "../../../src/evidence/cancellation.ts"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import { model, sample, scorer } from "../../support/laws.ts"

describe("the log prior of coefficients whose terms cancel", () => {
  it("is 0 up to a factor of ten, and falls by as much as terms are larger", () => {
    expect(logCancellation([1, 3], 1)).toBeCloseTo(0, 15)
    expect(logCancellation([9, 8.9], 1)).toBeCloseTo(0, 15)
    expect(logCancellation([1e4, 1e4], 1)).toBeCloseTo(-Math.log(1e3), 12)
    expect(logCancellation([1e-6, 1e-6], 1e-10)).toBeCloseTo(-Math.log(1e3), 12)
  })

  it("is 0 without terms, and of a sum that is nothing", () => {
    expect(logCancellation([], 0)).toBeCloseTo(0, 15)
    expect(logCancellation([1, 1], 0)).toBe(0)
  })

  // On a from 20 to 30 the exponential is 1 + 1 / a^2 + 1 / (2 a^4) to seven digits.
  const far = (noise: number) => {
    const { columns, y, ...data } = sample((a) => 7 / (20 + a) ** 4, { noise })
    return { ...data, columns: columns.map((column, j) => (j === 0 ? column.map((a) => a + 20) : column)), y }
  }

  it("makes a power that is written by an expansion the less likely", () => {
    const of = scorer(far(0.02))
    const [plain, expanded] = [
      model(of, "identity", "1/(a^2)^2"),
      model(of, "identity", "exp(1/a^2)", "1/a^2"),
    ]
    expect(expanded.rmseTrain).toBeCloseTo(plain.rmseTrain, 8)
    expect(expanded.logEvidence).toBeLessThan(plain.logEvidence - 3)
    // With exact ratios nothing cancels by chance; these have a prior of their own.
    const exact = [plain, expanded].map((one) => one.exact!(Constants.defaults)!)
    expect(exact[1]!.logEvidence).toBeLessThan(exact[0]!.logEvidence + 1.5)
    expect(exact[1]!.lmpse).toBeLessThan(exact[0]!.lmpse - 3)
  })
})
