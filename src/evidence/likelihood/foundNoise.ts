import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import type * as GPrior from "../gPrior.ts"
import type * as Noise from "../Noise.ts"
import * as Deviations from "../noise/Deviations.ts"
import * as NoiseColumns from "../noise/columns.ts"
import { near } from "../workingResponse.ts"
import * as Weighing from "../noise/Weighing.ts"
import type { Assessment } from "../Assessment.ts"
import type { FoundNoise, RowWeights, WrongRow } from "./Interface.ts"
import * as Real from "../../numeric/Real.ts"

/** The columns that a noise names. Fails as `noise/columns.known`. */
export const known = (
  noise: Pick<Noise.Noise, "error" | "weights"> | undefined,
  data: Dataset,
): Effect.Effect<Deviations.Known, CompileError> =>
  noise === undefined ? Effect.succeed({}) : NoiseColumns.known(noise, data)

/** The weights of rows with known errors or weights. */
export const weightsOf = (known: Deviations.Known, { y }: Dataset): RowWeights | undefined => {
  const scales = Deviations.relative(y.length, known)
  if (scales === undefined) return undefined
  const counted = scales.filter((scale) => scale < Infinity)
  return {
    by: scales.map((scale) => 1 / scale),
    count: counted.length,
    logDensity: -counted.reduce((sum, scale) => sum + Real.log(scale), 0),
  }
}

/** The target of a weighted response, each row of which stands for several. */
export const targetOf = (
  { by, count }: RowWeights,
  y: Float64Array,
  each: number,
  settings: { readonly a: number; readonly resolution: number },
): GPrior.Target => {
  const { tss, rounding, ...rest } = Weighing.target(
    { by, count },
    y.map((value, i) => by[i]! * value),
    settings,
  )
  return { ...rest, rows: count * each, tss: tss * each, rounding: rounding * each }
}

/** The log odds from which on a row is named as wrong: a probability of 0.99. */
const certain = Real.log(99)

/** The weights of rows under the noise of an assessment. */
const weightsUnder = ({ noise }: Pick<Assessment, "noise">, y: Float64Array): RowWeights | undefined => {
  if (noise?.explanation === undefined) return undefined
  const { weighing, mean } = noise.explanation
  const { rows, by, logarithms, count, logDensity } = weighing
  const weights = new Float64Array(y.length)
  const around = logarithms ? near(y, mean) : mean
  rows.forEach((row, i) => (weights[row] = logarithms ? by[i]! / Math.abs(around[row]!) : by[i]!))
  return { by: weights, count, logDensity, logarithms }
}

/**
 * The noise of an assessment, with wrong rows by their numbers in the table.
 *
 * @param columns those of the noise
 */
export const of = (
  { noise, posterior, rss }: Assessment,
  { y, numbers }: Dataset,
  columns: Pick<Noise.Noise, "error"> | undefined,
): FoundNoise | undefined => {
  if (noise === undefined) return undefined
  const { explanation, kind, exact, probability, logOdds } = noise
  const sigma = Number.isFinite(posterior.sigma2)
    ? Math.sqrt(posterior.sigma2)
    : Math.sqrt(rss / (explanation?.weighing.count ?? y.length))
  const knownErrors = columns?.error !== undefined
  const common = { kind: exact ? "none" : kind.name, form: kind, exact, knownErrors, probability, sigma }
  if (explanation === undefined) return { ...common, wrongRows: [], weights: () => undefined }
  const { weighing, mean, residuals } = explanation
  const { rows } = weighing
  return {
    ...common,
    get wrongRows() {
      if (rows.length === y.length) return []
      const odds = logOdds()
      const wrong: Array<WrongRow> = []
      let place = 0
      for (let i = 0; i < y.length; i++) {
        if (rows[place] === i) place++
        else if (odds[i]! > certain)
          wrong.push({
            row: numbers?.[i] ?? i + 1,
            value: y[i]!,
            law: mean[i]!,
            sigmas: Math.abs(residuals[i]!) / sigma,
            probability: 1 / (1 + Real.exp(-odds[i]!)),
          })
      }
      return wrong
    },
    weights: () => weightsUnder({ noise }, y),
  }
}

/** Fisher's information of Student's t residuals on their centre, in units of that of normal ones of the same scale. */
const information = (degrees: number | undefined): number =>
  degrees === undefined ? 1 : (degrees + 1) / (degrees + 3)

/** The standard deviation of each row around a law (`Assessment.deviations`), on the scale of the fit. */
export const deviations = (assessment: Assessment, numbers: number, data: Dataset): Float64Array => {
  const { noise, rank, rss } = assessment
  const { y } = data
  const weights = weightsUnder(assessment, y)
  const freedom = (weights?.count ?? y.length) - rank - 1 - numbers
  // An exact fit has the rounding of its largest value.
  const rounding =
    Number.EPSILON * y.reduce((most, value, i) => Math.max(most, Math.abs(value * (weights?.by[i] ?? 1))), 0)
  const sigma = Math.max(Math.sqrt(rss / Math.max(1, freedom)), rounding, Number.MIN_VALUE)
  const scale = sigma / Math.sqrt(information(noise?.explanation?.kind.degrees))
  return y.map((_, i) => scale / (weights?.by[i] ?? 1))
}
