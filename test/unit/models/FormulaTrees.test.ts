import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Data from "../../../src/data/Data.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as FormulaTrees from "../../../src/models/FormulaTrees.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"

const source = Rng.generator(Rng.key(3))
const X = Array.from({ length: 80 }, () => [1 + 4 * source.next(), 3 * source.next()] as const)
const y = X.map(([x, t]) => 2 * Math.exp(0.4 * x) * Math.sin(1.3 * t + 0.4) + t + 0.1 * source.normal())
const law = "a*exp(b*x0)*sin(c*x1 + d) + x1"

describe("FormulaTrees.of", () => {
  it.effect("has the terms of a formula with their numbers fitted, under each of its links", () =>
    Effect.gen(function* () {
      const data = yield* Data.fromRows({ X, y })
      const grammar = Law.grammar(data.features)
      const begun = yield* FormulaTrees.of(law, data, grammar, Link.shipped)
      expect(begun.map(({ link }) => link)).toEqual([0])
      const texts = begun[0]!.trees.map((tree) => infix(Tree.toNamedTerm(grammar, tree), { precision: 1 }))
      expect(texts).toEqual(["exp(0.4*x0)*sin(1*x1 + 0.4)", "x1"])
      expect(yield* FormulaTrees.of(`y = ${law}`, data, grammar, Link.shipped)).toEqual(begun)
      const other = yield* FormulaTrees.of("exp(a*x0 + b)", data, grammar, Link.shipped)
      expect(other.map(({ link }) => Link.shipped[link]!.name)).toEqual(["identity", "log"])
    }),
  )

  it.effect.each([
    [
      "a*exp(b*x0",
      'the search cannot start from a*exp(b*x0: expected ")" (exp takes one argument) at column 11',
    ],
    ["a*tanh(b*x0)", "the search cannot start from a*tanh(b*x0): the grammar has no tree for tanh("],
    ["log(x0 - 100)", "the search cannot start from log(x0 - 100): it has no finite value on every row"],
  ] as const)("refuses %s and says why", ([text, message]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Law.fit({ X, y }, { start: text, workers: 1 }))
      expect(failure.message.slice(0, message.length)).toBe(message)
    }),
  )
})

describe("Law.fit with a start", () => {
  it.effect("keeps a law that it would not have found with this effort", () =>
    Effect.gen(function* () {
      const options = { effort: 60_000, workers: 1 }
      const without = yield* Law.fit({ X, y }, options)
      const begun = yield* Law.fit({ X, y }, { ...options, start: law })
      expect(begun.best.lmpse).toBeGreaterThan(without.best.lmpse + 20)
      expect(begun.best.rmseTrain).toBeLessThan(0.12)
    }),
  )
})
