// The program that type tests vary: the paper's model, written as a user does.
export const program = `
import * as Effect from "effect/Effect"
import * as Dist from "vasst/declare/Dist"
import * as Grammar from "vasst/declare/Grammar"
import * as Likelihood from "vasst/declare/Likelihood"
import * as Model from "vasst/declare/Model"
import * as Operator from "vasst/declare/Operator"
import * as Prior from "vasst/declare/Prior"
import * as Term from "vasst/declare/Term"
import * as Tree from "vasst/declare/Tree"
import * as Family from "vasst/infer/Family"
import * as Fit from "vasst/infer/Fit"
import * as Plan from "vasst/compile/Plan"
import type { Dataset } from "vasst/runtime/Data"
declare const data: Dataset
const { bernoulli, categorical, dirichlet, normal } = Family.factors
const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] })
const split = Prior.depthDecay(0.95, 2)
const model = Model.gen(function* () {
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
  const trees = yield* Model.plate("trees", 3, Tree.prior({ grammar, depth: 3, split, operators, features }))
  yield* Model.observe("y", Likelihood.conjugateLinear(trees, { mu0: 0, sigma0: 10, a0: 2, b0: 2 }))
})
`
