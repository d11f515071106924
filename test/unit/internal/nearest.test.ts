import { expect, it } from "vitest"
import { nearest } from "../../../src/internal/nearest.ts"

it("finds what was meant", () => {
  const names = ["period", "mass", "radius", "x1", "sin"]
  expect(nearest("perod", names)).toBe("period")
  expect(nearest("MASS", names)).toBe("mass")
  expect(nearest("msas", names)).toBe("mass")
  expect(nearest("sine", names)).toBe("sin")
  expect(nearest("radiusses", names)).toBe("radius")
})

it("does not take another word for a slip", () => {
  expect(nearest("x2", ["x1", "x3"])).toBeUndefined()
  expect(nearest("a", ["b"])).toBeUndefined()
  expect(nearest("temperature", ["mass", "radius"])).toBeUndefined()
})

it("takes the start of one name for it", () => {
  expect(nearest("temperature", ["Temperature (K)", "time"])).toBe("Temperature (K)")
  expect(nearest("mass", ["mass of the sun", "mass of the earth"])).toBeUndefined()
})
