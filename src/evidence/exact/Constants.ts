import * as Schema from "effect/Schema"
import * as Exact from "./Exact.ts"
import { pow } from "../../numeric/Power.ts"
import * as Real from "../../numeric/Real.ts"

/** A factor of exact numbers, p/q sqrt(root) pi^(halfPi / 2), and its prior mass. */
export interface Unit {
  readonly root: number
  readonly halfPi: number
  readonly mass: number
  /** p and q; [1, 1] if left out. With [2, 1] and halfPi = 2 the unit is 2 pi. */
  readonly factor?: readonly [number, number] | undefined
}

/** A probability by the number of columns that a law has: that of one column, of two, ...; the last is that of more. */
export type ByColumns = readonly [number, ...ReadonlyArray<number>]

/**
 * The prior of exact constants. With probability `exact` a coefficient is an exact number. Otherwise its size is unknown:
 * log-uniform within a factor of `range`,
 *
 *     p(b) = 1 / (2 |b| log range)
 *
 * Exact coefficients are +- p/q u, with equal probability for both signs,
 *
 *     P(p/q) = 0.643 / max(p, q)^3.2   (p, q coprime; 2 zeta(2.2) / zeta(3.2) - 1 = 1 / 0.643),   P(u) declared
 *
 * so that 1 has mass 0.64, 2 and 1/2 have 0.07, 3, 3/2, 2/3 and 1/3 have 0.02. The intercept is 0 with probability `zero`. If
 * not, it is minus the coefficient of a term, as that of b (1 - exp(-c x)) is, with probability `tied`; otherwise it has the prior of any coefficient. If the law is the exponential of a sum, the intercept is the logarithm of
 * a leading factor, and an intercept of 0 is a factor of 1, with probability `factorless`.
 *
 * The more columns a law has the more of its coefficients are exact: a curve over one column has the numbers of its sample, a law of mass,
 * speed and height has units that were made for it. The defaults are frequencies of the forms of 847 named laws (`bench/priors/constants.ts`,
 * docs/reference/form-prior.md, docs/adr/0024 and 0059).
 */
export interface Constants {
  /** each in (0, 1) */
  readonly exact: ByColumns
  /** each in [0, 1) */
  readonly zero: ByColumns
  /** of the exponential of a sum, in place of `zero`; each in [0, 1) */
  readonly factorless: ByColumns
  /** of an intercept that is not 0, of a law under the identity, in [0, 0.5) */
  readonly tied: number
  /** masses sum to at most 1 */
  readonly units: ReadonlyArray<Unit>
  /** The largest p q of an exact number; the mass beyond it is dropped. */
  readonly largest: number
  /** The ratio of the largest size of a free coefficient to the smallest, > 1. */
  readonly range: number
  /** The posterior odds, >= 1, from which on a number is called exact, for each such number. */
  readonly odds: number
}

/** A prior of exact constants with an impossible setting. */
export class ConstantsError extends Schema.TaggedError<ConstantsError>()("ConstantsError", {
  message: Schema.String,
}) {}

/** The default units of exact numbers: 1, pi, sqrt 2, and the factors of periods, solid angles and normal densities. */
export const units: ReadonlyArray<Unit> = [
  { root: 1, halfPi: 0, mass: 0.92 },
  { root: 1, halfPi: 2, mass: 0.012 },
  { root: 1, halfPi: 2, mass: 0.012, factor: [2, 1] },
  { root: 1, halfPi: 2, mass: 0.008, factor: [4, 1] },
  { root: 1, halfPi: -2, mass: 0.006 },
  { root: 1, halfPi: -2, mass: 0.008, factor: [1, 2] },
  { root: 1, halfPi: -2, mass: 0.012, factor: [1, 4] },
  { root: 1, halfPi: 4, mass: 0.002 },
  { root: 1, halfPi: 4, mass: 0.003, factor: [4, 1] },
  { root: 1, halfPi: -4, mass: 0.001 },
  { root: 2, halfPi: 0, mass: 0.004 },
  { root: 2, halfPi: 0, mass: 0.002, factor: [1, 2] },
  { root: 3, halfPi: 0, mass: 0.001 },
  { root: 1, halfPi: 1, mass: 0.001 },
  { root: 1, halfPi: -1, mass: 0.002 },
  { root: 2, halfPi: 1, mass: 0.0005 },
  { root: 2, halfPi: -1, mass: 0.003, factor: [1, 2] },
]

/** Settings of `make`: probabilities may be one for laws of any number of columns. */
export interface Settings extends Partial<Omit<Constants, Varying>> {
  readonly exact?: number | ByColumns | undefined
  readonly zero?: number | ByColumns | undefined
  /** as `zero` where that is given alone */
  readonly factorless?: number | ByColumns | undefined
}

type Varying = "exact" | "zero" | "factorless"

const byColumns = (given: number | ByColumns | undefined, usual: ByColumns): ByColumns =>
  given === undefined ? usual : typeof given === "number" ? [given] : given

/** Frequencies of named laws of one, two, three and more columns. */
export const frequencies = {
  exact: [0.14, 0.41, 0.67, 0.81],
  zero: [0.49, 0.76, 0.89, 0.99],
  factorless: [0.11, 0.26, 0.55, 0.83],
} as const satisfies Record<Varying, ByColumns>

/**
 * A prior of exact constants. By default probabilities are frequencies of named laws (`frequencies`), and an intercept that is not 0 is
 * minus a coefficient with probability 0.24.
 *
 * @throws ConstantsError naming what is out of range
 *
 * @example
 * Constants.make({ exact: 0.4, zero: 0.6 }) // of laws of any number of columns
 */
