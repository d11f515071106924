/**
 * Expectations under the factor of a site. Divergences in closed form use them: that of the site from its prior, and
 * those of other sites whose priors depend on it.
 * - `mean`: E_q[x]: probabilities for `binary`, probability vectors for `categorical` and `simplex`;
 * - `log`: E_q[log x], for `simplex`, `positive` and `unit`;
 * - `logSquare`: E_q[(log x)^2] for `positive`;
 * - `log1m`: E_q[log(1 - x)] for `unit`;
 * - `square`: E_q[x^2] for `real` and `positive`;
 * - `inverse`, `inverseSquare`: E_q[1 / x] and E_q[1 / x^2] for `positive`.
 */
export interface Moments<T> {
  readonly mean: T
  readonly log?: T
  readonly logSquare?: T
  readonly log1m?: T
  readonly square?: T
  readonly inverse?: T
  readonly inverseSquare?: T
}

/** Applies a function to every moment that is given. */
export const map = <T>(moments: Moments<T>, f: (x: T) => T): Moments<T> => {
  const { mean, log, logSquare, log1m, square, inverse, inverseSquare } = moments
  return {
    mean: f(mean),
    ...(log !== undefined && { log: f(log) }),
    ...(logSquare !== undefined && { logSquare: f(logSquare) }),
    ...(log1m !== undefined && { log1m: f(log1m) }),
    ...(square !== undefined && { square: f(square) }),
    ...(inverse !== undefined && { inverse: f(inverse) }),
    ...(inverseSquare !== undefined && { inverseSquare: f(inverseSquare) }),
  }
}
