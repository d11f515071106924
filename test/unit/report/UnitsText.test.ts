import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as UnitsText from "../../../src/report/UnitsText.ts"

const units = Units.of({ E: "J", m: "kg", v: "m/s", h: "mm" })
const terms = (...texts: ReadonlyArray<string>) => texts.map((text) => Result.getOrThrow(parse(text)))

describe("the units of a law's coefficients", () => {
  it("are those of the target over those of the terms, the intercept first", () => {
    const model = {
      link: Link.identity,
      terms: terms("m*v^2", "h", "x", "1/(0.37 + m)"),
      coefficients: Float64Array.of(0, 0.5, 2, 3, 4),
    }
    expect(UnitsText.lines(model, "E", units)).toEqual([
      "coefficient  unit            of E",
      "          0  kg m^2 s^-2     1",
      "        0.5  1               m*v^2",
      "          2  1000 kg m s^-2  h",
      // A column without a unit may have any.
      "          3  -               x",
      // 0.37 is a fitted number, in kg.
      "          4  kg^2 m^2 s^-2   1/(0.37 + m)",
    ])
  })

  it("are no lines where none has a unit", () => {
    const model = { link: Link.log, terms: terms("log(x)"), coefficients: Float64Array.of(-1.6, 0.5) }
    expect(UnitsText.lines(model, "x", units)).toEqual([])
    const ratio = { link: Link.identity, terms: terms("m/m"), coefficients: Float64Array.of(0, 0.5) }
    expect(UnitsText.lines(ratio, "ratio", Units.of({ ratio: "1", m: "kg" }))).toEqual([])
  })

  it("follow the link", () => {
    const model = { link: Link.square, terms: terms("m"), coefficients: Float64Array.of(1, 2) }
    expect(UnitsText.lines(model, "E", units)).toEqual([
      "coefficient  unit           of E^2",
      "          1  kg^2 m^4 s^-4  1",
      "          2  kg m^4 s^-4    m",
    ])
  })
})
