import * as Term from "../../expr/Term.ts"
import * as Dist from "../../prob/Dist.ts"
import { type Density, make } from "./Density.ts"
import { lgamma } from "./lgamma.ts"

/**
 * y ~ NB(mean exp eta, size r): counts of variance mu + mu^2 / r (Hilbe 2011, NB2). *When to use*: counts that vary more than
 * their mean.
 *
 * @param prior of r, proper: the data may not tell a large one from the Poisson limit. Log-normal with median e and scale 2 if
 *   left out
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
