import { pow } from "../numeric/Power.ts"
import * as PolynomialTrees from "./PolynomialTrees.ts"
import * as PowerProduct from "./PowerProduct.ts"
import * as RationalFunctions from "./RationalFunctions.ts"
import type { Workbench } from "./Workbench.ts"

/** A term is none with less than this share of the largest. */
const negligible = 1e-9

/** The terms of a polynomial that are not negligible. */
const termsOf = (
  coefficients: Float64Array,
  reach: number,
): ReadonlyArray<{ readonly power: number; readonly by: number }> => {
  const sizes = coefficients.map((value, k) => Math.abs(value) * pow(reach, k))
  const most = Math.max(...sizes)
  return [...coefficients].flatMap((by, power) => (sizes[power]! > negligible * most ? [{ power, by }] : []))
}

/** Rational functions of a node as trees. */
export interface RationalTrees {
  /** N / D but for a factor: the coefficient of the lowest power of N is 1; -1 where there is no node for it */
  readonly quotient: (one: RationalFunctions.RationalFunction) => number
  /** the root of N / D, which is positive, but for a positive factor; -1 where there is no node for it */
  readonly root: (one: RationalFunctions.RationalFunction) => number
  /** a polynomial and a quotient whose numerator has a lower degree than its denominator; undefined of a quotient that is one already */
  readonly divided: (one: RationalFunctions.RationalFunction) => ReadonlyArray<number> | undefined
}

/**
 * @param u a node
 * @param reach the largest magnitude of its values
 */
export const make = (bench: Workbench, u: number, reach: number): RationalTrees => {
  const { number, times, sum } = PolynomialTrees.make(bench)
  const power = (k: number): number => PowerProduct.raised(bench, u, k)
  const terms = (coefficients: Float64Array): ReturnType<typeof termsOf> => termsOf(coefficients, reach)
  const polynomial = (coefficients: ReturnType<typeof termsOf>, over: number): number =>
    sum(coefficients.map(({ power: k, by }) => (k === 0 ? number(by / over) : times(by / over, power(k)))))
  const over = (
    { numerator, denominator }: RationalFunctions.RationalFunction,
    factor: (lowest: number) => number,
  ): number => {
    const own = terms(numerator)
    return own[0] === undefined
      ? -1
      : bench.apply("div", polynomial(own, factor(own[0].by)), polynomial(terms(denominator), 1))
  }
  const quotient: RationalTrees["quotient"] = (one) => over(one, (lowest) => lowest)
  return {
    quotient,
    root: (one) => {
      const inside = over(one, Math.abs)
      return inside < 0 ? -1 : bench.apply("sqrt", inside)
    },
    divided: (one) => {
      const { quotient: whole, remainder } = RationalFunctions.divided(one)
      if (whole.length === 0) return undefined
      const beside = terms(whole).flatMap(({ power: k }) => (k === 0 ? [] : [power(k)]))
      return [...beside, quotient({ ...one, numerator: remainder })]
    },
  }
}
