// A small fit with every axis set, for tests of the loop: 12 rows, two trees of depth 2, two samples a step.
import * as Layer from "effect/Layer"
import * as Dist from "../../src/prob/Dist.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as Model from "../../src/prob/Model.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"
import * as Backend from "../../src/vi/Backend.ts"
import type { Dataset } from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"

const rows = 12
const [first, second] = Rng.split(Rng.key(1), 2)
const x0 = Rng.normal(first, new Float64Array(rows))
const x1 = Rng.normal(second, new Float64Array(rows))

/** y = 3 x0 x1 - 2 without noise. */
export const data: Dataset = {
  features: ["x0", "x1"],
  columns: [x0, x1],
  target: "y",
  y: x0.map((x, i) => 3 * x * x1[i]! - 2),
  rows,
}

/** The paper's model over any operators. */
export const modelOf = (operators: ReadonlyArray<Operator.Operator>) => {
  const grammar = Grammar.make({ features: ["x0", "x1"], operators })
  return Model.gen(function* () {
    const forest = yield* Model.plate(
      "trees",
      2,
      Tree.prior({
        grammar,
        depth: 2,
        split: Prior.depthDecay(0.95, 1),
        operators: yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(operators.length, 1)),
        features: yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1)),
      }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 1 }))
  })
}

export const model = modelOf([Operator.mul, Operator.sin])

export interface Settings {
  readonly backend: Backend.BackendName
  readonly steps: number
  readonly rules?: ReadonlyArray<Stop.Rule>
  readonly seed?: number
  readonly learningRate?: number
  readonly samples?: number
  readonly valueClip?: number | undefined
}

/** Everything that a fit of one of these models needs, its family aside. */
export const inference = (settings: Settings) => {
  const { backend, steps, rules = [], seed = 3, learningRate = 0.05, samples = 2 } = settings
  const valueClip = "valueClip" in settings ? settings.valueClip : 200
  return Layer.mergeAll(
    Backend.layer(backend),
    Relaxation.concrete({
      temperature: Schedule.linear(1, 0.5, 10),
      ...(valueClip !== undefined && { valueClip }),
    }),
    Objective.elbo({ samples, divergenceWeight: Schedule.warmUp(4) }),
    Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(5), Optimizer.adamW({ learningRate }))),
    Stop.layer({ steps, rules }),
    Fit.seed(seed),
  )
}

/** The same with the mean-field family of `model`. */
export const everything = (settings: Settings) => Layer.merge(inference(settings), Family.meanField(model))
