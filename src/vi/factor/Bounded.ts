import type { Algebra } from "../../numeric/Algebra.ts"
import { CompileError } from "../../errors/Errors.ts"
import { exp, log } from "../../numeric/Elementary.ts"
import { product } from "../../numeric/Nd.ts"
import { standardNormal } from "../../numeric/quadrature.ts"
import * as Real from "../../numeric/Real.ts"
import * as Normal from "../../prob/dist/Normal.ts"
import { lazy } from "../../internal/once.ts"
import type { Factor, FactorSite, Moments } from "../../prob/Factor.ts"
import { typicalPriors } from "./divergence.ts"
import * as Gaussian from "./Gaussian.ts"
import { normalStart, type Start } from "./Initial.ts"
import { quartiles } from "./typical.ts"

/** The supports that contain an interval. */
export type Interval = "real" | "positive" | "unit"

/** Whether a prior of a site is 0 outside of a bounded interval. */
export const isBounded = (site: FactorSite<Interval>): boolean =>
  typicalPriors<Interval>(site).some(({ bounds }) => bounds !== undefined)

/**
 * The trapezoidal rule for expectations over a standard normal number: exact to 1e-8 for functions that vary over
 * scales above 1/2.
 */
const NODES = standardNormal(0.4, 15)

/**
 * q(x): x = low + (high - low) sigmoid(z), z ~ N(loc, exp(logScale)^2), for each element of a site whose prior is 0
 * outside of [low, high], or whose support is (0, 1): a logit-normal distribution. Its moments are integrals over z by
 * the trapezoidal rule. Starts at the median and quartiles of the prior on the scale of z, or at `start`.
 *
 * @throws CompileError when the priors of the elements have different intervals, or none
 */
export const bounded = <S extends Interval>(site: FactorSite<S>, start?: Start): Factor<S> => {
  const length = product(site.shape)
  const priors = typicalPriors(site)
  const [low, high] = intervalOf(site)
  const width = high - low
  const toLogit = (x: number): number => {
    const share = (x - low) / width
    return log(share) - Real.log1p(-share)
  }
  const initial = normalStart(
    priors.map((one) => quartiles(one, toLogit)),
    length,
    // A start outside of the interval is ignored.
    start?.centre !== undefined && !(start.centre > low && start.centre < high)
      ? { ...start, centre: undefined }
      : start,
    (x) => (x > low && x < high ? toLogit(x) : Infinity),
  )
  /** E[f(z)], elementwise */
  const expectation = <T>(A: Algebra<T>, q: Normal.Parameters<T>, f: (z: T) => T): T =>
    NODES.map(({ node, weight }) =>
      A.binary.mul(A.literal(weight), f(Normal.draw(A)(A.literal(node), q))),
    ).reduce(A.binary.add)
  /** log sigmoid(z) + log(1 - sigmoid(z)) */
  const bend = <T>(A: Algebra<T>, z: T): T =>
    A.unary.neg(A.binary.add(A.softplus(z), A.softplus(A.unary.neg(z))))
  const place = <T>(A: Algebra<T>, z: T): T =>
    A.binary.add(A.literal(low), A.binary.mul(A.literal(width), A.sigmoid(z)))
  const { project, ...factor } = Gaussian.factor(site, {
    name: "Bounded(loc, log scale)",
    support: site.support,
    initial,
    place,
    to: (z) => within(low + width / (1 + exp(-z)), low, high),
    from: toLogit,
    logSlope: (z) => -(softplus(z) + softplus(-z) - Real.log(width)),
    slope: (A, z) => A.binary.add(bend(A, z), A.literal(Real.log(width))),
    stretch: (A, q) =>
      A.binary.add(
        expectation(A, q, (z) => bend(A, z)),
        A.literal(Real.log(width)),
      ),
    moments: <T>(A: Algebra<T>, q: Normal.Parameters<T>): Moments<T> => {
      const over = (f: (x: T) => T) => (): T => expectation(A, q, (z) => f(place(A, z)))
      const inverse = (x: T): T => A.binary.div(A.literal(1), x)
      return lazy<Moments<T>>({
        mean: over((x) => x),
        square: over(A.unary.square),
        ...(low >= 0 && {
          log: over(A.unary.log),
          logSquare: over((x) => A.unary.square(A.unary.log(x))),
          inverse: over(inverse),
          inverseSquare: over((x) => A.unary.square(inverse(x))),
        }),
        ...(low >= 0 && high <= 1 && { log1m: over((x) => A.unary.log(A.binary.sub(A.literal(1), x))) }),
      })
    },
  })
  // Draws of a probability are counts, to which this factor is not conjugate.
  return site.support === "unit" ? factor : { ...factor, project }
}

const softplus = (x: number): number => Math.max(x, 0) + Real.log1p(Real.exp(-Math.abs(x)))

/** Moves a draw that was rounded to an end of an interval to the nearest float64 inside of it. */
const within = (x: number, low: number, high: number): number => {
  const margin = (high - low) * 2 ** -52
  return Math.min(Math.max(x, low + margin), high - margin)
}

const intervalOf = (site: FactorSite<Interval>): readonly [low: number, high: number] => {
  const found = typicalPriors<Interval>(site).map(
    ({ bounds }) => bounds ?? (site.support === "unit" ? ([0, 1] as const) : undefined),
  )
  const [first] = found
  if (first === undefined || found.some((one) => one?.[0] !== first[0] || one[1] !== first[1]))
    throw new CompileError({
      message: `the site "${site.name}" needs priors that are 0 outside of one bounded interval, the same for all its elements, for Family.factors.bounded()`,
    })
  return first
}
