import type * as HallOfFame from "./HallOfFame.ts"

/**
 * What checks the ensembles that claim the lead. A working response is a law's first order around a mean: far from the mean its residuals
 * may be far too small. Where y = log(eta) they are 1 at most, however wrong the law is, so that any column would lead on data whose noise is larger.
 */
export interface Claims {
  /** the score of the best ensemble of all responses */
  readonly leading: () => number
  /** Whether the residuals of a response are checked: its own are neither those of y nor of the linear part of a density. */
  readonly areChecked: (response: number) => boolean
  /**
   * The values of a law on the scale of y, length n.
   *
   * @param eta fitted values on the scale of the response, length n
   */
  readonly law: (response: number, eta: Float64Array) => Float64Array
  /**
   * The residual sum of squares of a law on the scale of y, weighted as those of the response.
   *
   * @param response one whose residuals are checked
   * @param eta fitted values on the scale of the response, length n
   */
  readonly rss: (response: number, eta: Float64Array) => number
}

/**
 * How many times its claimed sum of squares a law may leave. A law whose mean is not yet that of the response is off by less; ensembles on the path
 * to a law, too.
 */
export const doubtful = 2

/** Without links there is nothing to check. */
export const none: Claims = {
  leading: () => Infinity,
  areChecked: () => false,
  law: (_, eta) => eta,
  rss: () => NaN,
}

/** After this number of claims that are wrong, one after the other, no further one of a list is checked. */
const refutedInTurn = 8

/**
 * Checks claims, the highest first.
 *
 * @param claims ensembles, with the scores that they claim
 * @param check the ensemble with its true score, which is at most the claimed one
 * @param admit takes an ensemble with its true score
 * @param lead the score of what leads all responses: below it claims that are not checked are admitted as they are; none if left out
 */
export const settle = <E extends Pick<HallOfFame.Entry, "score">>(
  claims: ReadonlyArray<E>,
  check: (claim: E) => E,
  admit: (checked: E) => void,
  lead = -Infinity,
): void => {
  let refuted = 0
  for (const claim of claims.toSorted((a, b) => b.score - a.score)) {
    if (refuted >= refutedInTurn) {
      if (claim.score < lead) admit(claim)
      continue
    }
    const checked = check(claim)
    admit(checked)
    refuted = claim.score - checked.score > tolerated ? refuted + 1 : 0
  }
}

/** Nats by which a claim may be wrong: the working response of the first steps is not at the mean of the law. */
const tolerated = 10
