// Constants that a law learns, under priors of several kinds, from the data to the ranked law.
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Link from "../../../src/prob/Link.ts"
import type * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"

const random = Rng.generator(Rng.key(12))
const X = Array.from({ length: 60 }, () => [0.5 + 5 * random.next()] as const)
const y = X.map(([a]) => 3 * Math.exp(-0.37 * a) + 1 + 0.01 * random.normal())

const valuesOf = (tree: Tree.Tree): ReadonlyArray<number> =>
  tree._tag === "Leaf" ? (tree.value === undefined ? [] : [tree.value]) : tree.children.flatMap(valuesOf)

const lawOf = async (fitted: Constant.Fitted) => {
  const { best, models } = await Effect.runPromise(
    Law.fit(
      { X, y, features: ["a"] },
      {
        operators: [Operator.mul, Operator.exp],
        constants: [],
        links: [Link.identity],
        depth: 3,
        trees: 1,
        fitted,
        search: { patience: 40, library: 500 },
      },
    ),
  )
  return {
    best: infix(best.expression, { precision: 2 }),
    all: models.flatMap(({ ensemble }) => ensemble.trees.flatMap(valuesOf)),
  }
}

it.each([
  ["Laplace", Constant.fitted(Dist.laplace(0, 1))],
  ["Student-t", Constant.fitted(Dist.studentT(3, 0, 1))],
  ["uniform, without 1", Constant.fitted(Dist.uniform(-0.9, -0.1))],
  ["a latent scale", Constant.hierarchical({ scale: Dist.logNormal(0, 1), given: (s) => Dist.normal(0, s) })],
] as const)("a rate is found under the prior: %s", async (_, fitted) => {
  const { best } = await lawOf(fitted)
  expect(best).toContain("exp(-0.37*a)")
})

it("no number lies outside of its prior's bounds", async () => {
  const { all } = await lawOf(Constant.fitted(Dist.uniform(-0.3, -0.05)))
  expect(all.length).toBeGreaterThan(0)
  for (const value of all) {
    expect(value).toBeGreaterThanOrEqual(-0.3)
    expect(value).toBeLessThanOrEqual(-0.05)
  }
})
