// A relaxed fit that learns a number inside of a term: y = 2 sin(1.7 x) and noise of 0.05, one tree of depth 2.
import * as Layer from "effect/Layer"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Dist from "../../src/prob/Dist.ts"
import type * as Grammar from "../../src/prob/Grammar.ts"
import * as Model from "../../src/prob/Model.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as Backend from "../../src/vi/Backend.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"
import { dataset } from "./selected.ts"

const generator = Rng.generator(Rng.key(4))
const x = Float64Array.from({ length: 60 }, () => -2 + 4 * generator.next())
export const data = dataset(
  { x },
  x.map((value) => 2 * Math.sin(1.7 * value) + 0.05 * generator.normal()),
)

/** The feature and the operators of its grammars, to which a constant c is added. */
export const symbols = { features: ["x"], operators: [Operator.mul, Operator.sin] } as const

export const modelOf = <const G extends Grammar.Grammar>(grammar: G) =>
  Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
    const split = Prior.depthDecay(0.95, 0.5)
    const forest = yield* Model.plate(
      "trees",
      1,
      Tree.prior({ grammar, depth: 2, split, operators, features, values: true }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 0.1 }))
  })

/** The services of a fit beside its family: the temperature falls over the first `cooling` steps. */
export const services = (seed: number, learningRate: number, steps: number, cooling: number) =>
  Layer.mergeAll(
    Backend.layer("simd"),
    Relaxation.concrete({ temperature: Schedule.linear(1, 0.3, cooling), valueClip: 200 }),
    Objective.elbo({ samples: 8 }),
    Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(10), Optimizer.adamW({ learningRate }))),
    Stop.layer({ steps }),
    Fit.seed(seed),
  )
