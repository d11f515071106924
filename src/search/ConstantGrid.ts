import { scalarFunction } from "../expr/evaluate.ts"
import type { Operator } from "../expr/Operator.ts"
import * as Rng from "../random/Rng.ts"
import { pow } from "../numeric/Power.ts"
import * as Real from "../numeric/Real.ts"

/** Whether a number at an argument of an operator is as good as one at its value, where it is looked at already. */
export interface Absorbing {
  /** f(c x) is c' f(x) or f(x) + c' */
  readonly factor: boolean
  /** f(x + c) is f(x) + c' or c' f(x) */
  readonly shift: boolean
  /** f rises and falls again and again. */
  readonly turns: boolean
  /** f is defined above 0, and not below. */
  readonly isPositive: boolean
}

/** Points at which operators are compared, in the domain of all. */
const points: ReadonlyArray<ReadonlyArray<number>> = [
  [0.7, 1.9],
  [1.3, 0.6],
  [2.1, 1.1],
  [3.4, 2.3],
]

/** An argument at which a root, a logarithm and a power have no value. */
const below = -0.7

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
      isPositive: Number.isFinite(run(points[0]!)) && !Number.isFinite(run(points[0]!.with(place, below))),
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
const turning = Array.from({ length: 28 }, (_, i) => i)
const periods = Array.from({ length: 90 }, (_, i) => i)
const steeper = [30, 80, 200]
/** Shares of a range, at which a shifted column is still away from zero, and at which it crosses zero. */
const away = [0.03, 0.12, 0.5, 2]
const across = [0.08, 0.22, 0.36, 0.5, 0.64, 0.78, 0.92]

/** A number that shares its value with others of about its size: neighbours differ by a fifth of a decade. */
const shared = (value: number): number => pow(10, Math.round(5 * Real.log10(Math.abs(value))) / 5)

/** Exponents of powers, rough values. */
export const exponents: ReadonlyArray<number> = [-4, -2.7, -1.7, -1.3, -0.7, -0.3, 0.3, 0.7, 1.3, 1.7, 2.7, 4]

/** Rough values of constants: where fits begin. */
export interface ConstantGrid {
  /** Factors c of f(c v). */
  readonly factors: (range: Range, own: Absorbing) => ReadonlyArray<number>
  /** Factors of a wave of unknown phase, so close that a fit is found between neighbours: up to twenty periods over the range. */
  readonly frequencies: (range: Range) => ReadonlyArray<number>
  /** Phases, a quarter of a period apart: of any phase one of both is near, or its opposite. */
  readonly phases: ReadonlyArray<number>
  /** Factors of a column that comes close to zero on a few rows, where the function has most of its change: also larger ones. */
  readonly steep: (range: Range, own: Absorbing) => ReadonlyArray<number>
  /** Shifts c for which v + c has one sign: for functions with a pole or a domain. */
  readonly outer: (range: Range) => ReadonlyArray<number>
  /** Shifts c of f(v + c): those for which v + c has one sign, and those for which it has both. */
  readonly shifts: (range: Range) => ReadonlyArray<number>
  readonly exponents: ReadonlyArray<number>
}

/**
 * The grid of a restart. All grids have the same distances between neighbours. Where values lie between them is drawn, but for the first
 * restart: restarts that begin from different grids and end at one law have found it independently (capture and recapture).
 */
export const of = (key: Rng.Key, restart: number): ConstantGrid => {
  const { next } = Rng.generator(Rng.fold(key, restart))
  /** From -1/2 to 1/2: the share of the distance between neighbours by which the values of a kind are moved. */
  const moved = (): number => (restart === 0 ? 0 : next() - 0.5)
  const [size, turn, frequency, phase, distance, place] = [
    pow(2.5, moved()),
    0.8 + 1.4 * moved(),
    0.8 + 1.4 * moved(),
    moved(),
    pow(4, moved()),
    0.14 * moved(),
  ]
  const power = pow(1.3, moved())
  const pairs = (of: ReadonlyArray<number>, reach: number): ReadonlyArray<number> =>
    of.flatMap((factor) => {
      const value = Number((size * shared(factor / reach)).toPrecision(3))
      return [-value, value]
    })
  const factors: ConstantGrid["factors"] = ({ reach }, { turns }) =>
    turns
      ? turning.map((i) => Number(((turn + 1.4 * i) / reach).toPrecision(4)))
      : [...new Set(pairs(sizes, reach))]
  const outer: ConstantGrid["outer"] = ({ low, high }) => {
    const spread = distance * (high - low)
    return away
      .flatMap((share) => [share * spread - low, -high - share * spread])
      .map((value) => Number(value.toPrecision(5)))
  }
  return {
    factors,
    frequencies: ({ low, high }) =>
      periods.map((i) => Number(((frequency + 1.4 * i) / (high - low)).toPrecision(4))),
    phases: [0.8, 2.4].map((value) => value + 1.6 * phase),
    steep: (range, own) => [...factors(range, own), ...pairs(steeper, range.reach)],
    outer,
    shifts: (range) => [
      ...outer(range),
      ...across.map((share) =>
        Number((-(range.low + (share + place) * (range.high - range.low))).toPrecision(5)),
      ),
    ],
    exponents: exponents.map((value) => Number((power * value).toPrecision(3))),
  }
}
