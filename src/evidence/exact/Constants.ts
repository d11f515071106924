import * as Schema from "effect/Schema"
import * as Exact from "./Exact.ts"

/** An irrational factor of exact numbers, sqrt(root) pi^(halfPi / 2), and its prior mass. */
export interface Unit {
  readonly root: number
  readonly halfPi: number
  readonly mass: number
}

/**
 * The prior of exact constants. With probability `exact` a coefficient is an exact number; otherwise it has the prior that
 * the likelihood declares.
 *
 * Exact coefficients are +- p/q u, with equal probability for both signs,
 *
 *     P(p/q) = (2 / 5) / (p q)^2   (p, q coprime; the sum over all is zeta(2)^2 / zeta(4) 2 / 5 = 1),   P(u) declared
 *
 * so that 1 has mass 2/5, 2 and 1/2 have 1/10, 3/2 has 1/90. The intercept is 0 with probability `zero`; otherwise it has
 * the prior of any coefficient. If the law is the exponential of a sum, the intercept is the logarithm of a leading factor,
 * and an intercept of 0 is a factor of 1.
 */
export interface Constants {
  /** in (0, 1) */
  readonly exact: number
  /** in [0, 1) */
  readonly zero: number
  /** masses sum to at most 1 */
  readonly units: ReadonlyArray<Unit>
  /** The largest p q of an exact number; the mass beyond it is dropped. */
  readonly largest: number
}

/** A prior of exact constants with an impossible setting. */
export class ConstantsError extends Schema.TaggedError<ConstantsError>()("ConstantsError", {
  message: Schema.String,
}) {}

/** The default units of exact numbers: 1, pi, sqrt 2, and the factors of normal densities and solid angles. */
export const units: ReadonlyArray<Unit> = [
  { root: 1, halfPi: 0, mass: 0.75 },
  { root: 1, halfPi: 2, mass: 0.06 },
  { root: 1, halfPi: -2, mass: 0.06 },
  { root: 2, halfPi: 0, mass: 0.04 },
  { root: 3, halfPi: 0, mass: 0.01 },
  { root: 1, halfPi: 4, mass: 0.01 },
  { root: 1, halfPi: -4, mass: 0.01 },
  { root: 1, halfPi: 1, mass: 0.01 },
  { root: 1, halfPi: -1, mass: 0.01 },
  { root: 2, halfPi: 1, mass: 0.02 },
  { root: 2, halfPi: -1, mass: 0.02 },
]

/**
 * A prior of exact constants. Defaults: coefficients are exact with probability 1/2, the intercept is 0 with probability 1/2.
 *
 * @throws ConstantsError naming what is out of range
 */
export const make = (options: Partial<Constants> = {}): Constants => {
  const prior = { exact: 0.5, zero: 0.5, units, largest: 150, ...options }
  const complain = (message: string): never => {
    throw new ConstantsError({ message })
  }
  if (!(prior.exact > 0 && prior.exact < 1))
    complain(`the mass of exact constants must lie between 0 and 1, but is ${prior.exact}`)
  if (!(prior.zero >= 0 && prior.zero < 1))
    complain(`the mass of a zero intercept must lie in [0, 1), but is ${prior.zero}`)
  if (!(prior.largest >= 1 && prior.largest <= 1e5))
    complain(`the largest p q must lie between 1 and 100000, but is ${prior.largest}`)
  const total = prior.units.reduce((sum, { mass }) => sum + mass, 0)
  if (!(prior.units.every(({ mass }) => mass > 0) && total <= 1 + 1e-12))
    complain(`masses of units must be positive and sum to at most 1, but sum to ${total}`)
  return prior
}

/** The default prior of exact constants. */
export const defaults = make()

/** An exact number and the logarithm of its prior mass, given that the coefficient is exact. */
export interface Candidate {
  readonly exact: Exact.Exact
  readonly value: number
  readonly logMass: number
}

/** The exact numbers of a prior, for look-ups by value. */
export interface Table {
  /**
   * The exact numbers within a distance of a number, those with the largest log mass - z^2 / 2 first.
   *
   * @param deviation the standard deviation, > 0: z is the distance in units of it
   * @param most the number of results, at most
   */
  readonly near: (value: number, deviation: number, most: number) => ReadonlyArray<Candidate>
}

/** Exact numbers further away than this number of standard deviations are not candidates. */
export const reach = 8

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** The exact numbers of a prior, sorted by value. */
export const table = ({ units: over, largest }: Constants): Table => {
  const found: Array<Candidate> = []
  for (let p = 1; p <= largest; p++)
    for (let q = 1; p * q <= largest; q++) {
      if (gcd(p, q) > 1) continue
      for (const { root, halfPi, mass } of over) {
        const exact = Exact.make(p, q, root, halfPi)
        // Half of the mass each for the number and its negative.
        found.push({ exact, value: Exact.value(exact), logMass: Math.log(0.2 * mass) - 2 * Math.log(p * q) })
      }
    }
  found.sort((a, b) => a.value - b.value)
  const firstFrom = (value: number): number => {
    let [low, high] = [0, found.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (found[middle]!.value < value) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    near: (value, deviation, most) => {
      const size = Math.abs(value)
      const end = size + reach * deviation
      const best: Array<Candidate> = []
      const weights: Array<number> = []
      for (let i = firstFrom(size - reach * deviation); i < found.length; i++) {
        const one = found[i]!
        if (one.value > end) break
        const z = (one.value - size) / deviation
        const weight = one.logMass - (z * z) / 2
        if (best.length === most && !(weight > weights[most - 1]!)) continue
        const above = weights.findIndex((other) => other < weight)
        const at = above < 0 ? best.length : above
        best.splice(at, 0, one)
        weights.splice(at, 0, weight)
        if (best.length > most) {
          best.pop()
          weights.pop()
        }
      }
      return best.map((one) =>
        value < 0 ? { ...one, exact: Exact.negate(one.exact), value: -one.value } : one,
      )
    },
  }
}

const tables = new WeakMap<Constants, Table>()

/** The table of a prior, made once. */
export const tableOf = (prior: Constants): Table => {
  const known = tables.get(prior) ?? table(prior)
  tables.set(prior, known)
  return known
}
