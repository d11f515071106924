import * as Effect from "effect/Effect"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import type { Declared } from "../prob/Plan.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"

/** The score of an ensemble as a search has it: log evidence by a working response, and log prior. */
export interface ApproximateEvidence {
  /** the most trees of an ensemble */
  readonly most: number
  /** log p(y | ensemble) with `rank` independent trees and the residual sum of squares of the working response */
  readonly evidence: (response: number, rank: number, rss: number) => number
  /** log p of an ensemble, from the number of its trees and the sum of their log priors */
  readonly prior: (response: number, trees: number, sum: number) => number
}

/** Columns are float32: fits that are closer than this, relative to y, are equally good to a search. */
const resolution = 1e-6

/**
 * The approximate evidence and the prior of a plan's ensembles.
 *
 * Fails with a `CompileError` as `Likelihood.approximate` and `EnsemblePrior.of` do.
 *
 * @param usable the indices of the links that responses have
 * @param each how many rows of the data a row of the search stands for
 */
export const of = (
  { likelihood: observation, sites }: Declared,
  data: Data.Dataset,
  usable: ReadonlyArray<number>,
  each: number,
): Effect.Effect<ApproximateEvidence, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(observation)
    const K = likelihood.forest.trees
    const prior = yield* EnsemblePrior.of(likelihood, sites)
    const evidence = yield* likelihood.approximate(data, resolution)
    // Without inclusion indicators fewer trees are impossible, but on the way to the others.
    const sizes = prior.sizes.map((size, trees) =>
      size > -Infinity ? size : prior.sizes[K]! - likelihood.missing * (K - trees),
    )
    return {
      most: K,
      evidence: (_, rank, rss) => evidence(rank, rss * each),
      prior: (response, trees, sum) => prior.links[usable[response]!]! + sizes[trees]! + sum,
    }
  })
