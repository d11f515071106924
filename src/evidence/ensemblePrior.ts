import * as Effect from "effect/Effect"
import type { Observation } from "../prob/Observation.ts"
import type { SiteRecord } from "../prob/Model.ts"
import { logBeta } from "../numeric/Special.ts"
import * as Real from "../numeric/Real.ts"
import type { Tree } from "../prob/Tree.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Bernoulli from "../prob/dist/Bernoulli.ts"
import * as Beta from "../prob/dist/Beta.ts"
import * as Categorical from "../prob/dist/Categorical.ts"
import { isSym } from "../prob/Sym.ts"
import * as Dimensions from "../prob/Dimensions.ts"
import * as Nesting from "../prob/tree/Nesting.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as TreePrior from "./treePrior.ts"

/** The prior of a likelihood's hard ensembles. An ensemble is a link with a list of K trees, or with a set of distinct trees. */
export interface EnsemblePrior {
  /** The prior of each link, natural logarithm; one entry, 0, without links. */
  readonly links: ReadonlyArray<number>
  /**
   * The prior of the number of trees for one given set, natural logarithm, index k = 0 ... K:
   *
   *     log K! / (K - k)! + log E[p^k (1 - p)^(K - k)]
   *
   * The first part is the log number of ways to place k distinct trees in K slots, so that the sum over all sets is the
   * probability that the included trees are distinct. Lists of K trees have neither part. The value is minus infinity for
   * k < K without inclusion indicators.
   */
  readonly sizes: ReadonlyArray<number>
  readonly trees: TreePrior.Counting
  /**
   * links[link], log r of restrictions of laws, and what a nesting says of the roots of terms under that link; minus infinity where the
   * units of the columns rule out that all trees are terms under it.
   */
  readonly ofLink: (link: number, trees: ReadonlyArray<Tree>) => number
  /**
   * ofLink + sizes[k] + the log prior of the k trees in order, weights integrated out (`TreePrior.logPrior`). Trees
   * that are not included are summed out and contribute nothing.
   *
   * @param trees distinct, at most K
   * @returns minus infinity for more than K trees, or trees that the prior cannot produce
   */
  readonly logPrior: (link: number, trees: ReadonlyArray<Tree>) => number
}

type Sites = ReadonlyArray<Pick<SiteRecord, "name" | "prior">>

const fail = (message: string): Effect.Effect<never, CompileError> =>
  Effect.fail(new CompileError({ message }))

/**
 * The prior of a likelihood's ensembles.
 *
 * Fails with a `CompileError` when a parameter cannot be integrated out in closed form: weights of operators or terminals
 * without a Dirichlet prior, or inclusion indicators whose probability is neither a number nor a site with a Beta prior.
 *
 * @param sites the model's sites as traced: `plan.sites`
 */
export const of = (
  likelihood: Pick<Observation, "forest" | "ensembles" | "included" | "link">,
  sites: Sites,
): Effect.Effect<EnsemblePrior, CompileError> =>
  Effect.gen(function* () {
    const { forest, ensembles } = likelihood
    const K = forest.trees
    const dimensions = Dimensions.ofRestrictions(forest, likelihood.link?.links)
    const prior = yield* TreePrior.of(forest, sites)
    const trees = TreePrior.counting(prior)
    const together = TreePrior.ofLaw(prior, likelihood.link?.links)
    const links = yield* linksOf(likelihood, sites)
    const share = yield* inclusionOf(likelihood, sites)
    let ways = 0
    const sizes = Array.from({ length: K + 1 }, (_, k) => {
      if (k > 0 && ensembles === "sets") ways += Real.log(K - k + 1)
      return ways + share(k)
    })
    const { nested } = Restriction.compile(forest.grammar, forest.restrictions ?? [])
    const roots = Nesting.underLinks(nested, forest.grammar, likelihood.link?.links ?? [])
    const ofRoots = (link: number, ensemble: ReadonlyArray<Tree>): number =>
      nested.length === 0 || roots.length === 0
        ? 0
        : ensemble.reduce((sum, tree) => sum + Nesting.ofRoot(roots[link]!, tree), 0)
    const ofLink: EnsemblePrior["ofLink"] = (link, ensemble) =>
      dimensions === undefined || ensemble.every((tree) => dimensions.suits(link, dimensions.of(tree)))
        ? (links[link] ?? -Infinity) + (together?.(link, ensemble) ?? 0) + ofRoots(link, ensemble)
        : -Infinity
    const logPrior: EnsemblePrior["logPrior"] = (link, ensemble) =>
      ofLink(link, ensemble) + (sizes[ensemble.length] ?? -Infinity) + trees.total(ensemble.map(trees.count))
    return { links, sizes, trees, ofLink, logPrior }
  })

/** log E[p^k (1 - p)^(K - k)]: that k given slots are included and the others are not. */
const inclusionOf = (
  { forest: { trees: K }, included }: Pick<Observation, "forest" | "included">,
  sites: Sites,
): Effect.Effect<(k: number) => number, CompileError> => {
  if (included === undefined) return Effect.succeed((k) => (k === K ? 0 : -Infinity))
  const bernoulli = (p: number) => (k: number) => k * Real.log(p) + (K - k) * Real.log1p(-p)
  const prior = sites.find(({ name }) => name === included.site)?.prior
  // The mean of any distribution on {0, 1} is the probability of 1.
  if (prior?._tag === "Shared" && prior.dist._tag === "Dist")
    return Effect.succeed(bernoulli(prior.dist.mean()[0] ?? Number.NaN))
  const probability = prior?._tag === "Shared" ? Bernoulli.of.declaredOf(prior.dist)?.probability : undefined
  if (isSym(probability)) {
    const over = sites.find(({ name }) => name === probability.site)?.prior
    const beta = over?._tag === "Shared" ? Beta.of.parametersOf(over.dist) : undefined
    if (beta !== undefined) {
      const { a, b } = beta
      if (probability.shape.length === 0)
        return Effect.succeed((k) => logBeta(a + k, b + K - k) - logBeta(a, b))
      // If each tree has its own probability, these are independent of each other, and only their means matter.
      if (probability.shape.length === included.shape.length) return Effect.succeed(bernoulli(a / (a + b)))
    }
  }
  return fail(
    `the site "${included.site}" needs a Bernoulli prior with a fixed probability, or with one that is Beta distributed, common to all trees or each tree's own: the ranking integrates it out`,
  )
}

const linksOf = (
  { link }: Pick<Observation, "link">,
  sites: Sites,
): Effect.Effect<ReadonlyArray<number>, CompileError> => {
  if (link === undefined) return Effect.succeed([0])
  const prior = sites.find(({ name }) => name === link.site.site)?.prior
  // The mean of any distribution over categories is the vector of their probabilities.
  if (prior?._tag === "Shared" && prior.dist._tag === "Dist")
    return Effect.succeed(prior.dist.mean().map(Real.log))
  const weights = prior?._tag === "Shared" ? Categorical.of.declaredOf(prior.dist)?.weights : undefined
  if (isSym(weights)) {
    const over = sites.find(({ name }) => name === weights.site)?.prior
    // An ensemble has one link, so that only the means of the link's weights matter.
    if (over?._tag === "Shared" && over.dist._tag === "Dist")
      return Effect.succeed(over.dist.mean().map(Real.log))
  }
  return fail(
    `the site "${link.site.site}" needs a categorical prior with fixed weights, or with those of one site: the ranking integrates them out`,
  )
}
