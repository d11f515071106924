import { expect, it } from "vitest"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as NoiseText from "../../../src/report/NoiseText.ts"

const noise = (kind: string, rows = 0) => ({
  kind,
  form: Noise.additive,
  probability: 0.9,
  sigma: 0.0123456,
  wrongRows: Array.from({ length: rows }, (_, i) => ({
    row: i + 78,
    value: -9999,
    law: 4.2,
    sigmas: 12345.6,
    probability: 1,
  })),
  weights: () => undefined,
})

it.each([
  ["additive", "noise: additive, standard deviation 0.0123"],
  ["proportional", "noise: proportional to the law, 1.23 %"],
  ["none", "noise: none: the law is exact"],
  ["counting", "noise: counting, scale 0.0123"],
])("says what noise there is: %s", (kind, line) => {
  expect(NoiseText.lines(noise(kind), "F")).toEqual([line])
})

it("names wrong rows with value, law and distance, ten at most", () => {
  const [, first, ...others] = NoiseText.lines(noise("additive", 12), "F")
  expect(first).toBe("wrong: row 78 has -9999, where the law says 4.2 (12300 sigma)")
  expect(others).toHaveLength(10)
  expect(others.at(-1)).toBe("wrong: 2 more rows; --json lists them all")
})
