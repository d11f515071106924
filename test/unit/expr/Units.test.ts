import { describe, expect, it } from "vitest"
import * as Units from "../../../src/expr/Units.ts"

const N = { kg: 1, m: 1, s: -2 }

describe("a unit", () => {
  it.each([
    ["N", N, 1],
    ["kg m/s^2", N, 1],
    ["kg*m/s^2", N, 1],
    ["m s-2 kg", N, 1],
    ["kg·m⋅s⁻²", N, 1],
    ["mN", N, 1e-3],
    ["J/(mol K)", { kg: 1, m: 2, s: -2, mol: -1, K: -1 }, 1],
    ["V/m", { kg: 1, m: 1, s: -3, A: -1 }, 1],
    ["Ω", { kg: 1, m: 2, s: -3, A: -2 }, 1],
    ["µm", { m: 1 }, 1e-6],
    ["mL/min", { m: 3, s: -1 }, 1e-6 / 60],
    ["m^0.5", { m: 0.5 }, 1],
    ["1/s", { s: -1 }, 1],
    ["10^3 kg/m^3", { kg: 1, m: -3 }, 1000],
    ["kWh", { kg: 1, m: 2, s: -2 }, 3.6e6],
    ["%", {}, 0.01],
    ["rad", {}, 1],
    ["deg", {}, Math.PI / 180],
    ["1", {}, 1],
    ["-", {}, 1],
    ["", {}, 1],
  ] as const)("%s has base units and a factor", (text, powers, factor) => {
    const unit = Units.parse(text)
    expect(unit.powers).toEqual(powers)
    expect(Math.exp(unit.logFactor) / factor).toBeCloseTo(1, 9)
  })

  it.each([
    ["kilgram", 'there is no unit "kilgram"; did you mean "kilogram"?'],
    ["m/qq", 'there is no unit "qq"'],
    ["J/mol K", '"J/mol K" has two readings; write the divisor in brackets, as in "J/(mol K)"'],
    ["°C", 'the unit "degC" has another zero than K; convert the column to K, or leave its unit out'],
    ["m+s", '"m+s" is no unit: units are multiplied, divided, and raised to powers'],
    ["m^m", '"m^m" is no unit: units are multiplied, divided, and raised to powers'],
    ["m)", '"m)" is no unit; write it as in "kg m^2/s^2"'],
  ])("%s is refused", (text, message) => {
    expect(() => Units.parse(text)).toThrow(message)
  })

  it("is written in base units, which read the same", () => {
    expect(Units.format(Units.parse("N/mm"))).toBe("1000 kg s^-2")
    for (const text of ["J/(mol K)", "mm", "%", "1", "m^0.5", "cd sr/m^2", "USD/kg"]) {
      const unit = Units.parse(text)
      const again = Units.parse(Units.format(unit))
      expect(again.powers).toEqual(unit.powers)
      expect(again.logFactor).toBeCloseTo(unit.logFactor, 8)
    }
  })
})

describe("the units of columns", () => {
  it("leave it to the data whether numbers have units unless said otherwise", () => {
    expect(Units.of({ m: "kg" })).toEqual({ columns: { m: Units.parse("kg") }, numbers: "either" })
    expect(Units.of({}, { numbers: "dimensionless" }).numbers).toBe("dimensionless")
  })

  it("name the column of a wrong one", () => {
    expect(() => Units.of({ mass: "kilgram" })).toThrow('column "mass": there is no unit "kilgram"')
  })
})
