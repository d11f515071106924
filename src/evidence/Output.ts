import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as GPrior from "./gPrior.ts"
import * as Together from "./gPriorTogether.ts"
import * as FoundNoises from "./likelihood/foundNoise.ts"
import { hyperG } from "./likelihood/hyperG.ts"
import type { RowWeights } from "./likelihood/Interface.ts"
import type { Noise } from "./Noise.ts"

/** A response of a law with several: its rows, the weights that are known of them, and the sums of squares that its evidence is of. */
export interface Output {
  readonly data: Dataset
  /** one over the standard deviation of each row, up to a factor; undefined where all rows have the same */
  readonly weights: RowWeights | undefined
  readonly target: GPrior.Target
}

/** Fits that are closer than this, in standard deviations of a response, score equally. */
const resolution = 1e-7

/**
 * A response with additive noise of one unknown scale, whose size by rows may be known.
 *
 * Fails with a `CompileError` as `Likelihood.selectedLinear` for a column of errors or weights that is missing or out of range.
 */
export const make = (
  data: Dataset,
  noise: Pick<Noise, "error" | "weights">,
): Effect.Effect<Output, CompileError> =>
  Effect.map(FoundNoises.known(noise, data), (known) => {
    const weights = FoundNoises.weightsOf(known, data)
    const settings = { a: hyperG().a, resolution }
    const target =
      weights === undefined
        ? GPrior.target(data.y, settings)
        : FoundNoises.targetOf(weights, data.y, 1, settings)
    return { data, weights, target }
  })

/**
 * log p(y_1, ..., y_m | law), normalised, of a law with p numbers that all outputs share, each of which counts as a coefficient of a linear law
 * (`gPriorTogether`).
 *
 * @param numbers p
 * @param rss the weighted residual sum of squares of each output at the common fit
 */
export const logEvidence = (
  outputs: ReadonlyArray<Output>,
  numbers: number,
  rss: ReadonlyArray<number>,
): number =>
  Together.logEvidence(
    outputs.map(({ target }) => target),
    numbers,
    rss,
  ) + outputs.reduce((sum, { weights }) => sum + (weights?.logDensity ?? 0), 0)

/** The number of rows that count. */
export const counted = ({ data, weights }: Output): number => weights?.count ?? data.rows
