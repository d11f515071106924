import * as GaussNewton from "../numeric/GaussNewton.ts"
import { extremes } from "../numeric/extremes.ts"
import { largestFinite } from "../numeric/finite.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { dot } from "../numeric/orthogonal.ts"
import { thinned } from "../numeric/thinned.ts"
import { schwarz } from "./schwarz.ts"

/** N(u) / D(u). */
export interface RationalFunction {
  /** the coefficients of N, of 1, u, u^2, ...; 0 for powers that N lacks */
  readonly numerator: Float64Array
  /** the coefficients of D, of 1, u, u^2, ...; the first is 1 */
  readonly denominator: Float64Array
}

/** The degrees of D, the largest degree of N, and how much larger than that of D it may be. */
export interface Degrees {
  readonly denominator: ReadonlyArray<number>
  readonly numerator: number
  readonly more: number
}
/** Those of measured curves. */
export const usual: Degrees = { denominator: [1, 2, 3, 4], numerator: 6, more: 3 }
/** Those of most laws: resonances have a denominator of degree 4. */
export const small: Degrees = { denominator: [1, 2, 4], numerator: 4, more: 1 }

/** Rows that functions are fitted on, at most, and the rows that each coefficient needs. */
const rows = { most: 200, each: 1.5 } as const
/** How often the linear problem is solved; steps from there to least squares, at most, and the share of the sum of squares that a step must gain. */
const [rounds, steps, tolerance] = [6, 12, 1e-5] as const
/** Denominators are taken for at least this share of the largest. */
const least = 0.01
/** The functions from which terms are taken, the terms that are tried for it, and the functions that are given. */
const [begun, tried, given] = [4, 3, 4] as const
/** The number of degrees of N that are fitted in a part. */
const together = 4
/** Points between the least and the largest u, at which D may not vanish. */
const points = 64

/** The terms of N and of D beside 1, as powers. */
interface Terms {
  readonly over: ReadonlyArray<number>
  readonly under: ReadonlyArray<number>
}

/** The function at given coefficients of D and then of N. */
interface Point {
  readonly residual: Float64Array
  /** D on the rows, and N / D */
  readonly below: Float64Array
  readonly value: Float64Array
  readonly rss: number
}

interface Fit extends Terms {
  readonly coefficients: Float64Array
  readonly rss: number
  readonly criterion: number
}

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, k) => from + k)

const raised = (value: number, power: number): number => (power === 0 ? 1 : value * raised(value, power - 1))

/** The making of functions: it yields after each of some milliseconds. */
export type Making = Generator<void, ReadonlyArray<RationalFunction>>

/**
 * The rational functions of u that are nearest to z, by weighted least squares, best first: of some degrees, and without terms that explain nothing
 * (backward elimination by the criterion of Schwarz 1978).
 *
 * Of a denominator that is known, z D = N is linear in all coefficients; it is that of the round before (Sanathanan and Koerner 1963). With noise that is
 * no least squares, to which Gauss-Newton steps lead from there, and from functions of a degree less. Functions with a pole between the least and the
 * largest u are left out.
 *
 * @param u length n
 * @param z length n
 * @param w weights of the residuals, length n
 */
