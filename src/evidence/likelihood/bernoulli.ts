import * as Term from "../../expr/Term.ts"
import { type Density, make } from "./Density.ts"

/** Beyond this log(1 + exp eta) is eta to all digits, and exp eta would overflow in its derivatives. */
const linear = 200

/** log(1 + exp eta). */
const softplus = (eta: Term.Term): Term.Term =>
  Term.add(Term.log(Term.add(1, Term.exp(Term.min(eta, linear)))), Term.max(Term.sub(eta, linear), 0))

const probability = (eta: Term.Term): Term.Term => Term.inv(Term.add(1, Term.exp(Term.neg(eta))))

/** y ~ Ber(1 / (1 + exp(-eta))): logistic regression on the trees. *When to use*: y of 0 and 1. */
export const bernoulli: Density = make("Bernoulli", {
  support: "binary",
  logDensity: ({ y, eta }) => Term.sub(Term.mul(y, eta), softplus(eta)),
  mean: ({ eta }) => probability(eta),
  sample: ({ eta = NaN }, source) => (source.next() < 1 / (1 + Math.exp(-eta)) ? 1 : 0),
})
