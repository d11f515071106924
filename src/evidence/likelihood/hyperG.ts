import { LikelihoodError } from "./LikelihoodError.ts"

/**
 * The hyper-g/n prior of the coefficients of centred columns (Liang et al. 2008), with a flat intercept and
 * p(sigma^2) = 1 / sigma^2:
 *
 *     beta | g, sigma^2 ~ N(0, g sigma^2 (Xc'Xc)^-1),   p(g) = (a - 2) / (2 n) (1 + g / n)^(-a / 2)
 *
 * It has no scale to set, and finds the truth with growing n as with shrinking noise (docs/adr/0009).
 */
export interface HyperG {
  readonly _tag: "HyperG"
  /** > 2; 3 is the authors' choice */
  readonly a: number
}

/**
 * The hyper-g/n prior of coefficients.
 *
 * @param a > 2: the larger, the more mass near g = 0
 * @throws LikelihoodError for another a
 */
export const hyperG = (a = 3): HyperG => {
  if (!(a > 2 && Number.isFinite(a)))
    throw new LikelihoodError({ message: `a of the hyper-g/n prior must be above 2 and finite, but is ${a}` })
  return { _tag: "HyperG", a }
}
