import { expect, it } from "vitest"
import * as Result from "effect/Result"
import { infix } from "../../../src/expr/text/infix.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Inclusion from "../../../src/rank/Inclusion.ts"
import { paretoFront } from "../../../src/rank/paretoFront.ts"
import { equality } from "../../../src/rank/equality.ts"

const term = (text: string) => Result.getOrThrow(parse(text))
const law = (text: string, posterior: number) => ({ expressions: [term(text)], posterior })

it("adds the probabilities of the laws that have a column, an operation or a part, once for each law", () => {
  const { columns, operations, subterms } = Inclusion.make(
    [law("2.1*x*sin(x) + x", 0.6), law("sin(1.3*x)*z", 0.3), law("7.5*x*sin(x)", 0.1)],
    ["x", "y", "z"],
  )
  expect(columns.map(({ part, probability }) => [part, Number(probability.toFixed(9))])).toEqual([
    ["x", 1],
    ["z", 0.3],
    ["y", 0],
  ])
  const of = (name: string) => operations.find(({ part }) => part === name)?.probability
  expect(of("sin")).toBeCloseTo(1, 12)
  expect(of("add")).toBeCloseTo(0.6, 12)
  // 2.1*x*sin(x) and 7.5*x*sin(x) are one part whatever the number.
  const product = subterms.find(({ part }) => infix(part) === "2.1*x*sin(x)")
  expect(product?.probability).toBeCloseTo(0.7, 12)
  expect(subterms.some(({ part }) => infix(part) === "x" || infix(part) === "2.1")).toBe(false)
})

it("has the laws that no law as simple beats, the simplest first", () => {
  const laws = [
    { complexity: 5, logEvidence: 10 },
    { complexity: 3, logEvidence: 10 },
    { complexity: 0, logEvidence: -5 },
    { complexity: 3, logEvidence: 7 },
    { complexity: 9, logEvidence: 10.5 },
  ]
  expect(paretoFront(laws)).toEqual([laws[2], laws[1], laws[4]])
  expect(paretoFront([])).toEqual([])
})

it("proves laws equal by their normal form, and says how others are", () => {
  expect(equality(term("x*y/2"), term("y*x/2"))).toBe("normal form")
  expect(equality(term("2.0000000000001*x"), term("2*x"))).toBe("normal form")
  expect(equality(term("2.001*x"), term("2*x"))).toBe("form")
  expect(equality(term("sin(x)^2 + cos(x)^2"), term("1"))).toBe("rows")
})
