import { LikelihoodError } from "./LikelihoodError.ts"

/**
 * The hyper-g/n prior of the coefficients of centred columns (Liang et al. 2008), with a flat intercept and
 * p(sigma^2) = 1 / sigma^2:
 *
 *     beta | g, sigma^2 ~ N(0, g sigma^2 (Xc'Xc)^-1),   p(g) = (a - 2) / (2 n) (1 + g / n)^(-a / 2)
 *
 * It has no scale to set. Model selection is consistent both for growing n and for shrinking noise (docs/adr/0009).
 */
export interface HyperG {
  readonly _tag: "HyperG"
  /** > 2; 3 is the authors' choice */
  readonly a: number
}

/**
 * The hyper-g/n prior of coefficients (Liang et al. 2008, JASA 103:410).
 *
 * *When to use*: the default, a = 3, unless coefficients are expected to be small. A larger a has more prior mass near g = 0,
 * which shrinks coefficients more.
 *
 * @param a above 2 and finite; no unit
 * @throws LikelihoodError when a is not above 2 and finite
 */
export const hyperG = (a = 3): HyperG => {
  if (!(a > 2 && Number.isFinite(a)))
    throw new LikelihoodError({ message: `a of the hyper-g/n prior must be above 2 and finite, but is ${a}` })
  return { _tag: "HyperG", a }
}
