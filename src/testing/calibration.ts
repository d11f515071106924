import { betaI } from "../numeric/Special.ts"
import { type GoodnessOfFit, kolmogorovSmirnov } from "./goodnessOfFit.ts"

/** A statement, and whether it was right. */
export interface Statement {
  /** the stated probability, in [0, 1] */
  readonly probability: number
  readonly right: boolean
}

/** The statements of a range of probabilities. */
export interface Bin {
  /** the range [low, high); of the last bin [low, high] */
  readonly low: number
  readonly high: number
  readonly count: number
  /** the mean stated probability; NaN of none */
  readonly stated: number
  /** the share that is right; NaN of none */
  readonly right: number
  /** the 95 % interval of the probability to be right (Clopper and Pearson 1934) */
  readonly interval: readonly [number, number]
}

/** How stated probabilities compare with the share that is true (a reliability diagram). */
export interface Diagram {
  readonly bins: ReadonlyArray<Bin>
  readonly count: number
  /** the mean of |stated - right| over the bins, weighted by their counts (expected calibration error) */
  readonly error: number
  /** the error that right probabilities would have by chance, with as many statements: the mean of sqrt(2 p (1 - p) / (pi n)) over the bins */
  readonly chance: number
  /** the mean square of probability less truth (Brier 1950) */
  readonly brier: number
  /** the statements above 0.99, and those of them that are wrong */
  readonly sure: number
  readonly sureWrong: number
}

/** The x with P(Beta(a, b) <= x) = p, by bisection. */
const betaQuantile = (p: number, a: number, b: number): number => {
  let [low, high] = [0, 1]
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2
    if (betaI(a, b, middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * The exact interval of a probability after k successes of n (Clopper and Pearson, Biometrika 26, 1934).
 *
 * @param level the coverage, 0.95 if left out
 */
export const interval = (k: number, n: number, level = 0.95): readonly [number, number] => {
  const tail = (1 - level) / 2
  return [k === 0 ? 0 : betaQuantile(tail, k, n - k + 1), k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k)]
}

const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The reliability diagram of statements: stated probability against how often it is right, in bins of equal width.
 *
 * *When to use*: for the calibration of a fit, of a benchmark or of a model of your own; `place` tests the whole posterior.
 *
 * @param width the number of bins, 10 if left out
 */
export const diagram = (statements: ReadonlyArray<Statement>, width = 10): Diagram => {
  const binOf = (probability: number): number => Math.min(width - 1, Math.floor(probability * width))
  const bins = Array.from({ length: width }, (_, bin): Bin => {
    const own = statements.filter(({ probability }) => binOf(probability) === bin)
    const right = own.filter((one) => one.right).length
    return {
      low: bin / width,
      high: (bin + 1) / width,
      count: own.length,
      stated: meanOf(own.map(({ probability }) => probability)),
      right: right / own.length,
      interval: interval(right, own.length),
    }
  })
  const sure = statements.filter(({ probability }) => probability > 0.99)
  return {
    bins,
    count: statements.length,
    error: bins.reduce(
      (sum, { count, stated, right }) =>
        count === 0 ? sum : sum + (count / statements.length) * Math.abs(stated - right),
      0,
    ),
    chance: bins.reduce(
      (sum, { count, stated }) =>
        count === 0
          ? sum
          : sum + (count / statements.length) * Math.sqrt((2 * stated * (1 - stated)) / (Math.PI * count)),
      0,
    ),
    brier: meanOf(statements.map(({ probability, right }) => (probability - Number(right)) ** 2)),
    sure: sure.length,
    sureWrong: sure.filter(({ right }) => !right).length,
  }
}

/**
 * The place of the truth in a posterior over an enumerated space: uniform on (0, 1) over draws of truth and data from the model, if and
 * only if the posterior is right (simulation-based calibration, Talts et al. 2018, for a discrete space by randomisation).
 *
 * @param posterior probabilities in an order that does not depend on the data
 * @param truth the index of the truth
 * @param uniform a number from (0, 1), independent of all else
 */
export const place = (posterior: ReadonlyArray<number>, truth: number, uniform: number): number => {
  const before = posterior.slice(0, truth).reduce((sum, share) => sum + share, 0)
  return Math.min(1, before + uniform * (posterior[truth] ?? 0))
}

/** The counts of places in bins of equal width, and the test that they are uniform. */
export const places = (
  values: ReadonlyArray<number>,
  width = 10,
): { readonly counts: ReadonlyArray<number>; readonly uniform: GoodnessOfFit } => {
  const counts = Array.from({ length: width }, () => 0)
  for (const value of values) counts[Math.min(width - 1, Math.floor(value * width))]! += 1
  return { counts, uniform: kolmogorovSmirnov(values, (x) => x) }
}

/** The levels of the intervals that are compared: those of the bands of predictions. */
export const levels = [0.5, 0.8, 0.9, 0.95]

/** How often the central interval of a level holds the truth, from the places of truths in their posteriors. */
export const coverage = (
  values: ReadonlyArray<number>,
  level: number,
): { readonly share: number; readonly interval: readonly [number, number] } => {
  const inside = values.filter((value) => Math.abs(value - 0.5) <= level / 2).length
  return { share: inside / values.length, interval: interval(inside, values.length) }
}
