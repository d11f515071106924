// The program that type tests vary: the paper's model, written as a user does.
export const program = `
import * as Effect from "effect/Effect"
import * as Dist from "vasst/prob/Dist"
import * as Grammar from "vasst/prob/Grammar"
import * as Likelihood from "vasst/evidence/Likelihood"
import * as Model from "vasst/prob/Model"
import * as Operator from "vasst/expr/Operator"
import * as Prior from "vasst/prob/Prior"
import * as Term from "vasst/expr/Term"
import * as Tree from "vasst/prob/Tree"
import * as Family from "vasst/vi/Family"
import * as Infer from "vasst/vi/Infer"
import * as Plan from "vasst/prob/Plan"
import type { Dataset } from "vasst/data/Data"
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
