/**
 * 03. VaSST from its parts. `Vasst.model` and `Vasst.inference` are what you see here with the paper's constants: a model
 * is a program whose requirements are its latent sites, and every axis of the inference is a value that is provided.
 *
 *     npm run ts -- examples/03_the_model_written_out.ts
 */
import * as Effect from "effect/Effect"
import { infix } from "vasst/expr/text/infix"
import * as Dist from "vasst/prob/Dist"
import * as Grammar from "vasst/prob/Grammar"
import * as Likelihood from "vasst/evidence/Likelihood"
import * as Model from "vasst/prob/Model"
import * as Operator from "vasst/expr/Operator"
import * as Prior from "vasst/prob/Prior"
import * as Tree from "vasst/prob/Tree"
import * as Family from "vasst/vi/Family"
import * as Fit from "vasst/infer/Fit"
import * as Infer from "vasst/vi/Infer"
import * as Objective from "vasst/vi/Objective"
import * as Optimizer from "vasst/vi/Optimizer"
import * as Stop from "vasst/infer/Stop"
import * as Rank from "vasst/rank/Rank"
import * as Relaxation from "vasst/vi/Relaxation"
import * as Schedule from "vasst/vi/Schedule"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"
import * as Rng from "vasst/random/Rng"

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.mul, Operator.sin, Operator.cos],
})

// The type of this program lists its sites: operatorWeights, featureWeights, trees.split, trees.operator, trees.terminal.
const vasst = Model.gen(function* () {
  const operators = yield* Model.sample(
    "operatorWeights",
    Dist.dirichlet.symmetric(grammar.operators.length, 1),
  )
  const features = yield* Model.sample(
    "featureWeights",
    Dist.dirichlet.symmetric(grammar.terminals.length, 1),
  )
  const split = Prior.depthDecay(0.95, 2)
  const trees = yield* Model.plate("trees", 2, Tree.prior({ grammar, depth: 2, split, operators, features }))
  // The paper has sigma0 = 10. Coefficients of 6 are dear then, and the truth is drawn but loses; see the README.
  yield* Model.observe("y", Likelihood.conjugateLinear(trees, { mu0: 0, sigma0: 1000, a0: 2, b0: 2 }))
})

// Without the family this would not compile: Type 'Site<"operatorWeights", "simplex">' is not assignable to type 'never'.
const inference = Effect.provide([
  Family.meanField(vasst),
  Relaxation.concrete({ temperature: Schedule.linear(1, 0.5, 75), valueClip: 200 }),
  Objective.elbo({ samples: 8 }),
  Optimizer.layer(
    Optimizer.chain(
      Optimizer.clipByNorm(1),
      Optimizer.adamW({ learningRate: Schedule.exponential(0.01, 0.001, 100) }),
    ),
  ),
  Stop.layer({ steps: 100, rules: [Stop.afterSeconds(60)] }),
  Fit.seed(1),
  Backend.layer(),
])

// y = 6 sin(x0) cos(x1) with noise, over the ranges of the paper
const random = Rng.generator(Rng.key(1))
const X = Array.from({ length: 500 }, () => [random.next(), 2 + random.next()] as const)
const y = X.map(([x0, x1]) => 6 * Math.sin(x0) * Math.cos(x1) + 0.1 * random.normal())

const program = Effect.gen(function* () {
  const data = yield* Data.fromRows({ X, y })
  const posterior = yield* Infer.fit(vasst, data)
  console.log(`${posterior.steps} steps, stopped by: ${posterior.stopReason}`)

  const rank = Rank.fromPosterior({ train: data, draws: 2000, key: Rng.key(2) })
  const ranking = yield* rank(posterior)
  console.log(`${ranking.distinct} distinct models in ${ranking.draws} draws; Occam's window of 10:`)

  const window = ranking.pipe(Rank.by(Rank.lmpse), Rank.occamWindow(10), Rank.groupEquivalent)
  for (const { posterior, expression } of window.models)
    console.log(`  ${posterior.toFixed(3)}  y = ${infix(expression, { precision: 3 })}`)
})

await Effect.runPromise(program.pipe(inference))
