import * as Term from "../../expr/Term.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { dot, orthogonalise } from "../../numeric/orthogonal.ts"
import { additive } from "../Noise.ts"
import * as Output from "../Output.ts"
import * as FittedLaw from "./FittedLaw.ts"

/** The laws of several outputs over columns and the names of the numbers that they share. */
export interface SharedLaws {
  /** in the order of the outputs */
  readonly formulas: ReadonlyArray<Term.Term>
  readonly names: ReadonlyArray<string>
  readonly values: Float64Array
}

/** The law of one of several outputs. */
export interface OutputLaw {
  /** Its numbers have the covariance that all outputs together give them. Numbers that the rows do not tell apart from others are held, and no names of it. */
  readonly law: FittedLaw.FittedLaw
  /** y less the law, length n, in units of y */
  readonly residuals: Float64Array
  /** the share of each row in its own fitted value, in [0, 1], length n; 0 of rows that do not count */
  readonly leverages: Float64Array
}

/** Rounds of noise scales; one output needs one. */
const rounds = 4

/**
 * The laws with the covariance of their numbers, (sum_k J_k' W_k J_k / sigma_k^2)^-1 with J_k the derivatives of the law of output k and W_k its weights, and the scale of
 * the noise of each output: sigma_k^2 = rss_k / (n_k - p_k), where p_k is the trace of the output's part of the hat matrix, the number of numbers that it
 * determines; sum_k p_k = p.
 */
export const make = (
  outputs: ReadonlyArray<Output.Output>,
  { formulas, names, values }: SharedLaws,
): ReadonlyArray<OutputLaw> => {
  const found = outputs.map(({ data, weights }, k) => {
    const { mean, slopes } = FittedLaw.rows(
      { formula: formulas[k]!, names, values },
      data.features,
      data.columns,
      data.rows,
    )
    const weigh = (column: Float64Array): Float64Array =>
      column.map((value, i) => (weights?.by[i] === 0 ? 0 : value * (weights?.by[i] ?? 1)))
    const residuals = data.y.map((y, i) => y - mean[i]!)
    const weighed = weigh(residuals)
    return { residuals, slopes: slopes.map(weigh), rss: dot(weighed, weighed) }
  })
  const kept = independent(
    found.map(({ slopes }) => slopes),
    names.length,
  )
  const own = found.map(({ slopes }) => kept.map((j) => slopes[j]!))
  let freedom = outputs.map(Output.counted)
  let covariance: Float64Array = new Float64Array(0)
  let sigmas: ReadonlyArray<number> = []
  let leverages: ReadonlyArray<Float64Array> = []
  for (let round = 0; round < rounds; round++) {
    sigmas = outputs.map(({ target }, k) =>
      Math.sqrt((found[k]!.rss + target.rounding) / Math.max(1, freedom[k]!)),
    )
    const units = own.map((slopes, k) => slopes.map((slope) => slope.map((value) => value / sigmas[k]!)))
    const stacked = kept.map((_, j) => Float64Array.from(units.flatMap((slopes) => [...slopes[j]!])))
    covariance = FittedLaw.covariance(stacked, 1)
    leverages = units.map((slopes, k) => variances(slopes, covariance, outputs[k]!.data.rows))
    freedom = outputs.map(
      (one, k) => Output.counted(one) - leverages[k]!.reduce((sum, value) => sum + value, 0),
    )
  }
  const held = names.map((_, j) => j).filter((j) => !kept.includes(j))
  return outputs.map((_, k): OutputLaw => ({
    law: {
      formula: Term.valued(
        formulas[k]!,
        held.map((j) => names[j]!),
        held.map((j) => values[j]!),
      ),
      names: kept.map((j) => names[j]!),
      values: Float64Array.from(kept, (j) => values[j]!),
      covariance,
      noise: additive,
      sigma: sigmas[k]!,
      freedom: Math.max(1, freedom[k]!),
    },
    residuals: found[k]!.residuals,
    leverages: leverages[k]!,
  }))
}

/** The places of numbers whose derivatives, over the rows of all outputs, are linearly independent. */
const independent = (
  slopes: ReadonlyArray<ReadonlyArray<Float64Array>>,
  count: number,
): ReadonlyArray<number> => {
  const stacked = Array.from({ length: count }, (_, j) =>
    Float64Array.from(slopes.flatMap((own) => [...own[j]!])),
  )
  const { pivots, rank } = orthogonalise(stacked, new Float64Array(stacked[0]?.length ?? 0))
  return pivots.slice(0, rank).toSorted((a, b) => a - b)
}

/** j' C j of each row, j its derivatives. */
const variances = (
  slopes: ReadonlyArray<Float64Array>,
  covariance: Float64Array,
  rows: number,
): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => {
    let sum = 0
    for (let j = 0; j < slopes.length; j++)
      for (let k = 0; k < slopes.length; k++)
        sum += slopes[j]![i]! * covariance[j * slopes.length + k]! * slopes[k]![i]!
    return sum
  })

/**
 * The standard errors of the numbers of a law that is written in another way: of theta with J_theta A = J, J the derivatives by the law's own numbers,
 * the roots of the diagonal of A C A'. Infinite for numbers that the rows do not tell apart.
 *
 * @param slopes J_theta, the derivatives by the numbers of the other form on the rows of the output
 */
export const errorsOf = (
  slopes: ReadonlyArray<Float64Array>,
  { law }: OutputLaw,
  { data }: Output.Output,
): Float64Array => {
  const { rank } = orthogonalise(slopes, new Float64Array(data.rows))
  if (rank < slopes.length) return new Float64Array(slopes.length).fill(Infinity)
  const own = FittedLaw.rows(law, data.features, data.columns, data.rows).slopes
  const way = own.map((slope) => leastSquares(slopes, slope).coefficients)
  const { covariance } = law
  return Float64Array.from(slopes, (_, j) => {
    let sum = 0
    for (let a = 0; a < own.length; a++)
      for (let b = 0; b < own.length; b++) sum += way[a]![j]! * covariance[a * own.length + b]! * way[b]![j]!
    return Math.sqrt(Math.max(0, sum))
  })
}
