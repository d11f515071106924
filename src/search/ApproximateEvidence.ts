import * as Effect from "effect/Effect"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import type { Declared } from "../prob/Plan.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Real from "../numeric/Real.ts"

/** The score of an ensemble as a search has it: log evidence by a working response, and log prior. */
export interface ApproximateEvidence {
  /** the most trees of an ensemble */
  readonly most: number
  /** the place of each response's link among those of the likelihood */
  readonly links: ReadonlyArray<number>
  /** log p(y | ensemble) with `rank` independent trees and the residual sum of squares of the working response */
  readonly evidence: (response: number, rank: number, rss: number) => number
  /** Sets the weights of rows that sums of squares have from now on; none if undefined. */
  readonly weigh: (weights: Likelihood.RowWeights | undefined) => void
  /** The weights that were set last. */
  readonly weights: () => Likelihood.RowWeights | undefined
  /**
   * Sets the mean square of a response under a law that is infinitely many orders of magnitude off (`WorkingResponse.most`), from
   * which sums of squares of logarithms follow where noise is on these.
   */
  readonly bound: (response: number, most: number) => void
  /** log p of an ensemble, from the number of its trees and the sum of their log priors */
  readonly prior: (response: number, trees: number, sum: number) => number
}

/**
 * Sums of squares are right to about 1e-15: fits that are closer than this, relative to y, are equally good to a search, and the
 * exact ranking tells them apart.
 */
const resolution = 1e-7

/** A law is at most this share short of being infinitely far off: 27 in logarithms. */
const short = 1e-12

/**
 * A sum of squares of logarithms from one of relative errors t, in units of the largest possible: log (1 - t) in place of -t. A law that
 * is off by orders of magnitude has no larger relative error than mu = 0 has.
 */
const logarithmic = (rss: number, most: number): number => {
  if (!(most < Infinity) || !(rss > 0)) return rss
  const t = Math.min(1 - short, Math.sqrt(rss / most))
  return most * Real.log1p(-t) ** 2
}

/**
 * The approximate evidence and the prior of a plan's ensembles.
 *
 * Fails with a `CompileError` as `Likelihood.approximate` and `EnsemblePrior.of` do.
 *
 * @param usable the indices of the links that responses have
 * @param all all rows
 * @param rows the rows of the search, each of which stands for as many of all
 */
export const of = (
  { likelihood: observation, sites }: Declared,
  all: Data.Dataset,
  usable: ReadonlyArray<number>,
  rows: Data.Dataset,
): Effect.Effect<ApproximateEvidence, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(observation)
    const K = likelihood.forest.trees
    const prior = yield* EnsemblePrior.of(likelihood, sites)
    const each = all.rows / rows.rows
    const unweighted = yield* likelihood.approximate(all, resolution)
    let [evidence, factor] = [unweighted, each]
    let logarithms = false
    let latest: Likelihood.RowWeights | undefined
    const bounds: Array<number> = []
    // Without inclusion indicators fewer trees are impossible, but on the way to the others.
    const sizes = prior.sizes.map((size, trees) =>
      size > -Infinity ? size : prior.sizes[K]! - likelihood.missing * (K - trees),
    )
    return {
      most: K,
      links: usable,
      evidence: (response, rank, rss) =>
        evidence(
          rank,
          (logarithms ? logarithmic(rss, rows.rows * (bounds[response] ?? Infinity)) : rss) * factor,
        ),
      weights: () => latest,
      bound: (response, most) => {
        bounds[response] = most
      },
      weigh: (weights) => {
        ;[evidence, factor] = [unweighted, each]
        logarithms = weights?.logarithms === true
        latest = weights
        if (weights === undefined) return
        // The likelihood was asked for these columns before: it has them.
        evidence = Effect.runSync(Effect.orDie(likelihood.approximate(rows, resolution, weights, each)))
        // Sums of squares count as those of all rows (`SearchSpace.respond`).
        factor = (each * weights.by.filter((by) => by > 0).length) / rows.rows
      },
      prior: (response, trees, sum) => prior.links[usable[response]!]! + sizes[trees]! + sum,
    }
  })
