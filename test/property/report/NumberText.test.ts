import * as fc from "fast-check"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { rmse } from "../../../src/evidence/Law.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as FittedNumbers from "../../../src/rank/FittedNumbers.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as NumberText from "../../../src/report/NumberText.ts"
import { dataset } from "../../support/selected.ts"

const x = Term.variable("x")
/** Laws of three numbers, with strong correlations among them. */
const laws = [
  (a: number, b: number, c: number) => Term.add(Term.add(Term.mul(a, Term.square(x)), Term.mul(b, x)), c),
  (a: number, b: number, c: number) => Term.add(Term.mul(a, Term.exp(Term.mul(-b, x))), c),
  (a: number, b: number, c: number) => Term.div(Term.mul(a, x), Term.add(Term.pow(x, b), c)),
]

it("a printed law agrees with the data as the law does, whatever the noise", () => {
  const number = fc.double({ min: 0.1, max: 9, noNaN: true }).map((value) => value + 1e-7 * Math.PI)
  fc.assert(
    fc.property(
      fc.constantFrom(...laws),
      fc.tuple(number, number, number),
      fc.constantFrom(1e-12, 1e-6, 0.01, 1),
      fc.constantFrom(0, 1e4),
      fc.integer({ min: 0, max: 1000 }),
      (make, [a, b, c], noise, shift, seed) => {
        const random = Rng.generator(Rng.key(seed))
        const term = make(a, b, c)
        const column = Float64Array.from({ length: 40 }, () => shift + 1 + 2 * random.next())
        const evaluate = (law: Term.Term) => {
          const f = scalarFunction(law, ["x"])
          return column.map((value) => f([value]))
        }
        const exact = evaluate(term)
        const size = noise * Math.max(...exact.map(Math.abs))
        fc.pre(size > 0)
        const y = exact.map((value) => value + size * random.normal())
        const numbers = FittedNumbers.of(
          term,
          dataset({ x: column }, y),
          new Float64Array(40).fill(size),
          new Set(),
        )
        const printed = evaluate(Result.getOrThrow(parse(NumberText.law(term, numbers))))
        const own = rmse(y, exact)
        expect(rmse(y, printed)).toBeLessThan(1.1 * own)
        expect(rmse(exact, printed)).toBeLessThan(0.25 * own)
      },
    ),
    { numRuns: 200 },
  )
})
