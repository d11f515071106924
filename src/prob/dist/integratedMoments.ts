import * as Quadrature from "../../numeric/quadrature.ts"
import * as Real from "../../numeric/Real.ts"
import * as Substitution from "../../numeric/substitution.ts"
import * as Rng from "../../random/Rng.ts"
import type { Support } from "../Support.ts"

export type Numbers = Extract<Support, "real" | "positive" | "unit">

/** Draws from which the place and the width of the density are known. */
const draws = 101

/** A coordinate in which a density with this median and width is about as wide as 1; tails fall exponentially at least. */
const coordinates: Readonly<Record<Numbers, (median: number, width: number) => Substitution.Substitution>> = {
  real: Substitution.sinh,
  positive: (median, width) => Substitution.after(Substitution.exponential, Substitution.line(median, width)),
  unit: (median, width) => Substitution.after(Substitution.logistic(0, 1), Substitution.line(median, width)),
}

/** From a number to the line. */
const free: Readonly<Record<Numbers, (x: number) => number>> = {
  real: (x) => x,
  positive: Real.log,
  unit: (x) => Real.log(x / (1 - x)),
}

/** The largest difference of the log integral of the density from 0. Kinks of a density have an error of about step^2. */
const accurate = 1e-4

/**
 * Mean and variance of a density by quadrature (`Quadrature.integrate`). A few draws tell where the density is.
 *
 * @returns NaN where the quadrature fails: the integral of the density is not 1
 */
export const integratedMoments = (
  support: Numbers,
  logDensity: (x: number) => number,
  draw: (source: Rng.Generator) => number,
): { readonly mean: number; readonly variance: number } => {
  const source = Rng.generator(Rng.key(0))
  const sorted = Float64Array.from({ length: draws }, () => free[support](draw(source))).sort()
  const quantile = (share: number): number => sorted[Math.round(share * (draws - 1))]!
  const median = quantile(0.5)
  const { x, logSlope } = coordinates[support](
    median,
    Math.max((quantile(0.75) - quantile(0.25)) / 2, 1e-300),
  )
  const height = (t: number): number => logDensity(x(t)) + logSlope(t)
  const rule = { step: 1 / 128, negligible: 60 }
  const { log, means } = Quadrature.integrate(height, 0, rule, [x])
  const [mean = NaN] = means
  if (!(Math.abs(log) < accurate)) return { mean: NaN, variance: NaN }
  const [variance = NaN] = Quadrature.integrate(height, 0, rule, [(t) => (x(t) - mean) ** 2]).means
  return { mean, variance }
}
