import * as Effect from "effect/Effect"
import type { Grammar } from "../prob/Grammar.ts"
import * as Grammars from "../prob/Grammar.ts"
import * as Prior from "../prob/Prior.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Columns from "./columns.ts"
import * as Likelihood from "./Likelihood.ts"
import type { Observation } from "../prob/Observation.ts"
import { logSumExp, normalised } from "../numeric/logSum.ts"
import * as Real from "../numeric/Real.ts"
import * as TreePrior from "./treePrior.ts"
import { pow } from "../numeric/Power.ts"

/**
 * The number of trees of a grammar down to a depth, without building them. The operands of commutative operators
 * count in both orders. Infinity beyond the range of float64.
 */
export const count = (grammar: Grammar, depth: number): number => {
  const known = new Map<string, number>()
  const from = (levels: number, context: Grammars.Context): number => {
    const key = `${levels} ${context}`
    const before = known.get(key)
    if (before !== undefined) return before
    const may = Grammars.allowed(grammar, context)
    let sum = grammar.terminals.length
    if (levels > 0)
      grammar.operators.forEach(({ arity }, operator) => {
        if (may[operator] === true)
          sum += pow(from(levels - 1, Grammars.below(grammar, context, operator)), arity)
      })
    known.set(key, sum)
    return sum
  }
  return from(depth, Grammars.rootContext)
}

/**
 * All trees of a grammar down to a depth, each once, one at a time; `count` says how many. Only leaves have depth 0.
 */
export function* trees(
  grammar: Grammar,
  depth: number,
  context: Grammars.Context = Grammars.rootContext,
): Generator<Tree.Tree> {
  for (let terminal = 0; terminal < grammar.terminals.length; terminal++) yield Tree.leaf(terminal)
  if (depth === 0) return
  const may = Grammars.allowed(grammar, context)
  for (const [operator, { arity }] of grammar.operators.entries()) {
    if (may[operator] !== true) continue
    const inner = Grammars.below(grammar, context, operator)
    for (const left of trees(grammar, depth - 1, inner)) {
      if (arity === 1) yield Tree.branch(operator, [left])
      else for (const right of trees(grammar, depth - 1, inner)) yield Tree.branch(operator, [left, right])
    }
  }
}

/** All multisets of K of the items, in order of their positions. */
export function* multisets<A>(items: ReadonlyArray<A>, K: number, from = 0): Generator<ReadonlyArray<A>> {
  if (K === 0) {
    yield []
    return
  }
  for (let i = from; i < items.length; i++)
    for (const rest of multisets(items, K - 1, i)) yield [items[i]!, ...rest]
}

/** All sets of up to K of the items, smallest first. Together with a link each is an ensemble of `Likelihood.selectedLinear`. */
export function* sets<A>(items: ReadonlyArray<A>, K: number): Generator<ReadonlyArray<A>> {
  for (let k = 0; k <= K; k++) yield* combinations(items, k, 0)
}

function* combinations<A>(items: ReadonlyArray<A>, k: number, from: number): Generator<ReadonlyArray<A>> {
  if (k === 0) {
    yield []
    return
  }
  for (let i = from; i <= items.length - k; i++)
    for (const rest of combinations(items, k - 1, i + 1)) yield [items[i]!, ...rest]
}

/** One ensemble of the enumerated model space. */
export interface Enumerated {
  /** Canonical trees (`Tree.canonical`), sorted by `Tree.key`. */
  readonly trees: ReadonlyArray<Tree.Tree>
  /** log p(y | T) */
  readonly logEvidence: number
  /** log prior of the trees, weights integrated out; see `TreePrior.logPrior` */
  readonly logPrior: number
  /** log marginal posterior of the symbolic ensemble, logEvidence + logPrior (Eq. LMPSE) */
  readonly lmpse: number
  /** posterior probability: exp(lmpse), divided by the sum of exp(lmpse) over all ensembles */
  readonly posterior: number
  /**
   * The number of lists of K trees that are this ensemble: all orders of the trees, and of the operands of commutative
   * operators.
   */
  readonly orders: number
}

export interface Space {
  /** Best first, without the ensembles that a restriction of the prior excludes. */
  readonly ensembles: ReadonlyArray<Enumerated>
  /** The number of ensembles left out because a column is not finite or too large. */
  readonly inadmissible: number
  /**
   * log p(y): the evidence of the whole model, a sum over all lists of K trees, weighted by their prior as drawn from
   * skeletons. That prior lacks the factors 1 - p_D of the paper's LMPSE, since nodes at the maximum depth draw no
   * expansion. No hard ELBO exceeds this value.
   */
  readonly logMarginal: number
  /**
   * log of the sum of the prior over all lists of K trees, weighted as in `logMarginal`: 0 unless trees are restricted
   * (`Tree.prior`). `logMarginal` minus this value is log p(y) under the normalised prior, which is comparable between priors.
   */
  readonly logPriorMass: number
}

/** The default bound on the number of scored ensembles; a quarter of a million take about a second. */
export const defaultBound = 250_000

