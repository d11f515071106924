import type * as GPrior from "./gPrior.ts"
import type * as Noise from "./Noise.ts"
import type * as Explain from "./noise/Explain.ts"
import type * as Responses from "./response.ts"

/** The evidence and the least-squares fit of one hard ensemble: a link and trees. */
export interface Assessment {
  readonly response: Responses.Response
  /**
   * log p(y | link, trees), normalised: a log density of y in y's units for any link, so that models of different links
   * are comparable. With noise on the scale of the response it is
   *
   *     log p(y | the mean alone) + log BF(n, p, R^2 = 1 - rss / tss),  rss = min_b sum (y - h(b_0 + sum_k b_k f_k))^2
   *
   * with p the rank of the linearised design at the minimum (`GPrior`; docs/adr/0009 has the reasons). With noise on the
   * scale of the link it is the log evidence of z = g(y) plus the log Jacobian.
   */
  readonly logEvidence: number
  /**
   * The log evidence with noise on the scale of the link, for either declaration of the noise; equal to `logEvidence`
   * for the identity link.
   */
  readonly linkEvidence: () => number
  /** the number of linearly independent directions beside the intercept's */
  readonly rank: number
  /** -2 log of the maximal likelihood, up to constants that all models share: n log(rss / n) - 2 log Jacobian */
  readonly deviance: number
  /** the most probable kind of noise and wrong rows; undefined for a likelihood of one kind with a closed form */
  readonly noise: Explained | undefined
  /** The law under the other kinds of noise and sets of wrong rows; undefined, or none if left out, where there are none. */
  readonly others?: (() => Assessment | undefined) | undefined
  /**
   * `logEvidence` less the closed form of the fit, in nats: Jacobians, wrong rows, and the sum over the kinds of noise. It is the
   * same for all hypotheses about the constants of the law.
   */
  readonly extra: number
  /** the residual sum of squares of least squares, on the scale of the noise, weighted where the noise has weights */
  readonly rss: number
  readonly posterior: GPrior.Posterior
  /** Least squares of K + 1 coefficients, intercept first, on the scale of the link. */
  readonly leastSquares: () => Float64Array
  /** Posterior means of the K + 1 coefficients: least squares, shrunk by E[g / (1 + g)] towards the mean alone. */
  readonly coefficients: () => Float64Array
}

/** The noise that explains a response best, under a law. */
export interface Explained {
  /** undefined where the kind is the first, without known errors, weights or wrong rows, so that no row has a weight */
  readonly explanation: Explain.Explanation | undefined
  readonly kind: Noise.Kind
  /** whether there is none: the law fits to the resolution of the data */
  readonly exact: boolean
  /** the posterior probability of this kind with these wrong rows, given the law */
  readonly probability: number
  /** log odds of each row being wrong, length n; minus infinity where none can be */
  readonly logOdds: () => Float64Array
}
