import { largestFinite } from "../../numeric/finite.ts"
import { pow } from "../../numeric/Power.ts"
import { type Frontier, height } from "../Frontier.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import * as PowerProduct from "../PowerProduct.ts"
import { proposing } from "../Proposing.ts"
import * as RationalFunctions from "../RationalFunctions.ts"
import { varying } from "../SearchSpace.ts"
import type { Workbench } from "../Workbench.ts"

/** The step of a restart at which rational functions are looked for: other moves find laws of one term before. */
const begins = 10
/** The number of responses that they are looked for under: y itself, and the one that leads. */
const responses = 2
/** Tables of more columns are left alone: their laws are seldom functions of one. */
const columns = 2
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

/** Ensembles of a rational function: the quotient, and a polynomial beside one that has a numerator of lower degree. */
const ensembles = (
  bench: Workbench,
  u: number,
  reach: number,
  { numerator, denominator }: RationalFunctions.RationalFunction,
): ReadonlyArray<ReadonlyArray<number>> => {
  const { number, times, sum } = PolynomialTrees.make(bench)
  const power = (k: number): number => PowerProduct.raised(bench, u, k)
  const terms = (coefficients: Float64Array): ReturnType<typeof termsOf> => termsOf(coefficients, reach)
  const polynomial = (coefficients: ReturnType<typeof termsOf>, over: number): number =>
    sum(coefficients.map(({ power: k, by }) => (k === 0 ? number(by / over) : times(by / over, power(k)))))
  /** N / D, but for a factor: the coefficient of the lowest power of N is 1. */
  const quotient = (over: Float64Array): number => {
    const own = terms(over)
    return own[0] === undefined
      ? -1
      : bench.apply("div", polynomial(own, own[0].by), polynomial(terms(denominator), 1))
  }
  const { quotient: whole, remainder } = RationalFunctions.divided({ numerator, denominator })
  const beside = terms(whole).flatMap(({ power: k }) => (k === 0 ? [] : [power(k)]))
  return [[quotient(numerator)], ...(whole.length === 0 ? [] : [[...beside, quotient(remainder)]])].filter(
    (trees) => trees.length <= bench.most && !trees.includes(-1),
  )
}

/** The best rational functions of each feature under a response, as ensembles of nodes. */
const look = function* (
  bench: Workbench,
  { response }: Frontier,
): Generator<void, ReadonlyArray<ReadonlyArray<number>>> {
  const { space } = bench
  const { id, weight, centre, scale } = space.responses[response]!
  const features = varying(space)
  if (features.length > columns) return []
  // Not centred: N / D less a constant has all powers of D in its numerator.
  const z = space.kernel.column(id).map((value) => value + centre / scale)
  const found: Array<ReadonlyArray<number>> = []
  for (const u of features) {
    const column = space.kernel.column(u).slice()
    const reach = largestFinite(column)
    const functions = yield* RationalFunctions.of(column, z, space.kernel.column(weight).slice())
    found.push(...functions.flatMap((one) => ensembles(bench, u, reach, one)))
  }
  return found
}

/**
 * Rational functions of one column are fitted by linear problems, once in a restart: no term of them is good by itself, and no rough value of their numbers.
 *
 * *When to use*: for measured curves, such as thermal expansion or the response of a device, and quotients of polynomials.
 */
export const rationalFunctions = proposing("rationalFunctions", function* (bench, step) {
  const rank = step - begins
  if (rank < 0 || rank >= responses || !PolynomialTrees.make(bench).areMade) return []
  const place = (one: Frontier): number => (one.response === bench.itself ? Infinity : height(one))
  const frontier = bench.frontiers.toSorted((a, b) => place(b) - place(a))[rank]
  if (frontier === undefined) return []
  const { response } = frontier
  return (yield* look(bench, frontier)).map((trees) => ({ response, trees }))
})
