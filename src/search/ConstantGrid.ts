import { scalarFunction } from "../expr/evaluate.ts"
import type { Operator } from "../expr/Operator.ts"

/** Whether a number at an argument of an operator is as good as one at its value, where it is looked at already. */
export interface Absorbing {
  /** f(c x) is c' f(x) or f(x) + c' */
  readonly factor: boolean
  /** f(x + c) is f(x) + c' or c' f(x) */
  readonly shift: boolean
  /** f rises and falls again and again. */
  readonly turns: boolean
}

/** Points at which operators are compared, in the domain of all. */
const points: ReadonlyArray<ReadonlyArray<number>> = [
  [0.7, 1.9],
  [1.3, 0.6],
  [2.1, 1.1],
  [3.4, 2.3],
]

/** What the arguments of an operator absorb, one by one. */
export const absorbing = ({ term, arity }: Pick<Operator, "term" | "arity">): ReadonlyArray<Absorbing> => {
  const run = scalarFunction(term, ["x", "y"])
  const same = (values: ReadonlyArray<number>): boolean =>
    values.every((value) => Math.abs(value - values[0]!) <= 1e-9 * Math.abs(values[0]!))
  return Array.from({ length: arity }, (_, place) => {
    const covered = (change: (x: number) => number): boolean => {
      const pairs = points.map((point) => [
        run(point),
        run(point.map((value, k) => (k === place ? change(value) : value))),
      ])
      return same(pairs.map(([a, b]) => b! / a!)) || same(pairs.map(([a, b]) => b! - a!))
    }
    const along = Array.from({ length: 400 }, (_, i) => run(points[0]!.with(place, i / 10)))
    const extremes = along.filter(
      (value, i) => i > 0 && i < 399 && (value - along[i - 1]!) * (along[i + 1]! - value) < 0,
    )
    return {
      factor: covered((x) => 1.2 * x),
      shift: covered((x) => x + 0.2),
      turns: extremes.length > 4,
    }
  })
}

/** The values of a column, as far as numbers beside it depend on them. */
export interface Range {
  readonly low: number
  readonly high: number
  /** the largest magnitude */
  readonly reach: number
}

/** The range of a column; undefined when a value is not finite, or all are equal. */
export const rangeOf = (values: Float64Array): Range | undefined => {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) return undefined
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return high > low ? { low, high, reach: Math.max(high, -low) } : undefined
}

/** Factors of a quantity of size 1 inside of a function, and the same inside of a function that turns. */
const sizes = [0.3, 0.8, 2, 5, 12]
const turning = Array.from({ length: 28 }, (_, i) => 0.8 + 1.4 * i)
const steeper = [30, 80, 200]
/** Shares of a range, at which a shifted column is still away from zero, and at which it crosses zero. */
const away = [0.03, 0.12, 0.5, 2]
const across = [0.08, 0.22, 0.36, 0.5, 0.64, 0.78, 0.92]

/** A number that shares its value with others of about its size: neighbours differ by a fifth of a decade. */
const shared = (value: number): number => {
  const size = 10 ** (Math.round(5 * Math.log10(Math.abs(value))) / 5)
  return Math.sign(value) * Number(size.toPrecision(3))
}

/** Factors c of f(c v), rough values: where a fit begins. */
export const factors = ({ reach }: Range, { turns }: Absorbing): ReadonlyArray<number> =>
  turns
    ? turning.map((size) => Number((size / reach).toPrecision(4)))
    : [...new Set(sizes.flatMap((size) => [-shared(size / reach), shared(size / reach)]))]

/** Factors of a wave of unknown phase, so close that a fit is found between neighbours: up to twenty periods over the range. */
export const frequencies = ({ low, high }: Range): ReadonlyArray<number> =>
  Array.from({ length: 90 }, (_, i) => Number(((0.8 + 1.4 * i) / (high - low)).toPrecision(4)))

/** Phases, a quarter of a period apart: of any phase one of both is near, or its opposite. */
export const phases: ReadonlyArray<number> = [0.8, 2.4]

/** Factors of a column that comes close to zero on a few rows, where the function has most of its change: also larger ones. */
export const steep = (range: Range, own: Absorbing): ReadonlyArray<number> => [
  ...factors(range, own),
  ...steeper.flatMap((size) => [-shared(size / range.reach), shared(size / range.reach)]),
]

/** Shifts c for which v + c has one sign, rough values: for functions with a pole or a domain. */
export const outer = ({ low, high }: Range): ReadonlyArray<number> => {
  const spread = high - low
  return away
    .flatMap((share) => [share * spread - low, -high - share * spread])
    .map((value) => Number(value.toPrecision(5)))
}

/** Shifts c of f(v + c), rough values: those for which v + c has one sign, and those for which it has both. */
export const shifts = (range: Range): ReadonlyArray<number> => {
  const { low, high } = range
  const inner = across.map((share) => Number((-(low + share * (high - low))).toPrecision(5)))
  return [...outer(range), ...inner]
}

/** Exponents of powers, rough values. */
export const exponents: ReadonlyArray<number> = [-4, -2.7, -1.7, -1.3, -0.7, -0.3, 0.3, 0.7, 1.3, 1.7, 2.7, 4]
