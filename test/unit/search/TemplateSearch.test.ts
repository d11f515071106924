import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Output from "../../../src/evidence/Output.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as Law from "../../../src/models/law.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Template from "../../../src/prob/Template.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as HoleLibrary from "../../../src/search/HoleLibrary.ts"
import * as TemplateSearch from "../../../src/search/TemplateSearch.ts"
import * as AlgorithmLaws from "../../../src/testing/algorithmLaws.ts"

const template = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ u: f({ t }), v: D("f", "t")({ t }) }))

const algorithm = Effect.gen(function* () {
  const random = Rng.generator(Rng.key(2))
  const X = Array.from({ length: 40 }, () => [3 * random.next()] as const)
  const data = yield* Effect.forEach(["u", "v"], (target) =>
    Data.fromRows({
      X,
      y: X.map(([t]) => (target === "u" ? t * t : 2 * t) + 0.05 * random.normal()),
      features: ["t"],
      target,
    }),
  )
  const outputs = yield* Effect.forEach(data, (one) =>
    Output.make(one, { error: undefined, weights: undefined }),
  )
  const plan = yield* Plan.declared(
    Law.model(LawGrammar.make(["t"], { operators: ["mul", "square"] }), {
      trees: 2,
      depth: 2,
      links: [Link.identity],
      noise: Noise.named("additive"),
    }),
  )
  const library = yield* HoleLibrary.make(template, "f", plan, data[0]!)
  return TemplateSearch.make(template, outputs, [library], { trees: 2, allows: () => true })
})

it("keeps the laws of an algorithm", async () => {
  const search = await Effect.runPromise(algorithm)
  const broken = AlgorithmLaws.laws(search, { steps: 60, splits: [1, 5, 20] }).filter(({ holds }) => !holds)
  expect(broken).toEqual([])
})

it("ends when restarts from other expressions end at the best law", async () => {
  const search = await Effect.runPromise(algorithm)
  let state = search.init(Rng.key(0))
  let ended = false
  for (let step = 0; step < 2000 && !ended; step++) {
    const [next, { converged }] = search.step(state)
    state = next
    ended = converged
    // What is not tried is not said to be.
    const { reach } = search.posterior(state)
    if (state.ends.length === 0 && step < 2) expect(reach.exhausted).toBe(0)
  }
  const { entries, reach } = search.posterior(state)
  expect(reach.agreeing).toBe(2)
  expect(reach.exhausted).toBeGreaterThan(2)
  expect(entries.map(({ score }) => score)).toEqual(
    entries.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  expect(entries[0]!.score).toBeCloseTo(entries[0]!.logEvidence + entries[0]!.logPrior, 9)
})
