import * as Effect from "effect/Effect"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as GPrior from "../evidence/gPrior.ts"
import type { Plan } from "../prob/Plan.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"

/** What an ensemble is worth. */
export interface Worth {
  /** the most trees of an ensemble */
  readonly most: number
  /** log p(y | ensemble) with `rank` independent trees and a residual sum of squares in squared units of y */
  readonly evidence: (response: number, rank: number, rss: number) => number
  /** log p of an ensemble of so many trees, given the sum of their log priors */
  readonly prior: (response: number, trees: number, sum: number) => number
}

/** Columns are float32: fits that are closer than this, relative to y, are equally good to a search. */
const resolution = 1e-6

/** What a tree costs a search that a model must have and an ensemble lacks: about as much as the likeliest trees. */
const missing = 3

/**
 * What a likelihood says to a search.
 *
 * @param usable the indices of the links that responses have
 * @param each how many rows of the data a row of the search stands for
 */
export const of = (
  plan: Plan,
  data: Data.Dataset,
  usable: ReadonlyArray<number>,
  each: number,
): Effect.Effect<Worth, CompileError> =>
  Effect.gen(function* () {
    const { likelihood, sites } = plan
    const K = likelihood.forest.trees
    if (likelihood._tag === "SelectedLinear") {
      const { coefficients } = likelihood
      const prior = yield* EnsemblePrior.of(likelihood, sites)
      const target = GPrior.target(data.y, {
        resolution: Math.max(resolution, likelihood.resolution),
        a: coefficients.a,
      })
      const nothing = GPrior.logNull(target)
      const table = GPrior.table(target)
      // Without inclusion indicators fewer trees are impossible, but on the way to the others.
      const sizes = prior.sizes.map((size, trees) =>
        size > -Infinity ? size : prior.sizes[K]! - missing * (K - trees),
      )
      return {
        most: K,
        evidence: (_, rank, rss) => nothing + table(rank, rss * each),
        prior: (response, trees, sum) => prior.links[usable[response]!]! + sizes[trees]! + sum,
      }
    }
    // The evidence of columns whose coefficients the data determine: each costs half the logarithm of its variance.
    const { a0, b0, sigma0 } = likelihood
    const shape = a0 + data.rows / 2
    const costs = 0.5 * Math.log(data.rows * Math.max(...sigma0))
    return {
      most: K,
      evidence: (_, rank, rss) => -shape * Math.log(b0 + (rss * each) / 2) - costs * rank,
      prior: (_, trees, sum) => sum - (K - trees),
    }
  })
