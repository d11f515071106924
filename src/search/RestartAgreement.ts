/** Whether searches that began anew end at the same: then others would, too. */
export interface Agreement {
  /**
   * A start has ended.
   *
   * @param own the score of the best ensemble that it found; undefined where it found none
   * @param before the same of all starts before it
   * @returns whether as many starts as are needed have ended at the best score
   */
  readonly ended: (own: number | undefined, before: number | undefined) => boolean
}

/** Scores that differ by less, in nats, are those of ensembles that are as good as the same. */
export const sameScore = 0.1

/** @param needed how many starts have to end at the same score, 2 by default */
export const make = (needed = 2): Agreement => {
  let agreeing = 0
  return {
    ended: (own = -Infinity, before = -Infinity) => {
      // What is better than all before was found once.
      if (own > before + sameScore) agreeing = 1
      else if (own > before - sameScore) agreeing++
      return agreeing >= needed
    },
  }
}
