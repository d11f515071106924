import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import type * as GPrior from "../gPrior.ts"
import type * as Noise from "../Noise.ts"
import * as NoiseColumns from "../noise/columns.ts"
import type * as NoiseFit from "../noise/NoiseFit.ts"
import * as Weighing from "../noise/Weighing.ts"
import type * as Selected from "../selected.ts"
import type { FoundNoise, RowWeights, WrongRow } from "./Interface.ts"

/** The columns that a noise names. Fails as `noise/columns.known`. */
export const known = (
  noise: Noise.Noise | undefined,
  data: Dataset,
): Effect.Effect<NoiseFit.Known, CompileError> =>
  noise === undefined ? Effect.succeed({}) : NoiseColumns.known(noise, data)

/** The weights of rows with known errors, or that stand for several observations. */
export const weightsOf = ({ errors, counts }: NoiseFit.Known, { y }: Dataset): RowWeights | undefined => {
  if (errors === undefined && counts === undefined) return undefined
  let [count, logDensity] = [0, 0]
  const by = new Float64Array(y.length)
  for (let i = 0; i < by.length; i++) {
    const own = counts?.[i] ?? 1
    const error = errors?.[i] ?? 1
    by[i] = Math.sqrt(own) / error
    count += own
    logDensity -= own * Math.log(error)
  }
  return { by, count, logDensity }
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
const certain = Math.log(99)

/** The noise of an assessment, with wrong rows by their numbers in the table. */
export const of = (
  { noise, posterior, rss }: Selected.Assessment,
  { y, numbers }: Dataset,
): FoundNoise | undefined => {
  if (noise === undefined) return undefined
  const { explanation, kind, probability, logOdds } = noise
  const sigma = Number.isFinite(posterior.sigma2)
    ? Math.sqrt(posterior.sigma2)
    : Math.sqrt(rss / (explanation?.weighing.count ?? y.length))
  const common = { kind: kind.name, probability, sigma }
  if (explanation === undefined) return { ...common, wrongRows: [], weights: () => undefined }
  const { weighing, mean, residuals } = explanation
  const { rows, by, logarithms, count, logDensity } = weighing
  const kept = new Set(rows)
  return {
    ...common,
    get wrongRows() {
      const odds = logOdds()
      return Array.from(y.keys()).flatMap((i): ReadonlyArray<WrongRow> =>
        kept.has(i) || !(odds[i]! > certain)
          ? []
          : [
              {
                row: numbers?.[i] ?? i + 1,
                value: y[i]!,
                law: mean[i]!,
                sigmas: Math.abs(residuals[i]!) / sigma,
                probability: 1 / (1 + Math.exp(-odds[i]!)),
              },
            ],
      )
    },
    weights: () => {
      const weights = new Float64Array(y.length)
      rows.forEach((row, i) => (weights[row] = logarithms ? by[i]! / Math.abs(mean[row]!) : by[i]!))
      return { by: weights, count, logDensity }
    },
  }
}
