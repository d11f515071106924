import type { Dataset } from "../../data/Data.ts"
import { columnOf } from "../../expr/columnOf.ts"
import * as Term from "../../expr/Term.ts"
import * as Cholesky from "../../numeric/cholesky.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { largestFinite } from "../../numeric/finite.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import * as Constants from "../exact/Constants.ts"
import type { FoundNoise } from "../likelihood/Interface.ts"
import { additive, type Kind } from "../Noise.ts"
import { completed } from "./completed.ts"

/** A law whose fitted numbers have names. */
export interface NumberedLaw {
  /** the law solved for y, over the features of the data and the names of its numbers */
  readonly formula: Term.Term
  readonly names: ReadonlyArray<string>
  /** the value of each name */
  readonly values: Float64Array
}

/** A law with the posterior of its fitted numbers and of its noise, from which it predicts without its data. */
export interface FittedLaw extends NumberedLaw {
  /**
   * The covariance of the numbers by the law's linearisation, sigma^2 (J'WJ)^-1, q x q row-major, with J the derivatives of the law by the
   * numbers on the rows of the data and W the weights of the noise
   */
  readonly covariance: Float64Array
  readonly noise: Pick<Kind, "deviation" | "residual" | "degrees">
  /** the noise scale: residuals of the noise's kind are sigma times standard noise */
  readonly sigma: number
  /** n - q, the degrees of freedom of `sigma` */
  readonly freedom: number
}

/** The noise that a law's numbers are fitted under. */
export interface Under {
  readonly noise: FittedLaw["noise"]
  /** one over the standard deviation of each row up to a factor, for differences y - mu, 0 for rows that do not count; 1 if left out */
  readonly by?: Float64Array | undefined
  /** the noise scale, where it is not the root of the mean weighted square: of heavy tails */
  readonly sigma?: number | undefined
}

/** Numbers that differ by less than this relative to their size are the same. */
const same = 1e-14

/** Whether two numbers of a law are the same but for the rounding of the last digit and the sign. */
export const isSame = (one: number, other: number): boolean =>
  Math.abs(Math.abs(one) - Math.abs(other)) <= same * Math.abs(one)

/** Numbers below this are exact if they are whole multiples of 1/2, 1/3, 1/4 or 1/6; larger ones may have been rounded to be whole. */
const small = 1000

/**
 * Whether a number of a law is written exactly: 2, 3/2, pi/4, or a number of the grammar, but not a fitted number, which has more
 * digits.
 */
const isExact = (value: number, given: ReadonlySet<number>): boolean =>
  (Math.abs(value) < small && Number.isInteger(12 * value)) ||
  given.has(Math.abs(value)) ||
  Constants.tableOf(Constants.defaults).near(value, same * Math.abs(value), 1).length > 0

/** The magnitudes of the numbers that a grammar has as terminals. */
export const exactNumbers = ({ terminals }: Grammar): ReadonlySet<number> =>
  new Set(terminals.flatMap(({ term }) => (term._tag === "Constant" ? [Math.abs(term.value)] : [])))

/** The names of numbers, a, b, ..., z, a1, b1, ..., without those that are taken. */
function* unused(taken: ReadonlySet<string>): Generator<string, never> {
  for (let round = 0; ; round++)
    for (let letter = 0; letter < 26; letter++) {
      const name = `${String.fromCharCode(97 + letter)}${round === 0 ? "" : round}`
      if (!taken.has(name)) yield name
    }
}

/**
 * A printed law with names in the place of its fitted numbers. Numbers that are exact to the last digit (2, 3/2, pi/4) stay. Equal
 * numbers have one name, and so have a number and its negative.
 *
 * @param exact magnitudes of numbers that are exact beside simple fractions and those of the default prior of constants
 *
 * @example
 * numbered(parse("2.13*x^2 + 0.5"), ["x"]) // a*x^2 + 0.5, a = 2.13
 */
export const numbered = (
  law: Term.Term,
  features: ReadonlyArray<string>,
  exact: ReadonlySet<number> = new Set(),
): NumberedLaw => {
  const names: Array<string> = []
  const values: Array<number> = []
  const fresh = unused(new Set([...features, ...Term.variables(law)]))
  const of = (value: number): Term.Term => {
    const at = values.findIndex((other) => isSame(value, other))
    if (at >= 0) {
      const name = Term.variable(names[at]!)
      return Math.sign(values[at]!) === Math.sign(value) ? name : Term.neg(name)
    }
    const name = fresh.next().value
    names.push(name)
    values.push(value)
    return Term.variable(name)
  }
  const formula = Term.fold<Term.Term>((layer) =>
    layer._tag === "Constant" && !isExact(layer.value, exact) ? of(layer.value) : layer,
  )(law)
  return { formula, names, values: Float64Array.from(values) }
}

