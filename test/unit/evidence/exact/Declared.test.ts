import { expect, it } from "vitest"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import { hypothesis } from "../../../../src/evidence/exact/Declared.ts"

const constants = Constants.make({ exact: 0.4, zero: 0.6, factorless: 0.6 })
const prior = Constants.ofLaw(constants, 1, false)
const table = Constants.tableOf(constants)
const mass = (...coefficients: ReadonlyArray<number | "free">) =>
  hypothesis(coefficients, prior, table, { logarithmic: false, linear: true }).logMass

it("has the prior mass of the intercept, which is tied to no term, of free coefficients and of exact numbers", () => {
  expect(mass(0, "free")).toBeCloseTo(Math.log(0.6 * 0.6), 12)
  expect(mass("free", "free")).toBeCloseTo(Math.log(0.4 * 0.76 * 0.6 * 0.6), 12)
  const [half] = table.near(0.5, 1e-12, 1)
  expect(mass(0, 0.5)).toBeCloseTo(Math.log(0.6 * 0.4) + half!.logMass, 12)
  expect(mass(0.5, "free")).toBeCloseTo(Math.log(0.4 * 0.76 * 0.4 * 0.6) + half!.logMass, 12)
})

it("takes a factor of ten for each digit of a number that the prior does not have", () => {
  expect(mass(0, -9.81)).toBeCloseTo(Math.log(0.6 * 0.4 * 0.5e-3), 12)
  expect(mass(0, 6.674e-11)).toBeCloseTo(Math.log(0.6 * 0.4 * 0.5e-4), 12)
})

it("is the logarithm of a factor under a logarithmic link", () => {
  const { states, logMass } = hypothesis([Math.log(2), 3], prior, table, { logarithmic: true, linear: false })
  expect(states[0]).toMatchObject({ _tag: "Fixed", value: Math.log(2), exact: { p: 2, q: 1 } })
  expect(logMass).toBeGreaterThan(mass(Math.LN2, 3))
})
