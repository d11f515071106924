import * as Term from "../../expr/Term.ts"
import * as Dist from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import { lgamma } from "./lgamma.ts"

/**
 * y ~ NB(mean mu = exp eta, size r), y in {0, 1, 2, ...}: counts with variance mu + mu^2 / r (Hilbe 2011, NB2).
 *
 * *When to use*: for counts whose variance exceeds their mean. For counts with variance mu use `poisson`.
 *
 * @param prior of the size r, proper, since data near the Poisson limit do not bound r from above. Log-normal with median e
 *   and scale 2 by default
 */
export const negativeBinomial = (prior: Dist.Dist<"positive"> = Dist.logNormal(1, 2)): Density =>
  make("negative binomial", {
    support: "counts",
    nuisance: { size: prior },
    logDensity: ({ y, eta, size }) => {
      const ways = Term.sub(Term.sub(lgamma(Term.add(y, size)), lgamma(size)), lgamma(Term.add(y, 1)))
      const total = Term.log(Term.add(size, Term.exp(eta)))
      return Term.add(
        ways,
        Term.add(Term.mul(size, Term.sub(Term.log(size), total)), Term.mul(y, Term.sub(eta, total))),
      )
    },
    mean: ({ eta }) => Term.exp(eta),
  })
