import * as Likelihood from "vasst/evidence/Likelihood"
import * as Term from "vasst/expr/Term"

/** Counts with more zeros than a Poisson distribution has: with probability `never` there is nothing to count. */
export const zeroInflated = Likelihood.make("zero-inflated Poisson", {
  support: "counts",
  nuisance: { never: "unit" },
  logDensity: ({ y, eta, never }) => {
    const mean = Term.exp(eta)
    const counted = Term.sub(1, never)
    const zero = Term.log(Term.add(never, Term.mul(counted, Term.exp(Term.neg(mean)))))
    const some = Term.add(
      Term.log(counted),
      Term.sub(Term.sub(Term.mul(y, eta), mean), Likelihood.lgamma(Term.add(y, 1))),
    )
    const none = Term.max(Term.sub(1, y), 0) // 1 where y is 0
    return Term.add(Term.mul(none, zero), Term.mul(Term.sub(1, none), some))
  },
  mean: ({ eta, never }) => Term.mul(Term.sub(1, never), Term.exp(eta)),
})
