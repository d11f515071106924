import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import * as Dist from "../prob/Dist.ts"
import * as Prior from "../prob/Prior.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import * as Tree from "../prob/Tree.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as Rng from "../random/Rng.ts"
import * as TreePriors from "./treePrior.ts"

/** The largest mean number of draws for one accepted ensemble. Sampling fails above it. */
const patience = 10_000

/**
 * Draws ensembles of K trees from a prior: weights of operators and terminals from their Dirichlet distributions, skeletons
 * with these weights, trees by pruning (`Tree.prune`). Restrictions are honoured exactly, by rejection: an ensemble is kept
 * with probability r(T_1) ... r(T_K), those of laws included.
 *
 * *When to use*: for prior predictive checks, and to simulate data.
 *
 * Fails with a `CompileError` when log r of a tree is above 0 (subtract its maximum from the function, which leaves the
 * prior unchanged), or when fewer than one ensemble in 10,000 is accepted.
 *
 * @param K the number of trees of an ensemble
 * @param count the number of ensembles
 *
 * @example
 * const ensembles = yield* PriorDraws.sample(yield* TreePrior.of(forest, plan.sites), 2, Rng.key(1), 100)
 */
export const sample = (
  prior: TreePriors.TreePrior,
  K: number,
  key: Rng.Key,
  count: number,
): Effect.Effect<ReadonlyArray<ReadonlyArray<Tree.Tree>>, CompileError> =>
  Effect.gen(function* () {
    const { grammar, depth, restrictions = [] } = prior
    const factors = Restriction.compile(grammar, restrictions)
    const together = TreePriors.ofLaw(prior)
    const names = restrictions.map(({ name }) => name).join(", ")
    const [operatorKey, terminalKey, skeletonKey] = Rng.split(key, 3)
    const random = Rng.generator(skeletonKey)
    const nodes = Skeleton.size(depth)
    const splits = Array.from({ length: nodes }, (_, node) =>
      Prior.splitProbability(prior.split, Skeleton.depthOf(node)),
    )
    const pick = (weights: Float64Array): number => {
      let left = random.next()
      let k = 0
      while (k < weights.length - 1 && (left -= weights[k]!) >= 0) k++
      return k
    }
    const kept: Array<ReadonlyArray<Tree.Tree>> = []
    for (let attempt = 0; kept.length < count; attempt++) {
      if (attempt >= patience * count)
        return yield* new CompileError({
          message: `the restrictions (${names}) accepted only ${kept.length} of ${attempt} ensembles drawn from the prior; weaken them, or choose split probabilities under which they hold more often`,
        })
      const operators = Dist.sample(Dist.dirichlet(prior.operators), Rng.fold(operatorKey, attempt), 1)
      const terminals = Dist.sample(Dist.dirichlet(prior.terminals), Rng.fold(terminalKey, attempt), 1)
      const trees = Array.from({ length: K }, () =>
        Tree.prune(grammar, depth, {
          split: splits.map((p) => (random.next() < p ? 1 : 0)),
          operator: splits.map(() => pick(operators)),
          terminal: splits.map(() => pick(terminals)),
        }),
      )
      const logs = [...trees.map(factors.log), together?.(0, trees) ?? 0]
      if (logs.some((log) => log > 0))
        return yield* new CompileError({
          message: `a restriction (${names}) makes a tree more likely, by a factor of ${Math.exp(Math.max(...logs))}, but rejection sampling needs log r <= 0; subtract its maximum from the restriction`,
        })
      const log = logs.reduce((sum, one) => sum + one, 0)
      // Without restrictions no random number is used for rejection, so that a key gives the same draws as the prior alone.
      if (log === 0 || Math.log(random.next()) < log) kept.push(trees)
    }
    return kept
  })
