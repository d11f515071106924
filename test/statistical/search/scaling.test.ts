import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Moves from "../../../src/search/Moves.ts"

// Laws of four to seven variables, without noise, by the same number of ensembles with the move and without it. Fixed seeds.

interface Case {
  readonly name: string
  readonly features: number
  readonly law: (x: ReadonlyArray<number>) => number
}

const cases: ReadonlyArray<Case> = [
  {
    name: "a mean energy of an oscillator",
    features: 4,
    law: ([f, g, k, T]) => (f! * g!) / (Math.exp((f! * g!) / (k! * T!)) - 1),
  },
  {
    name: "an inverse square in the plane",
    features: 7,
    law: ([A, m, M, a, b, c, d]) => (A! * m! * M!) / ((a! - b!) ** 2 + (c! - d!) ** 2),
  },
]

const found = ({ features, law }: Case, moves: typeof Moves.all) =>
  Effect.gen(function* () {
    const draws = Rng.generator(Rng.key(3))
    const X = Array.from({ length: 300 }, () =>
      Array.from({ length: features }, (_, j) => 1 + 2 * draws.next() + (j === 4 || j === 6 ? 3 : 0)),
    )
    const y = X.map((row) => law(row))
    const names = X[0]!.map((_, j) => `x${j}`)
    const fit = yield* Law.fit(
      { X, y, features: names },
      {
        operators: ["add", "sub", "mul", "div", "square", "exp"],
        constants: [1],
        fitted: "none",
        links: [Link.identity, Link.inverse],
        effort: 90_000,
        search: { library: 2000, moves },
      },
    ).pipe(Effect.provideService(Fit.Seed, 1))
    const predict = scalarFunction(fit.best.expression, names)
    return X.every((row, i) => Math.abs(predict(row) / y[i]! - 1) < 1e-6)
  })

describe("a law that is a product of powers times a function of few variables", () => {
  it.live.each(cases.map((one) => [one.name, one] as const))(
    "is found by what the logarithm shows, and not without: %s",
    ([, one]) =>
      Effect.gen(function* () {
        expect(yield* found(one, Moves.all)).toBe(true)
        expect(yield* found(one, Moves.without("scaling"))).toBe(false)
      }),
    120_000,
  )
})
