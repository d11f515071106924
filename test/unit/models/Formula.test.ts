import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Data from "../../../src/data/Data.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as FittedLaw from "../../../src/evidence/fitted/FittedLaw.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Formula from "../../../src/models/Formula.ts"
import * as Law from "../../../src/models/law.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as ArchiveRanking from "../../../src/rank/ArchiveRanking.ts"
import * as Rng from "../../../src/random/Rng.ts"

const source = Rng.generator(Rng.key(3))
const X = Array.from({ length: 80 }, () => [1 + 4 * source.next(), 3 * source.next()] as const)
const table = (law: (x: number, t: number) => number) => ({
  X,
  y: X.map(([x, t]) => law(x, t) + 0.1 * source.normal()),
})
const product = table((x, t) => 2.3 * x * Math.sin(t))
const curve = table((x, t) => 2 * Math.exp(0.4 * x) + t)

/** Concentrations of indometacin in the plasma of one subject by hours (R, Indometh). */
const decay = {
  X: [0.25, 0.5, 0.75, 1, 1.25, 2, 3, 4, 5, 6, 8].map((time) => [time] as const),
  y: [1.5, 0.94, 0.78, 0.48, 0.37, 0.19, 0.12, 0.11, 0.08, 0.07, 0.05],
}

describe("Formula.score", () => {
  it.effect("has all terms of a formula where a free intercept could take the place of one", () =>
    Effect.gen(function* () {
      const { law, model } = yield* Formula.score("a*exp(-b*x0) + c*exp(-d*x0)", decay, {
        noise: Noise.named("additive"),
      })
      expect(model.constants).toEqual(["0", "free", "free"])
      // The numbers of R's nls(conc ~ SSbiexp(time, ...)).
      const known = [2.0293, 1.785, 0.1915, 0.16733]
      const found = [...law.values].toSorted((a, b) => a - b)
      const sorted = known.toSorted((a, b) => a - b)
      found.forEach((value, j) => expect(value).toBeCloseTo(sorted[j]!, 3))
      expect(model.rmseTrain).toBeCloseTo(0.0328, 3)
    }),
  )

  it.effect("has one score for two ways to write a function", () =>
    Effect.gen(function* () {
      const peak = {
        X: Array.from({ length: 40 }, (_, i) => [i / 4] as const),
        y: Array.from(
          { length: 40 },
          (_, i) => 3 * Math.exp(-(((i / 4 - 4) / 1.7) ** 2)) + 0.05 * Math.sin(9 * i),
        ),
      }
      const first = yield* Formula.score("a*exp(-(x0 - b)^2/c^2)", peak)
      const second = yield* Formula.score("a*exp(c*(x0 - b)^2)", peak)
      expect(first.model.lmpse).toBeCloseTo(second.model.lmpse, 6)
      expect(first.law.names).toEqual(["a", "b", "c"])
      expect(Math.abs(first.law.values[2]!)).toBeCloseTo(1.7, 1)
    }),
  )

  it.effect("has the score that the ranking of a search gives the same law", () =>
    Effect.gen(function* () {
      const train = yield* Data.fromRows(product)
      const plan = yield* Plan.declared(Law.programOf(train, {}))
      const { grammar } = plan.likelihood.forest
      const tree = yield* Effect.fromResult(
        Result.flatMap(parse("x0*sin(x1)"), (term) => Tree.fromTerm(grammar, term)),
      )
      const { ranking } = yield* ArchiveRanking.make(plan, { train })
      const archive = { scored: 1, ensembles: [{ link: 0, trees: [tree], score: 0, found: 1 }] }
      const [found] = (yield* ranking(archive)).models
      const { model } = yield* Formula.score("a*x0*sin(x1)", product)
      expect(found!.constants).toEqual(["0", "free"])
      expect(model.lmpse).toBeCloseTo(found!.lmpse, 9)
      expect(model.rmseLoo).toBeCloseTo(found!.rmseLoo, 9)
    }),
  )

  it.effect(
    "scores a law without an intercept where noise of logarithms, which it cannot have, explains the rows best",
    () =>
      Effect.gen(function* () {
        // Times of a viscometer (R, MASS: stormer): a plane through 0 is negative on a row, a plane with an intercept is not.
        const weight = [...Array(7).fill(20), ...Array(9).fill(50), ...Array(7).fill(100)]
        const viscosity = [
          14.7, 27.5, 42, 75.7, 89.7, 146.6, 158.3, 14.7, 27.5, 42, 75.7, 89.7, 146.6, 158.3, 161.1, 298.3,
          75.7, 89.7, 146.6, 158.3, 161.1, 298.3, 298.3,
        ]
        const time = [
          35.6, 54.3, 75.6, 121.2, 150.8, 229, 270, 17.6, 24.3, 31.4, 47.2, 58.3, 85.6, 101.1, 92.2, 187.2,
          24.6, 30, 41.7, 50.3, 45.1, 89, 86.5,
        ]
        const source = { columns: { viscosity, weight }, y: time }
        const open = yield* Formula.score("a*viscosity + b*weight + c", source)
        expect(open.model.noise?.kind).toBe("log")
        const closed = yield* Formula.score("a*viscosity + b*weight", source)
        expect(closed.model.noise?.kind).not.toBe("log")
        expect(closed.law.names).toEqual(["a", "b"])
        expect(closed.model.lmpse).toBeLessThan(open.model.lmpse)
        // The same law in other numbers.
        const again = yield* Formula.score("(a + b)*viscosity + a*weight", source)
        expect(again.model.lmpse).toBeCloseTo(closed.model.lmpse, 6)
      }),
  )

  it.effect("takes a law as it is printed, with the target before it, and no other name there", () =>
    Effect.gen(function* () {
      const plain = yield* Formula.score("a*x0*sin(x1)", product)
      const printed = yield* Formula.score("y = a*x0*sin(x1)", product)
      expect(printed).toMatchObject({ formula: plain.formula, terms: plain.terms })
      expect(printed.model.lmpse).toBe(plain.model.lmpse)
      const other = yield* Effect.flip(Formula.score("z = a*x0*sin(x1)", product))
      expect(other.message).toBe('"z =" stands before the formula, and the target is "y"; leave it out')
      const late = yield* Effect.flip(Formula.score("y = a*x0*sin(x1", product))
      expect(late.message).toContain("column 16")
    }),
  )

  it.effect("scores a quotient of polynomials with as many numbers as it has, as the form that it is", () =>
    Effect.gen(function* () {
      const x = X.map(([x]) => x)
      const source = {
        columns: { x },
        y: x.map(
          (x, i) => (1 + 0.2 * x + 0.7 * x ** 2) / (1 - 0.3 * x + 0.1 * x ** 2) + 0.01 * ((i % 7) - 3),
        ),
      }
      const quotient = yield* Formula.score("(a + b*x + c*x^2)/(1 + d*x + f*x^2)", source)
      expect(quotient.law.names).toEqual(["a", "b", "c", "d", "f"])
      expect(quotient.model.numbers.length).toBe(5)
      expect(quotient.model.known).toContain("Rational function, quadratic over quadratic")
      const other = yield* Formula.score("a + b*(x + c)/(1 + d*x + f*x^2)", source)
      expect(other.model.lmpse).toBeCloseTo(quotient.model.lmpse, 1)
    }),
  )

  it.effect("fits free numbers, and takes written ones as they are", () =>
    Effect.gen(function* () {
      const free = yield* Formula.score("a*exp(b*x0) + c*x1", curve)
      const [a, b, c] = free.law.values
      const errors = FittedLaw.errors(free.law)
      expect(Math.abs(a! - 2)).toBeLessThan(4 * errors[0]!)
      expect(Math.abs(b! - 0.4)).toBeLessThan(4 * errors[1]!)
      expect(Math.abs(c! - 1)).toBeLessThan(4 * errors[2]!)
      expect(free.law.sigma).toBeCloseTo(0.1, 1)
      expect(free.added).toEqual([])
      const written = yield* Formula.score("2*exp(0.4*x0) + x1", curve)
      expect(written.law.names).toEqual([])
      expect(written.added).toEqual([])
      expect(written.model.hypothesis!.exactInside).toBe(1)
      const { added } = yield* Formula.score("2*exp(0.4*x0) + x1", curve, { fitted: "none" })
      expect(added).toEqual(["the number 0.4"])
      expect(infix(written.model.expression)).toBe("x1 + 2*exp(0.4*x0)")
      // Right numbers are a sharper prediction; wrong ones are refuted.
      expect(written.model.logEvidence).toBeGreaterThan(free.model.logEvidence)
      const wrong = yield* Formula.score("2*exp(0.5*x0) + x1", curve)
      expect(wrong.model.lmpse).toBeLessThan(free.model.lmpse - 50)
    }),
  )

  it.effect("does not pay for a number that others make up for", () =>
    Effect.gen(function* () {
      const scores = yield* Effect.forEach(["(a*x0 + b)^2", "c*(x0 + d)^2"], (text) =>
        Formula.score(text, curve),
      )
      const [square, shifted] = scores.map(({ model }) => model.logEvidence)
      // The intercept that the second has not is known less well for the number inside, which makes up for it.
      expect(Math.abs(square! - shifted!)).toBeLessThan(5)
    }),
  )

  it.effect("has a number that it writes inside of a term as the table of a search has it", () =>
    Effect.gen(function* () {
      const X = Array.from({ length: 60 }, (_, i) => [0.2 + i / 12])
      const y = X.map(([t = 0], i) => 1 / (Math.exp(t / 3) + 0.45) + 0.002 * Math.sin(11 * i))
      const [written, decimal] = yield* Effect.forEach(
        ["1/(exp(x0/3) + 0.45)", "1/(exp(0.34*x0) + 0.45)"],
        (text) => Formula.score(text, { X, y }),
      )
      // The number is a fitted constant that is exact: a grammar with 0.333... among its constants would be another one.
      expect(written!.added).toEqual([])
      expect(written!.model.inside).toBe(1)
      expect(infix(written!.model.expression)).toBe("1/(exp(x0/3) + 0.45)")
      expect(written!.model.hypothesis!.exactInside).toBe(1)
      // A decimal costs a factor of ten for each of its digits, and is no estimate: it stays what it is.
      expect(infix(decimal!.model.expression)).toBe("1/(exp(0.34*x0) + 0.45)")
      expect(written!.model.logEvidence - decimal!.model.logEvidence).toBeGreaterThan(5)
    }),
  )

  it.effect("says where a wrong formula fails", () =>
    Effect.gen(function* () {
      const { model, mean, farthest, runs } = yield* Formula.score("a*x0*x1", product)
      expect(farthest).toHaveLength(5)
      expect(runs[0]!.column).toBe("x1")
      expect(runs[0]!.probability).toBeLessThan(1e-6)
      expect(model.lmpse).toBeGreaterThan(mean.lmpse)
    }),
  )

  it.effect("scores the mean as the mean", () =>
    Effect.gen(function* () {
      const { model, mean } = yield* Formula.score("a", product)
      expect(model.lmpse).toBeCloseTo(mean.lmpse, 9)
    }),
  )

  it.effect.each([
    ["a*x0*sin(x1", 'expected ")" (sin takes one argument) at column 12: "a*x0*sin(x1"'],
    [
      "a*sni(x0)",
      'expected an operator ("sni" is not a function; did you mean sin?) at column 6: "a*sni(x0)"',
    ],
    [
      "log(x0 - 10)",
      "the formula log(x0 - 10) has no finite value on every row; keep functions within their domains",
    ],
  ] as const)("refuses %s and says where and why", ([text, message]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Formula.score(text, product))
      expect(failure.message).toBe(message)
    }),
  )

  it.effect("asks whether a name that is nearly a column's is that", () =>
    Effect.gen(function* () {
      const data = { ...product, features: ["mass", "time"] as const }
      const failure = yield* Effect.flip(Formula.score("a*mas", data))
      expect(failure.message).toContain(
        'there is no column "mas" (at column 3 of the formula); did you mean "mass"?',
      )
    }),
  )
})
