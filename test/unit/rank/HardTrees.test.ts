import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as HardTrees from "../../../src/rank/HardTrees.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import { laws } from "../../../src/testing/algorithmLaws.ts"

const X = Array.from({ length: 30 }, (_, i) => [1 + (i % 8) / 4, 1 + (i % 7) / 3])
const y = X.map(([a = 0, b = 0]) => a * b)
const grammar = Grammar.make({ features: ["x0", "x1"], operators: [Operator.mul, Operator.sin] })

const { algorithm, scorer } = await Effect.runPromise(
  Effect.gen(function* () {
    const train = yield* Data.fromRows({ X, y })
    const plan = yield* Plan.declared(Vasst.model(grammar, 1, 2))
    const algorithm = yield* HardTrees.algorithm(plan, train, {
      init: () => ({ drawn: 0 }),
      step: ({ drawn }, key, { draw, score }) => {
        for (const part of Rng.split(key, 40)) score(draw(part))
        return [{ drawn: drawn + 40 }, { drawn }]
      },
    })
    return { algorithm, scorer: yield* Scorer.make(plan, { train }) }
  }),
)

it("keeps what was scored, once and best first, with the scorer's scores", () => {
  let state = algorithm.init(Rng.key(3))
  let objective = -Infinity
  for (let step = 0; step < 3; step++) {
    const [next, info] = algorithm.step(state)
    expect(info.drawn).toBe(40 * step)
    expect(info.objective).toBeGreaterThanOrEqual(objective)
    expect(info.scored).toBe(40 * (step + 1))
    state = next
    objective = info.objective
  }
  const { scored, ensembles } = algorithm.posterior(state).archive
  expect(scored).toBe(120)
  expect(ensembles.length).toBeLessThan(120)
  expect(ensembles[0]?.score).toBe(objective)
  const scores = ensembles.map(({ trees, link }) => scorer.score({ trees, link, key: "" })?.lmpse)
  expect(ensembles.map(({ score }) => score)).toEqual(scores)
  expect(scores).toEqual(scores.toSorted((a = 0, b = 0) => b - a))
})

it("keeps the laws of algorithms", () => {
  expect(laws(algorithm, { steps: 6 }).filter(({ holds }) => !holds)).toEqual([])
})
