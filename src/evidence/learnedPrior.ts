import type { Learned } from "../prob/Constant.ts"
import * as Dist from "../prob/Dist.ts"

/** What the prior of learned numbers says at a value. */
export interface At {
  /** log density */
  readonly log: number
  /** its first and second derivative */
  readonly slope: number
  readonly curvature: number
}

/** The log density of a number and its derivatives, in closed form; minus infinity outside of the support. */
export const at = ({ prior }: Learned, x: number): At => {
  const log = Dist.logDensity(prior, x)
  if (!(log > -Infinity)) return { log, slope: 0, curvature: 0 }
  switch (prior._tag) {
    case "Normal":
      return { log, slope: (prior.mean - x) / prior.sd ** 2, curvature: -1 / prior.sd ** 2 }
    case "HalfNormal":
      return { log, slope: -x / prior.sd ** 2, curvature: -1 / prior.sd ** 2 }
    case "LogNormal": {
      const z = (Math.log(x) - prior.location) / prior.scale ** 2
      return { log, slope: -(1 + z) / x, curvature: (1 + z - 1 / prior.scale ** 2) / x ** 2 }
    }
    case "Gamma":
      return { log, slope: (prior.shape - 1) / x - prior.rate, curvature: (1 - prior.shape) / x ** 2 }
    case "InverseGamma":
      return {
        log,
        slope: prior.scale / x ** 2 - (prior.shape + 1) / x,
        curvature: (prior.shape + 1) / x ** 2 - (2 * prior.scale) / x ** 3,
      }
  }
}

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
