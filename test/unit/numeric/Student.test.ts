import { expect, it } from "vitest"
import * as Student from "../../../src/numeric/Student.ts"

// Closed forms for one, two and four degrees of freedom.
const cauchy = (p: number): number => Math.tan(Math.PI * (p - 0.5))
const two = (p: number): number => (2 * p - 1) / Math.sqrt(2 * p * (1 - p))
it.each([
  [0.975, 4, 2.7764451051977987],
  [0.95, 1, cauchy(0.95)],
  [0.01, 1, cauchy(0.01)],
  [0.05, 2, two(0.05)],
  [0.999, 2, two(0.999)],
  [0.5, 3, 0],
])("has the quantile of %d with %d degrees of freedom", (p, degrees, value) => {
  expect(Student.quantile(p, degrees)).toBeCloseTo(value, 10)
})

it.each([1, 2.5, 8, 200])("has a distribution function that its quantile undoes: %d", (degrees) => {
  for (const p of [1e-6, 0.01, 0.3, 0.9, 0.9999])
    expect(Student.cdf(Student.quantile(p, degrees), degrees) / p).toBeCloseTo(1, 9)
})

it.each([1, 2.5, 8, 200])("has the density that is the slope of its distribution function: %d", (degrees) => {
  const h = 1e-3
  for (const t of [-3, -0.4, 0, 1.7, 6])
    expect(Math.exp(Student.logDensity(t, degrees))).toBeCloseTo(
      (Student.cdf(t + h, degrees) - Student.cdf(t - h, degrees)) / (2 * h),
      5,
    )
})
