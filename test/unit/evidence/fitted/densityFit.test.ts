// Fitted constants under general densities, against the midpoint rule over the constant.
import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../../src/data/Data.ts"
import * as Columns from "../../../../src/evidence/columns.ts"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Model from "../../../../src/prob/Model.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Prior from "../../../../src/prob/Prior.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { midpoints } from "../../../support/midpoints.ts"

const prior = Dist.normal(0, 10)
const grammar = Grammar.make({
  features: ["a"],
  operators: [Operator.mul, Operator.exp, Operator.sin],
  constants: { c: Constant.fitted(prior) },
})
/** exp(c a) */
const law = (c: number): ReadonlyArray<Tree.Tree> => [
  Tree.branch(1, [Tree.branch(0, [Tree.leaf(1, c), Tree.leaf(0)])]),
]
/** eta = intercept + slope exp(-0.8 a), on 80 rows of a in (0, 4) */
const rows = 80
const cases: ReadonlyArray<
  readonly [
    density: Likelihood.Density,
    intercept: number,
    slope: number,
    draw: (eta: number, random: Rng.Generator) => number,
  ]
> = [
  [Likelihood.normal(), 1, 3, (eta, random) => eta + 0.2 * random.normal()],
  [
    Likelihood.studentT(),
    1,
    3,
    (eta, random) => eta + (0.2 * random.normal()) / Math.sqrt(random.gamma(2.5) / 2.5),
  ],
  [Likelihood.logNormal(), 1, 3, (eta, random) => eta * Math.exp(0.1 * random.normal())],
  [
    Likelihood.poisson,
    1,
    3,
    (eta, random) => {
      let count = 0
      for (let t = -Math.log(random.next()); t < Math.exp(eta); t -= Math.log(random.next())) count++
      return count
    },
  ],
  [Likelihood.bernoulli, -2.5, 6, (eta, random) => (random.next() < 1 / (1 + Math.exp(-eta)) ? 1 : 0)],
]

const assessorOf = ([density, intercept, slope, draw]: (typeof cases)[number]) => {
  const random = Rng.generator(Rng.key(11))
  const a = Float64Array.from({ length: rows }, () => 4 * random.next())
  const y = a.map((value) => draw(intercept + slope * Math.exp(-0.8 * value), random))
  const data: Dataset = { features: ["a"], target: "y", columns: [a], y, rows }
  const model = Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(3, 1))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
    const split = Prior.depthDecay(0.95, 2)
    const forest = yield* Model.plate(
      "trees",
      1,
      Tree.prior({ grammar, depth: 3, split, operators, features }),
    )
    yield* Model.observe("y", Likelihood.linear(forest, density))
  })
  return Effect.runSync(
    Effect.gen(function* () {
      const plan = yield* Plan.declared(model)
      const likelihood = yield* Likelihood.of(plan.likelihood)
      return yield* likelihood.assessor(yield* Columns.make(grammar, data), data)
    }),
  )
}

describe("a fitted constant under a general density", () => {
  it.each(cases.map((one) => [one[0].name, one] as const))("%s has the integral's evidence", (_, one) => {
    const assessor = assessorOf(one)
    const logEvidence = (c: number): number => assessor.assess(0, law(c))?.logEvidence ?? -Infinity
    const [low, high, points] = [-4, 0.8, 300]
    const heights = midpoints([[low, high]], points).map(
      ([c = 0]) => logEvidence(c) + Dist.logDensity(prior, c),
    )
    const integral = logSumExp(heights) + Math.log((high - low) / points)
    for (const start of [-0.8, -0.5, -1.2]) {
      const fitted = assessor.fitConstants(0, law(start))!
      const found = logEvidence(fitted.numbers[0]!) + fitted.logVolume
      expect(Math.abs(found - integral)).toBeLessThan(0.06)
    }
  })
})
