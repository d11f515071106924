import * as Term from "../../expr/Term.ts"
import { type Density, make } from "./Density.ts"
import * as Real from "../../numeric/Real.ts"

/** Above this eta, log(1 + exp eta) equals eta in float64, and exp eta would overflow in derivatives. */
const linear = 200

/** log(1 + exp eta). */
const softplus = (eta: Term.Term): Term.Term =>
  Term.add(Term.log(Term.add(1, Term.exp(Term.min(eta, linear)))), Term.max(Term.sub(eta, linear), 0))

const probability = (eta: Term.Term): Term.Term => Term.inv(Term.add(1, Term.exp(Term.neg(eta))))

/**
 * y ~ Ber(1 / (1 + exp(-eta))), y in {0, 1}: logistic regression on the trees (McCullagh and Nelder 1989, chapter 4).
 * eta is the log odds of y = 1, and `mean` is its probability.
 *
 * *When to use*: for binary outcomes.
 */
export const bernoulli: Density = make("Bernoulli", {
  support: "binary",
  logDensity: ({ y, eta }) => Term.sub(Term.mul(y, eta), softplus(eta)),
  mean: ({ eta }) => probability(eta),
  sample: ({ eta = NaN }, source) => (source.next() < 1 / (1 + Real.exp(-eta)) ? 1 : 0),
})
