import type { Learned } from "../prob/Constant.ts"
import * as Dist from "../prob/Dist.ts"

/** The log density of a number and its derivatives; minus infinity outside of the support. */
export const at = ({ prior }: Learned, x: number): Dist.Derivatives => Dist.derivatives(prior, x)

/**
 * The log probability of which occurrences share a number, when each new one is a number of its own with weight 1 and
 * any earlier one's with weight 1 (Blackwell and MacQueen 1973): prod (m_j - 1)! / m! for occurrences m_j of each number
 * and m of all.
 */
export const logSharing = (occurrences: ReadonlyArray<number>): number => {
  let log = 0
  let all = 0
  for (const count of occurrences) {
    for (let i = 2; i < count; i++) log += Math.log(i)
    all += count
  }
  for (let i = 2; i <= all; i++) log -= Math.log(i)
  return log
}
