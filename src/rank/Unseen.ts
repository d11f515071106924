import type { Signs } from "./Signs.ts"
import * as Real from "../numeric/Real.ts"

/** The probability that the law is none of the ranked models, and the signs that it follows from. */
export interface Unseen {
  /** in (0, 1); probabilities of the models and this one sum to 1 */
  readonly probability: number
  readonly signs: Signs
}

/** Residuals below this share of the standard deviation of y are those of an exact law. */
const exact = 1e-9
/** More digits of a p-value or nats count as this number. */
const most = { digits: 10, lead: 1e4 }
/** Log odds are at most this far from even: nothing is certain. */
const certain = 12

/**
 * The signs as numbers of about 1, each of which moves the log odds that the law was seen. A law that is exact on all rows is not beaten by
 * another, however long it is: only equal functions are as good. A law that is far better than every simpler one is seldom a substitute for another.
 */
export const features = (signs: Signs) => {
  const { misfit, complexity, exhausted, lead, found, scored } = signs
  const isExact = signs.error < exact
  return {
    always: 1,
    nothing: Number(signs.terms === 0 && found < scored),
    misfit: Math.min(most.digits, -Real.log10(Math.max(Number.MIN_VALUE, misfit?.pValue ?? 1))) / 5,
    beyond: isExact ? 0 : Math.max(0, complexity - exhausted) / 5,
    lead: signs.terms === 0 ? 0 : Real.log1p(Math.min(most.lead, Math.max(0, lead))) / 4,
  }
}

/**
 * The weights of the signs. They have the highest likelihood, with a normal prior of standard deviation 2, on fits of data whose laws are draws
 * from the prior (`bench/calibration/fit.ts` finds them); no benchmark has a part in them.
 */
export const weights: Readonly<Record<keyof ReturnType<typeof features>, number>> = {
  always: -0.05,
  nothing: 3.2,
  misfit: -2.45,
  beyond: -0.95,
  lead: 1.77,
}

/** The probability that the law is among the models that were seen. */
export const seen = (of: ReturnType<typeof features>, by: typeof weights = weights): number => {
  // `features` has the keys of `weights`, and no others.
  const log = (Object.keys(by) as Array<keyof typeof weights>).reduce(
    (sum, key) => sum + by[key] * of[key],
    0,
  )
  return 1 / (1 + Real.exp(-Math.max(-certain, Math.min(certain, log))))
}

/** What the search of some signs has not seen. */
export const of = (signs: Signs): Unseen => ({ probability: 1 - seen(features(signs)), signs })
