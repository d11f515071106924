import type * as Likelihood from "../evidence/Likelihood.ts"
import * as Noise from "../evidence/Noise.ts"

/** The options of a fit that say what its noise is. */
export interface Options {
  readonly noise?: Noise.Name | ReadonlyArray<Noise.Name> | Noise.Noise | undefined
  readonly error?: string | undefined
  readonly weights?: string | undefined
  readonly likelihood?: Likelihood.Density | undefined
}

/** The noise of options; undefined with a likelihood, which has noise of its own. */
export const of = ({ noise, error, weights, likelihood }: Options): Noise.Noise | undefined => {
  const columns = { error, weights }
  if (typeof noise === "string") return Noise.named(noise, columns)
  if (noise === undefined)
    return likelihood === undefined || error !== undefined || weights !== undefined
      ? Noise.latent(columns)
      : undefined
  if ("kinds" in noise) return { ...noise, error: error ?? noise.error, weights: weights ?? noise.weights }
  return Noise.named(noise, columns)
}
