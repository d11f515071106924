import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as NumberText from "../../../src/report/NumberText.ts"

const one = (value: number, error: number, effect = 1 / error) => ({ value, error, effect })

describe("numbers of a law", () => {
  it.each([
    [238.94212, 2.7123, "238.9 ± 2.7"],
    [0.0005501564, 0.0000072, "0.0005502 ± 0.0000072"],
    [0.001501564, 0.0000072, "0.0015016 ± 0.0000072"],
    [6.674741e-11, 3.8e-14, "(6.6747 ± 0.0038)e-11"],
    [1.0873e30, 2.1e28, "(1.087 ± 0.021)e30"],
    [36.8, 220, "40 ± 220"],
    [1800.4, 96, "1800 ± 96"],
    [153886, 39770, "154000 ± 40000"],
    [0.3, 1.2, "0.3 ± 1.2"],
    [2.123456789012, 3e-11, "2.123456789012 ± 3e-11"],
    [0.31, Infinity, "0.31 (not determined)"],
  ])("%d, known to %d, is %s", (value, error, text) => {
    expect(NumberText.withError(one(value, error))).toBe(text)
  })

  it("have three digits at least in the law, and those that the data determine", () => {
    const law = Term.add(Term.mul(2.123456789, Term.variable("x")), 0.4567891234)
    const text = (a: number, b: number) =>
      NumberText.law(law, [one(2.123456789, 1, a), one(0.4567891234, 1, b)])
    expect(text(1, 1)).toBe("2.12*x + 0.457")
    expect(text(1e5, 10)).toBe("2.1234568*x + 0.457")
    expect(text(1e15, 1e15)).toBe("2.123456789*x + 0.4567891234")
    // Numbers that are not fitted are written in full.
    expect(NumberText.law(law, [])).toBe("2.123456789*x + 0.4567891234")
  })
})