/**
 * The exact posterior over all ensembles of a small model, by enumeration (Eq. LMPSE).
 *
 * *When to use*: as the reference for approximate inference, on grammars of up to some hundred trees.
 *
 * Fails with a `CompileError` when there are more ensembles than `bound`, the data lack a feature, the likelihood
 * selects among trees and links, the prior excludes every tree, or constants are fitted, whose values have no list.
 *
 * @param prior the tree prior of the likelihood's forest; `TreePrior.of(likelihood.forest, plan.sites)`
 * @example
 * const { ensembles, logMarginal } = yield* enumerate(plan.likelihood, prior, data)
 */
export const enumerate = (
  observation: Observation,
  prior: TreePrior.TreePrior,
  data: Dataset,
  options: { readonly bound?: number | undefined } = {},
): Effect.Effect<Space, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(observation)
    if (likelihood.ensembles !== "lists")
      return yield* new CompileError({
        message:
          "the posterior of Likelihood.selectedLinear is not enumerated; rank Enumerate.sets of trees instead",
      })
    const { grammar, depth, trees: K } = likelihood.forest
    if (Grammars.hasFitted(grammar))
      return yield* new CompileError({
        message:
          "the posterior of a grammar with fitted constants is not enumerated: their values are not integrated out exactly",
      })
    const bound = options.bound ?? defaultBound
    const total = count(grammar, depth)
    const fail = (ensembles: number) =>
      new CompileError({
        message: `there are ${ensembles.toPrecision(4)} ensembles of ${K} trees of depth ${depth} or less, more than the bound of ${bound}; enumerate a smaller grammar, depth or number of trees`,
      })
    // All trees are held in memory, so that their number is bounded as well, before any is built.
    if (total > 8 * bound) return yield* fail(pow(total, K))
    const counting = TreePrior.counting(prior)
    const canonical = [...trees(grammar, depth)]
      .filter((tree) => Tree.key(Tree.canonical(grammar, tree)) === Tree.key(tree))
      .filter((tree) => counting.count(tree).structure > -Infinity)
      .sort((a, b) => (Tree.key(a) < Tree.key(b) ? -1 : 1))
    if (canonical.length === 0)
      return yield* new CompileError({
        message: `the prior excludes every tree of depth ${depth} or less: ${(prior.restrictions ?? []).map(({ name }) => name).join(", ")}; weaken a restriction`,
      })
    const ensembles = multichoose(canonical.length, K)
    if (ensembles > bound) return yield* fail(ensembles)

    const columns = yield* Columns.make(grammar, data)
    const assessor = yield* likelihood.assessor(columns, data)
    const logPrior = TreePrior.logPrior(prior)
    const last = Real.log1p(-Prior.splitProbability(prior.split, prior.depth))
    const found: Array<Omit<Enumerated, "posterior">> = []
    const shares: Array<number> = []
    const masses: Array<number> = []
    let inadmissible = 0
    for (const numbers of multisets(
      canonical.map((_, number) => number),
      K,
    )) {
      const ensemble = numbers.map((number) => canonical[number]!)
      const log = logPrior(ensemble)
      // A restriction of laws excludes ensembles of trees that are each allowed.
      if (log === -Infinity) continue
      const orders =
        arrangements(numbers) * ensemble.reduce((product, tree) => product * variants(grammar, tree), 1)
      const mass = log + Real.log(orders) - TreePrior.deepest(prior, ensemble) * last
      masses.push(mass)
      const assessment = assessor.assess(0, ensemble)
      if (assessment === undefined) {
        inadmissible++
        continue
      }
      const { logEvidence } = assessment
      found.push({ trees: ensemble, logEvidence, logPrior: log, lmpse: logEvidence + log, orders })
      shares.push(logEvidence + mass)
    }
    const posterior = normalised(found.map(({ lmpse }) => lmpse))
    return {
      ensembles: found
        .map((ensemble, i) => ({ ...ensemble, posterior: posterior[i]! }))
        .sort((a, b) => b.lmpse - a.lmpse),
      inadmissible,
      logMarginal: logSumExp(shares),
      logPriorMass: logSumExp(masses),
    }
  })

/** The number of multisets of k out of m. */
const multichoose = (m: number, k: number): number => {
  let product = 1
  for (let i = 1; i <= k; i++) product *= (m + i - 1) / i
  return Math.round(product)
}

/** The number of orders of a sorted list. */
const arrangements = (sorted: ReadonlyArray<number>): number => {
  let orders = 1
  let run = 0
  sorted.forEach((value, i) => {
    run = i > 0 && sorted[i - 1] === value ? run + 1 : 1
    orders *= (i + 1) / run
  })
  return Math.round(orders)
}

/** The number of trees whose canonical form is this one: operands of commutative operators that differ may swap. */
const variants = (grammar: Grammar, tree: Tree.Tree): number => {
  if (tree._tag === "Leaf") return 1
  const product = tree.children.reduce((product, child) => product * variants(grammar, child), 1)
  const [left, right] = tree.children
  const swaps =
    grammar.operators[tree.operator]?.commutative === true &&
    left !== undefined &&
    right !== undefined &&
    Tree.key(left) !== Tree.key(right)
  return swaps ? 2 * product : product
}