/** A law over rows of data. */
export interface Rows {
  /** the values of the law on every row; not finite where it is not defined */
  readonly mean: Float64Array
  /** the derivatives of the law by each number, of the same length */
  readonly slopes: ReadonlyArray<Float64Array>
}

/** The step of a central difference, relative to the size of the number. */
const step = 1e-6

/** The size of a number in its own unit: its magnitude, or, of 0, the change that moves the law by its own size. */
const sizeOf = (value: number, mean: Float64Array, slope: Float64Array): number => {
  const size = Math.abs(value) || largestFinite(mean) / largestFinite(slope)
  return size > 0 && size < Infinity ? size : 1
}

/**
 * The values of a law and its derivatives by its numbers.
 *
 * @param columns the features by name, of one length
 * @throws RangeError when the law reads a feature that is not there
 */
export const rows = (
  { formula, names, values }: NumberedLaw,
  features: ReadonlyArray<string>,
  columns: ReadonlyArray<Float64Array>,
  count: number,
): Rows => {
  const run = (term: Term.Term, numbers: ArrayLike<number>): Float64Array =>
    columnOf(Term.valued(term, names, numbers), features, columns, count)
  const mean = run(formula, values)
  const slopes = names.map((name, j) => {
    const slope = run(Term.derivative(formula, name), values)
    return completed(slope, mean, () => {
      const delta = step * sizeOf(values[j]!, mean, slope)
      const moved = (by: number): Float64Array => run(formula, values.with(j, values[j]! + by))
      const below = moved(-delta)
      return moved(delta).map((above, i) => (above - below[i]!) / (2 * delta))
    })
  })
  return { mean, slopes }
}

/**
 * sigma^2 (J'WJ)^-1, q x q row-major.
 *
 * @param slopes the q columns of J
 * @param by roots of the weights W; 1 if left out
 */
export const covariance = (
  slopes: ReadonlyArray<Float64Array>,
  sigma: number,
  by?: Float64Array,
): Float64Array => {
  const weighted = by === undefined ? slopes : slopes.map((slope) => slope.map((value, i) => value * by[i]!))
  const information = Float64Array.from(weighted.flatMap((a) => weighted.map((b) => dot(a, b))))
  return Cholesky.inverse(information).map((value) => sigma * sigma * value)
}

/** The law with the covariance of its numbers and the scale of its noise, from the rows that it was fitted to. */
export const make = (law: NumberedLaw, data: Dataset, { noise, by, sigma }: Under): FittedLaw => {
  const { mean, slopes } = rows(law, data.features, data.columns, data.rows)
  let [squares, count] = [0, 0]
  for (let i = 0; i < data.rows; i++) {
    const weight = by?.[i] ?? 1
    if (weight === 0) continue
    squares += (weight * (data.y[i]! - mean[i]!)) ** 2
    count++
  }
  const freedom = Math.max(1, count - law.names.length)
  const scale = sigma ?? Math.sqrt(squares / freedom)
  // A wrong row may be where the law is not defined.
  const finite = slopes.map((slope) => slope.map((value, i) => (by?.[i] === 0 ? 0 : value)))
  return { ...law, covariance: covariance(finite, scale, by), noise, sigma: scale, freedom }
}

/** The standard error of each number: roots of the diagonal of the covariance. */
export const errors = ({
  covariance: matrix,
  names,
}: Pick<FittedLaw, "covariance" | "names">): Float64Array =>
  Float64Array.from(names, (_, j) => Math.sqrt(matrix[j * (names.length + 1)]!))

/** A model of a noise scale. */
interface Noisy {
  readonly sigma2: number
  readonly noise: FoundNoise | undefined
}

/** The noise that a scored model was fitted under. */
export const under = ({ noise }: Pick<Noisy, "noise">): Under => {
  const { form = additive, sigma } = noise ?? {}
  // The weights of rows say how far out they are in heavy tails, so that weighted squares have another mean.
  return { noise: form, by: noise?.weights()?.by, sigma: form.degrees === undefined ? undefined : sigma }
}

/**
 * The law of a scored model, `make` of its expression; undefined where its likelihood has no noise scale.
 *
 * @param exact as in `numbered`
 */
export const of = (
  expression: Term.Term,
  data: Dataset,
  model: Noisy,
  exact?: ReadonlySet<number>,
): FittedLaw | undefined =>
  Number.isNaN(model.sigma2)
    ? undefined
    : make(numbered(expression, data.features, exact), data, under(model))
