import { type Fit, fine, gainAt, overG, rankOf, total, unexplained } from "./gPrior.ts"
import * as Real from "../numeric/Real.ts"

/** The evidence of one linear model under the hyper-g/n prior (`gPrior`), and its derivatives. */
export interface Slopes {
  /** log p(y | model) - log p(y | the mean alone), in nats */
  readonly logBayesFactor: number
  /** the derivative by rss, in inverse squared units of y */
  readonly byRss: number
  /** the derivative by the rank: -E[log (1 + g)] / 2, and 0 from n - 1 on */
  readonly byRank: number
}

/** The evidence as a function of rss and of a rank that need not be an integer, with its derivatives. */
export const slopes = (fit: Fit): Slopes => {
  if (!(rankOf(fit, fit.rank) > 0)) return { logBayesFactor: 0, byRss: 0, byRank: 0 }
  const left = unexplained(fit, fit.rss)
  const { log, means } = overG(fit, fine, [(t) => gainAt(t, left), (t) => Real.log1p(Real.exp(t))])
  const [gain = 0, spread = 0] = means
  return {
    logBayesFactor: log,
    byRss: ((-(fit.rows - 1) / 2) * gain) / (left * total(fit)),
    byRank: fit.rank < fit.rows - 1 ? -spread / 2 : 0,
  }
}
