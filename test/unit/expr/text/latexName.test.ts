import { expect, it } from "vitest"
import { latex } from "../../../../src/expr/text/latex.ts"
import { latexName } from "../../../../src/expr/text/latexName.ts"
import * as Term from "../../../../src/expr/Term.ts"

it.each([
  ["x0", "x_{0}"],
  ["theta_max", "\\theta_{\\mathrm{max}}"],
  ["mass (kg)", "\\text{mass (kg)}"],
  ["2", "\\text{\u201c2\u201d}"],
  ["2_b", "\\text{\u201c2\\_b\u201d}"],
  ["1e5", "\\text{\u201c1e5\u201d}"],
])("%s is %s", (name, text) => expect(latexName(name)).toBe(text))

it("a column called 2 is not the number 2", () => {
  const sum = (a: Term.Term): string => latex(Term.add(a, Term.variable("x")))
  expect(sum(Term.variable("2"))).not.toBe(sum(Term.constant(2)))
})
