import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import * as Dist from "../prob/Dist.ts"
import * as Prior from "../prob/Prior.ts"
import * as Grammars from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import type * as Nesting from "../prob/tree/Nesting.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as Rng from "../random/Rng.ts"
import * as TreePriors from "./treePrior.ts"
import * as Real from "../numeric/Real.ts"

/** The largest mean number of draws for one accepted ensemble. Sampling fails above it. */
const patience = 10_000

/**
 * The largest weight of a draw under nestings that is corrected for; it is 1 where the weights of operators and terminals are at their
 * means. Ensembles of larger weights are drawn less often than they should be.
 */
const heaviest = Real.log(16)

/**
 * Draws ensembles of K trees from a prior: weights of operators and terminals from their Dirichlet distributions, trees from the root
 * down with these weights, times the factors of nestings. A node whose operator the grammar forbids there is a leaf.
 *
 * - Restrictions are honoured exactly, by rejection: an ensemble is kept with probability r(T_1) ... r(T_K),
 *   those of laws included.
 * - Nestings are honoured by the draw of each node. The shares at a place have a sum other than 1 where the weights are not at their
 *   means; ensembles are accepted in proportion to the product of these sums, up to 16.
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
    const { grammar, restrictions = [] } = prior
    const { nested, others } = Restriction.compile(grammar, restrictions)
    const together = TreePriors.ofLaw(prior)
    const names = restrictions.map(({ name }) => name).join(", ")
    const [operatorKey, terminalKey, treeKey] = Rng.split(key, 3)
    const random = Rng.generator(treeKey)
    const kept: Array<ReadonlyArray<Tree.Tree>> = []
    for (let attempt = 0; kept.length < count; attempt++) {
      if (attempt >= patience * count)
        return yield* new CompileError({
          message: `the restrictions (${names}) accepted only ${kept.length} of ${attempt} ensembles drawn from the prior; weaken them, or choose split probabilities under which they hold more often`,
        })
      const draw = sampler(prior, nested, random, {
        operators: Dist.sample(Dist.dirichlet(prior.operators), Rng.fold(operatorKey, attempt), 1),
        terminals: Dist.sample(Dist.dirichlet(prior.terminals), Rng.fold(terminalKey, attempt), 1),
      })
      const drawn = Array.from({ length: K }, draw)
      const trees = drawn.map(({ tree }) => tree)
      const logs = [...trees.map(others), together?.(0, trees) ?? 0]
      if (logs.some((log) => log > 0))
        return yield* new CompileError({
          message: `a restriction (${names}) makes a tree more likely, by a factor of ${Real.exp(Math.max(...logs))}, but rejection sampling needs log r <= 0; subtract its maximum from the restriction`,
        })
      const weight = drawn.reduce((sum, { log }) => sum + log, 0)
      const log =
        logs.reduce((sum, one) => sum + one, 0) + (nested.length === 0 ? 0 : Math.min(0, weight - heaviest))
      // Without restrictions no random number is used for rejection, so that a key gives the same draws as the prior alone.
      if (log === 0 || Real.log(random.next()) < log) kept.push(trees)
    }
    return kept
  })

/** A tree, and the log of what nestings give to its nodes in all: a draw's weight. */
interface Drawn {
  readonly tree: Tree.Tree
  readonly log: number
}

/** Draws of one tree under given weights of operators and terminals. */
const sampler = (
  { grammar, depth, split }: TreePriors.TreePrior,
  nested: ReadonlyArray<Nesting.Nested>,
  random: Rng.Generator,
  weights: { readonly operators: Float64Array; readonly terminals: Float64Array },
): (() => Drawn) => {
  /** One of several choices, and the log of the sum of their weights times the factors of the rows. */
  const pick = (
    part: keyof Nesting.Row,
    rows: ReadonlyArray<Nesting.Row>,
  ): { readonly picked: number; readonly log: number } => {
    const factor = (k: number): number => Real.exp(rows.reduce((sum, row) => sum + row[part][k]!, 0))
    const shares = rows.length === 0 ? weights[part] : weights[part].map((weight, k) => weight * factor(k))
    const total = rows.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0)
    let left = random.next() * total
    let picked = 0
    while (picked < shares.length - 1 && (left -= shares[picked]!) >= 0) picked++
    return { picked, log: Real.log(total) }
  }
  const node = (d: number, context: Grammars.Context, rows: ReadonlyArray<Nesting.Row>): Drawn => {
    if (d < depth && random.next() < Prior.splitProbability(split, d)) {
      const { picked, log } = pick("operators", rows)
      if (Grammars.allowed(grammar, context)[picked] === true) {
        const below = Grammars.below(grammar, context, picked)
        const children = Array.from({ length: grammar.operators[picked]!.arity }, (_, position) =>
          node(
            d + 1,
            below,
            nested.map((rule) => rule.below[picked]![position]!),
          ),
        )
        return {
          tree: Tree.branch(
            picked,
            children.map(({ tree }) => tree),
          ),
          log: children.reduce((sum, child) => sum + child.log, log),
        }
      }
    }
    const { picked, log } = pick("terminals", rows)
    return { tree: Tree.leaf(picked), log }
  }
  return () =>
    node(
      0,
      Grammars.rootContext,
      nested.map(({ root }) => root),
    )
}
