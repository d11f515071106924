import * as Term from "../../expr/Term.ts"
import * as Real from "../../numeric/Real.ts"

/** Lanczos's coefficients for g = 7, to fifteen digits (Godfrey 2001). */
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/**
 * log Gamma(x), x > 0, as a term of elementary operations, by Lanczos's approximation (Press et al. 2007, section 6.1).
 * Derivatives and all engines follow from the term. The error is below 1e-13, relative or absolute, whichever is larger.
 */
export const lgamma = (x: Term.TermLike): Term.Term => {
  const z = typeof x === "number" ? Term.constant(x) : x
  const sum = lanczos.reduce<Term.Term>(
    (series, coefficient, k) => Term.add(series, Term.div(coefficient, Term.add(z, k))),
    Term.constant(0.99999999999980993),
  )
  const t = Term.add(z, 6.5)
  return Term.add(
    Term.sub(Term.mul(Term.sub(z, 0.5), Term.log(t)), t),
    Term.add(Term.log(sum), 0.5 * Real.log(2 * Math.PI)),
  )
}
