import { describe, expect, it } from "vitest"
import { check } from "../../../scripts/check-math.mjs"

const messages = (source: string, file = "src/rank/One.ts") =>
  check({ [file]: source }).map(({ message }) => message)

describe("functions whose rounding is the engine's", () => {
  it.each([
    ["Math.log(x)", "has Math.log, whose rounding is the engine's: Real.log"],
    ["values.map(Math.exp)", "has Math.exp, whose rounding is the engine's: Real.exp"],
    ["Math[name](x)", "reads a name of Math that is not in the source"],
    ["const { sin } = Math", "takes Math apart"],
    ["x ** y", "has a power, whose rounding is the engine's: Real.pow"],
    ["10 ** k", "has a power, whose rounding is the engine's: Real.pow"],
    ["x **= 3", "has a power, whose rounding is the engine's: Real.pow"],
  ])("%s is refused", (source, message) => {
    expect(messages(source)).toEqual([message])
  })

  it("are not those that are exact, and those of the module itself", () => {
    expect(messages("Math.sqrt(x) + Math.abs(x) + Math.PI + Math.imul(a, b)")).toEqual([])
    expect(messages("x ** 2 + 2 ** k + 2 ** -52 + Real.log(x)")).toEqual([])
    expect(messages("x ** y", "src/numeric/Power.ts")).toEqual([])
    expect(messages('emit("Math.exp(x)")')).toEqual([])
  })
})