export const of = function* (
  u: Float64Array,
  z: Float64Array,
  w: Float64Array,
  degrees: Degrees = usual,
): Making {
  const some = thinned(u.length, rows.most)
  const { low, high } = extremes(u) ?? { low: 0, high: 0 }
  if (!(high > low)) return []
  const scale = Math.max(Math.abs(low), Math.abs(high))
  const [x, y, weight] = [some(u).map((value) => value / scale), some(z), some(w)]
  const n = x.length
  const grid = Float64Array.from(
    { length: points },
    (_, i) => (low + ((high - low) * i) / (points - 1)) / scale,
  )
  const powersOf = (at: Float64Array): ReadonlyArray<Float64Array> =>
    range(0, Math.max(degrees.numerator, ...degrees.denominator)).map((k) =>
      at.map((value) => raised(value, k)),
    )
  const [powers, between] = [powersOf(x), powersOf(grid)]
  const criterion = schwarz(
    y.map((value, i) => value * weight[i]!),
    weight,
  )
  /** D where powers are of some u. */
  const denominatorAt = (
    of: ReadonlyArray<Float64Array>,
    { under }: Terms,
    coefficients: Float64Array,
  ): Float64Array => of[0]!.map((_, i) => under.reduce((sum, k, j) => sum + coefficients[j]! * of[k]![i]!, 1))

  const at = (terms: Terms, coefficients: Float64Array): Point | undefined => {
    const { over, under } = terms
    const below = denominatorAt(powers, terms, coefficients)
    const value = new Float64Array(n)
    over.forEach((k, j) =>
      value.forEach((_, i) => (value[i]! += coefficients[under.length + j]! * powers[k]![i]!)),
    )
    const sign = Math.sign(below[0]!)
    const isWhole = (denominator: number): boolean => denominator * sign > 0
    if (!below.every(isWhole) || !denominatorAt(between, terms, coefficients).every(isWhole)) return undefined
    value.forEach((_, i) => (value[i]! /= below[i]!))
    const residual = value.map((own, i) => weight[i]! * (y[i]! - own))
    const rss = dot(residual, residual)
    return Number.isFinite(rss) ? { residual, below, value, rss } : undefined
  }
  /** Coefficients by linear problems. */
  const linear = (terms: Terms): Float64Array => {
    const { over, under } = terms
    let coefficients: Float64Array = new Float64Array(0)
    let denominator = new Float64Array(n).fill(1)
    for (let round = 0; round < rounds; round++) {
      const by = weight.map((value, i) => value / denominator[i]!)
      const columns = [
        ...under.map((k) => powers[k]!.map((value, i) => -value * y[i]! * by[i]!)),
        ...over.map((k) => powers[k]!.map((value, i) => value * by[i]!)),
      ]
      coefficients = leastSquares(
        columns,
        y.map((value, i) => value * by[i]!),
      ).coefficients
      const values = denominatorAt(powers, terms, coefficients)
      const largest = largestFinite(values)
      // A pole of an early round goes with later ones, if rows near it are not all that counts.
      denominator = values.map((value) => Math.max(Math.abs(value), least * largest))
    }
    return coefficients
  }
  const fit = (terms: Terms, starts: ReadonlyArray<Float64Array>): Fit | undefined => {
    const { over, under } = terms
    const ends = starts.flatMap(
      (start) =>
        GaussNewton.minimise<Point>(
          {
            at: (coefficients) => at(terms, coefficients),
            loss: ({ rss }) => rss,
            model: ({ residual, below, value }) =>
              GaussNewton.linearised(
                [
                  ...under.map((k) =>
                    below.map((own, i) => (-weight[i]! * value[i]! * powers[k]![i]!) / own),
                  ),
                  ...over.map((k) => below.map((own, i) => (weight[i]! * powers[k]![i]!) / own)),
                ],
                residual,
              ),
          },
          start,
          { most: steps, enough: ({ rss }) => tolerance * rss },
        ) ?? [],
    )
    if (ends.length === 0) return undefined
    const { x: coefficients, point } = ends.reduce((a, b) => (b.point.rss < a.point.rss ? b : a))
    return {
      ...terms,
      coefficients,
      rss: point.rss,
      criterion: criterion(point.rss, over.length + under.length),
    }
  }
  /** The function without the terms that explain nothing: those with the least largest value are tried first. */
  const reduced = function* (from: Fit): Generator<void, Fit> {
    let best = from
    for (;;) {
      const { over, under, coefficients } = best
      const fits = [...coefficients.keys()]
        .sort((a, b) => Math.abs(coefficients[a]!) - Math.abs(coefficients[b]!))
        .slice(0, tried)
        .flatMap((j) => {
          const terms = {
            over: over.filter((_, k) => k + under.length !== j),
            under: under.filter((_, k) => k !== j),
          }
          if (terms.over.length * terms.under.length === 0) return []
          return fit(terms, [coefficients.filter((_, k) => k !== j), linear(terms)]) ?? []
        })
      yield
      const next = fits.reduce((a, b) => (b.criterion < a.criterion ? b : a), best)
      if (next === best) return best
      best = next
    }
  }
  /** All functions of some degrees, each from linear problems and from those of a degree less. */
  const known = new Map<string, Fit>()
  for (const d of degrees.denominator)
    for (const k of range(0, Math.min(degrees.numerator, d + degrees.more))) {
      if ((k + 1 + d) * rows.each > n) break
      const terms = { over: range(0, k), under: range(1, d) }
      const above = known.get(`${k - 1} ${d}`)?.coefficients
      const below = known.get(`${k} ${d - 1}`)?.coefficients
      const own = fit(terms, [
        linear(terms),
        ...(above === undefined ? [] : [Float64Array.of(...above, 0)]),
        ...(below === undefined ? [] : [Float64Array.of(...below.slice(0, d - 1), 0, ...below.slice(d - 1))]),
      ])
      if (k % together === 0) yield
      if (own !== undefined) known.set(`${k} ${d}`, own)
    }
  const whole = [...known.values()].sort((a, b) => a.criterion - b.criterion)
  const all = [...whole]
  for (const from of whole.slice(0, begun)) all.push(yield* reduced(from))
  all.sort((a, b) => a.criterion - b.criterion)
  // A function with all terms of a better one, and others, is that one times 1.
  const hasAll = (some: Terms, terms: Terms): boolean =>
    terms.over.every((k) => some.over.includes(k)) && terms.under.every((k) => some.under.includes(k))
  return all
    .filter((one, i) => !all.slice(0, i).some((better) => hasAll(one, better)))
    .slice(0, given)
    .map(({ over, under, coefficients }) => {
      const spread = (terms: ReadonlyArray<number>, from: number): Float64Array => {
        const out = new Float64Array(1 + Math.max(...terms))
        terms.forEach((k, j) => (out[k] = coefficients[from + j]! / raised(scale, k)))
        return out
      }
      const denominator = spread(under, 0)
      denominator[0] = 1
      return { numerator: spread(over, under.length), denominator }
    })
}

/** N = P D + R, with R of a lower degree than D: the coefficients of P and of R. */
export const divided = ({
  numerator,
  denominator,
}: Pick<RationalFunction, "numerator" | "denominator">): {
  readonly quotient: Float64Array
  readonly remainder: Float64Array
} => {
  const left = numerator.slice()
  const degree = denominator.length - 1
  const quotient = new Float64Array(Math.max(0, left.length - degree))
  for (let k = quotient.length - 1; k >= 0; k--) {
    const by = (quotient[k] = left[k + degree]! / denominator[degree]!)
    denominator.forEach((value, j) => (left[k + j]! -= by * value))
  }
  return { quotient, remainder: left.slice(0, degree) }
}
