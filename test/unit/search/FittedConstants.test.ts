import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"

const grammar = Grammar.make({
  features: ["a"],
  operators: [Operator.add, Operator.mul],
  constants: { c: Constant.fitted(Dist.normal(0, 1)) },
})
const X = [1, 2, 4, 7, 11].map((a) => [a])

it("numbers that a restart begins with keep their places and columns, and others give theirs back", () => {
  const data = Effect.runSync(Data.fromRows({ X, y: [1, 3, 2, 5, 4], features: ["a"] }))
  const weights = { depth: 3, split: { alpha: 0.95, delta: 1 }, operators: [-1, -1], terminals: [-1, -1] }
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(1)))
  const { numbers, dag, kernel } = space
  const [first, second] = [numbers.node(1, 0.5), numbers.node(1, -2)]
  const scaled = dag.apply(1, first, 0)
  const mark = dag.size()
  const later = numbers.node(1, 9)
  dag.apply(1, later, 0)
  SearchSpace.forget(space, mark, 2)
  expect([numbers.node(1, 0.5), numbers.node(1, -2)]).toEqual([first, second])
  expect(dag.apply(1, first, 0)).toBe(scaled)
  expect([...kernel.column(scaled)]).toEqual(X.map(([a]) => 0.5 * a!))
  // The place of the forgotten number is the next to be given.
  expect(numbers.node(1, 3)).toBe(later)
  expect([...kernel.column(dag.apply(1, later, 0))]).toEqual(X.map(([a]) => 3 * a!))
})