export const make = (options: Settings = {}): Constants => {
  const prior: Constants = {
    tied: 0.24,
    units,
    largest: 150,
    range: 1000,
    odds: 3,
    ...options,
    exact: byColumns(options.exact, frequencies.exact),
    zero: byColumns(options.zero, frequencies.zero),
    factorless: byColumns(options.factorless ?? options.zero, frequencies.factorless),
  }
  const complain = (message: string): never => {
    throw new ConstantsError({ message })
  }
  if (!prior.exact.every((mass) => mass > 0 && mass < 1))
    complain(`the mass of exact constants must lie between 0 and 1, but is ${prior.exact.join(", ")}`)
  if (!prior.zero.every((mass) => mass >= 0 && mass < 1))
    complain(`the mass of a zero intercept must lie in [0, 1), but is ${prior.zero.join(", ")}`)
  if (!prior.factorless.every((mass) => mass >= 0 && mass < 1))
    complain(`the mass of a factor of 1 must lie in [0, 1), but is ${prior.factorless.join(", ")}`)
  if (!(prior.tied >= 0 && prior.tied < 0.5))
    complain(`the mass of a tied intercept must be at least 0 and less than 0.5, but is ${prior.tied}`)
  if (!(prior.largest >= 1 && prior.largest <= 1e5))
    complain(`the largest p q must lie between 1 and 100000, but is ${prior.largest}`)
  if (!(prior.range > 1 && prior.range < Infinity))
    complain(`the range of free coefficients must be finite and above 1, but is ${prior.range}`)
  if (!(prior.odds >= 1 && prior.odds < Infinity))
    complain(`the odds of an exact number must be finite and at least 1, but are ${prior.odds}`)
  const total = prior.units.reduce((sum, { mass }) => sum + mass, 0)
  if (!(prior.units.every(({ mass }) => mass > 0) && total <= 1 + 1e-12))
    complain(`masses of units must be positive and sum to at most 1, but sum to ${total}`)
  return prior
}

export const defaults = make()

/** The prior of the exact constants of a law: probabilities as in `Constants`, for its number of columns. */
export interface OfLaw extends Pick<Constants, "tied" | "range" | "odds"> {
  readonly exact: number
  /** of a factor of 1 where the law is the exponential of a sum */
  readonly zero: number
}

const among = (by: ByColumns, columns: number): number => by[Math.max(0, Math.min(columns, by.length) - 1)]!

/**
 * @param columns how many columns of the data the law has
 * @param logarithmic whether the law is the exponential of a sum
 */
export const ofLaw = (
  { exact, zero, factorless, tied, range, odds }: Constants,
  columns: number,
  logarithmic: boolean,
): OfLaw => ({
  exact: among(exact, columns),
  zero: among(logarithmic ? factorless : zero, columns),
  tied,
  range,
  odds,
})

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

/** The number of exact numbers in reach up to which these are looked at, and not all by their mass. */
const few = 1000

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** 1 / (2 zeta(2.2) / zeta(3.2) - 1), the mass of 1 among fractions */
const share = 0.643093710757904

/** The exact numbers of a prior, sorted by value. */
export const table = ({ units: over, largest }: Constants): Table => {
  const masses = new Map<string, { readonly exact: Exact.Exact; mass: number }>()
  for (let p = 1; p <= largest; p++)
    for (let q = 1; p * q <= largest; q++) {
      if (gcd(p, q) > 1) continue
      const size = pow(Math.max(p, q), 3.2)
      for (const { root, halfPi, mass, factor = [1, 1] } of over) {
        const exact = Exact.make(p * factor[0], q * factor[1], root, halfPi)
        const own = (share * mass) / size
        // 2 pi is both 2 times pi and the unit 2 pi.
        const key = Exact.key(exact)
        const before = masses.get(key)
        if (before === undefined) masses.set(key, { exact, mass: own })
        else before.mass += own
      }
    }
  const found = Array.from(
    masses.values(),
    // Half of the mass each for the number and its negative.
    ({ exact, mass }): Candidate => ({ exact, value: Exact.value(exact), logMass: Real.log(mass / 2) }),
  )
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
  // Indices by mass, largest first: where a look-up has most of the table in reach, few of them are looked at in this order.
  const byMass = Int32Array.from(found, (_, i) => i).sort(
    (a, b) => found[b]!.logMass - found[a]!.logMass || a - b,
  )
  return {
    near: (value, deviation, most) => {
      const size = Math.abs(value)
      const from = firstFrom(size - reach * deviation)
      const last = size + reach * deviation
      let end = firstFrom(last)
      while (found[end]?.value === last) end++
      const best: Array<Candidate> = []
      const weights: Array<number> = []
      const places: Array<number> = []
      const consider = (i: number): void => {
        const one = found[i]!
        // No weight is above its mass.
        if (best.length === most && one.logMass < weights[most - 1]!) return
        const z = (one.value - size) / deviation
        const weight = one.logMass - (z * z) / 2
        const above = weights.findIndex(
          (other, at) => other < weight || (other === weight && places[at]! > i),
        )
        const at = above < 0 ? best.length : above
        if (at === most) return
        best.splice(at, 0, one)
        weights.splice(at, 0, weight)
        places.splice(at, 0, i)
        if (best.length <= most) return
        best.pop()
        weights.pop()
        places.pop()
      }
      if (end - from <= few) for (let i = from; i < end; i++) consider(i)
      else
        for (const i of byMass) {
          if (best.length === most && found[i]!.logMass < weights[most - 1]!) break
          if (i >= from && i < end) consider(i)
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
