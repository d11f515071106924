/** How many restarts have to end at the same score: others would end there, too. */
export const needed = 2

/** Scores that differ by less, in nats, are those of ensembles that are as good as the same. */
export const sameScore = 0.1

/**
 * How many restarts have ended at the best score, when another one ends.
 *
 * @param agreeing how many had
 * @param own the score of the best ensemble that this one found; minus infinity where it found none
 * @param before the same of all before it
 * @param same whether both are one ensemble: its scores may differ, where working responses do
 */
export const count = (agreeing: number, own = -Infinity, before = -Infinity, same = false): number => {
  if (same) return agreeing + 1
  // An ensemble that is better than all before was found once.
  if (own > before + sameScore) return 1
  return own > before - sameScore ? agreeing + 1 : agreeing
}
