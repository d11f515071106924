import * as Effect from "effect/Effect"
import * as Grammars from "../prob/Grammar.ts"
import type { SiteRecord } from "../prob/Model.ts"
import * as Dirichlet from "../prob/dist/Dirichlet.ts"
import * as Prior from "../prob/Prior.ts"
import type { Link } from "../prob/Link.ts"
import type { Forest, Tree } from "../prob/Tree.ts"
import * as LawRestrictions from "../prob/tree/LawRestrictions.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The paper's prior over the K trees of an ensemble (Eq. OG-symbolic-tree-prior), with Dirichlet weights that are
 * integrated out.
 */
export interface TreePrior {
  readonly grammar: Grammars.Grammar
  /** maximum depth D */
  readonly depth: number
  readonly split: Prior.Split
  /** eta_op: the Dirichlet concentration of the operator weights, one for each operator of the grammar */
  readonly operators: ReadonlyArray<number>
  /** eta_ft: the Dirichlet concentration of the terminal weights, one for each terminal of the grammar */
  readonly terminals: ReadonlyArray<number>
  /** factors of the prior of each tree (`Tree.prior`); none if left out */
  readonly restrictions?: ReadonlyArray<Restriction.Restriction> | undefined
}

/**
 * The tree prior of a traced model.
 *
 * Fails with a `CompileError` when the weights of operators or terminals have no Dirichlet prior with fixed concentration:
 * other priors cannot be integrated out in closed form.
 *
 * @param sites the model's sites as traced: `plan.sites`
 */
export const of = (
  forest: Pick<Forest, "grammar" | "depth" | "split" | "weights" | "restrictions">,
  sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>,
): Effect.Effect<TreePrior, CompileError> =>
  Effect.gen(function* () {
    const concentration = (name: string): Effect.Effect<ReadonlyArray<number>, CompileError> => {
      const prior = sites.find((site) => site.name === name)?.prior
      const dirichlet = prior?._tag === "Shared" ? Dirichlet.of.parametersOf(prior.dist) : undefined
      return dirichlet !== undefined
        ? Effect.succeed(dirichlet.concentration)
        : Effect.fail(
            new CompileError({
              message: `the site "${name}" needs a Dirichlet prior with fixed concentration: the ranking integrates the weights of a tree prior out`,
            }),
          )
    }
    return {
      grammar: forest.grammar,
      depth: forest.depth,
      split: forest.split,
      operators: yield* concentration(forest.weights.operators.site),
      terminals: yield* concentration(forest.weights.terminals.site),
      ...(forest.restrictions !== undefined && { restrictions: forest.restrictions }),
    }
  })

/**
 * The log prior of an ensemble of trees, given in any order (Eq. actual-tree-marginal-posterior-2 of the paper):
 *
 *     sum_d [ nonterm(d) log p_d + term(d) log(1 - p_d) ]
 *       + log B(eta_op + gamma) / B(eta_op) + log B(eta_ft + rho) / B(eta_ft)
 *
 * with gamma and rho the numbers of uses of each operator and terminal in all K trees. The value is in nats, and is the
 * prior of the K trees in order. Leaves at the maximum depth count log(1 - p_D) as in the paper, although they cannot
 * expand. Therefore the prior over all trees sums to E[(1 - p_D)^(leaves at depth D)] and not to 1.
 *
 * With forbidden operators (`Grammar.forbid`) a node that draws a forbidden one is a leaf, so that a leaf above the
 * maximum depth has the probability (1 - p_d) + p_d W, where W is the weight of all operators forbidden there. The
 * product of these over the leaves is a polynomial in the weights, whose expectation under Dir(eta_op + gamma) is
 * computed exactly, draw by draw as from an urn (`leaves`).
 *
 * Restrictions add log r of each tree, and of all (`Tree.prior`). The prior is then not normalised (docs/adr/0017).
 *
 * @returns minus infinity for trees that the prior cannot produce: too deep, excluded by a restriction, or with a forbidden
 *   operator
 *
 * @example
 * const logPrior = TreePrior.logPrior(yield* TreePrior.of(likelihood.forest, plan.sites))
 * logPrior(ensemble.trees)
 */
export const logPrior = (prior: TreePrior): ((trees: ReadonlyArray<Tree>) => number) => {
  const { count, total } = counting(prior)
  const together = ofLaw(prior)
  return (trees) => total(trees.map(count)) + (together?.(0, trees) ?? 0)
}

/** The prior of trees each for itself: without restrictions of laws. */
export const alone = (prior: TreePrior): TreePrior => ({
  ...prior,
  restrictions: prior.restrictions?.filter(({ rule }) => {
    const made = rule(prior.grammar)
    return made._tag !== "Counted" || made.of !== "law"
  }),
})

/** log r of the trees of a law under a link by the restrictions of laws; undefined where there are none. */
export const ofLaw = (
  { grammar, restrictions = [] }: Pick<TreePrior, "grammar" | "restrictions">,
  links?: ReadonlyArray<Link>,
): ((link: number, trees: ReadonlyArray<Tree>) => number) | undefined => {
  const { folds, states } = Restriction.compile(grammar, restrictions)
  const log = LawRestrictions.ofTrees(LawRestrictions.make(grammar, folds, links))
  return log && ((link, trees) => log(link, trees.map(states)))
}

/** The statistics of one tree that the prior of an ensemble depends on. Keep them for trees that occur in many ensembles. */
export interface Counts {
  /**
   * sum_d [ nonterm(d) log p_d + term(d) log(1 - p_d) ] of the tree, and log r of its restrictions; minus infinity when the
   * prior cannot produce it
   */
  readonly structure: number
  readonly operators: Float64Array
  /** how often each terminal is used */
  readonly terminals: Float64Array
  /** leaves where the grammar forbids an operator; they are no part of `structure` */
  readonly restricted: ReadonlyArray<Restricted>
}

/** `logPrior` in two parts without restrictions of laws, so that a tree of many ensembles is counted once. */
export interface Counting {
  readonly count: (tree: Tree) => Counts
  /** The log prior of trees in order, from their counts: with `ofLaw` it is `logPrior(trees)`. */
  readonly total: (counts: ReadonlyArray<Counts>) => number
}

export const counting = (prior: TreePrior): Counting => {
  const { grammar, depth } = prior
  const splits = Array.from({ length: depth + 1 }, (_, d) => Prior.splitProbability(prior.split, d))
  const context = contexts(grammar)
  const factors = Restriction.compile(grammar, prior.restrictions ?? [])
  const count = (root: Tree): Counts => {
    const operators = new Float64Array(prior.operators.length)
    const terminals = new Float64Array(prior.terminals.length)
    const restricted: Array<Restricted> = []
    let structure = 0
    const visit = (tree: Tree, d: number, above: Grammars.Context): void => {
      const p = splits[d]!
      const { allowed, forbidden } = context(above)
      if (tree._tag === "Leaf") {
        terminals[tree.terminal]! += 1
        if (d < depth && forbidden.length > 0) restricted.push({ split: p, forbidden })
        else structure += Real.log1p(-p)
        return
      }
      if (d >= depth || allowed[tree.operator] !== true) {
        structure = -Infinity
        return
      }
      structure += Real.log(p)
      operators[tree.operator]! += 1
      const inner = Grammars.below(grammar, above, tree.operator)
      for (const child of tree.children) visit(child, d + 1, inner)
    }
    visit(root, 0, Grammars.rootContext)
    // Restrictions are not evaluated for trees that the prior excludes.
    if (structure > -Infinity) structure += factors.log(root)
    return { structure, operators, terminals, restricted }
  }
  const total = (counts: ReadonlyArray<Counts>): number => {
    const operators = new Float64Array(prior.operators.length)
    const terminals = new Float64Array(prior.terminals.length)
    const restricted: Array<Restricted> = []
    let log = 0
    for (const one of counts) {
      log += one.structure
      for (let k = 0; k < operators.length; k++) operators[k]! += one.operators[k]!
      for (let k = 0; k < terminals.length; k++) terminals[k]! += one.terminals[k]!
      restricted.push(...one.restricted)
    }
    if (log === -Infinity) return log
    log += logRisingBeta(prior.operators, operators) + logRisingBeta(prior.terminals, terminals)
    if (restricted.length === 0) return log
    return log + leaves(restricted, grammar, (k) => prior.operators[k]! + operators[k]!)
  }
  return { count, total }
}

/**
 * The number of leaves at depth D in all trees. Each has a factor 1 - p_D in the LMPSE, which draws from skeletons do
 * not have.
 */
export const deepest = (prior: TreePrior, trees: ReadonlyArray<Tree>): number => {
  const count = (tree: Tree, d: number): number =>
    tree._tag === "Leaf"
      ? Number(d === prior.depth)
      : tree.children.reduce((sum, child) => sum + count(child, d + 1), 0)
  return trees.reduce((sum, tree) => sum + count(tree, 0), 0)
}

/** A leaf below an operator that forbids others. */
export interface Restricted {
  readonly split: number
  /** operators forbidden here */
  readonly forbidden: ReadonlyArray<number>
}

/**
 * log E[prod_leaves (1 - p) + p W_leaf], weights ~ Dir(alpha). Leaf by leaf: the leaf has drawn no expansion (1 - p),
 * or one of its forbidden operators, with the urn's probability (alpha_k + earlier such draws of k) / (sum alpha + all
 * earlier draws). States are the numbers of draws of each operator that is forbidden anywhere; all terms are positive.
 */
const leaves = (
  restricted: ReadonlyArray<Restricted>,
  grammar: Grammars.Grammar,
  alpha: (operator: number) => number,
): number => {
  const total = grammar.operators.reduce((sum, _, k) => sum + alpha(k), 0)
  // Operators that are forbidden in the same contexts are one colour of the urn.
  const signature = (k: number): string =>
    restricted.map(({ forbidden }) => (forbidden.includes(k) ? "1" : "0")).join("")
  const colours = new Map<string, number>()
  grammar.operators.forEach((_, k) => {
    if (signature(k).includes("1")) colours.set(signature(k), (colours.get(signature(k)) ?? 0) + alpha(k))
  })
  const urn = [...colours]
  let states = new Map<string, { readonly counts: ReadonlyArray<number>; readonly weight: number }>()
  states.set("", { counts: urn.map(() => 0), weight: 1 })
  let log = 0
  restricted.forEach(({ split }, leaf) => {
    const next: typeof states = new Map()
    const add = (counts: ReadonlyArray<number>, weight: number): void => {
      const key = counts.join()
      next.set(key, { counts, weight: weight + (next.get(key)?.weight ?? 0) })
    }
    for (const { counts, weight } of states.values()) {
      add(counts, weight * (1 - split))
      const drawn = counts.reduce((sum, count) => sum + count, 0)
      urn.forEach(([signature, mass], colour) => {
        if (signature[leaf] === "1")
          add(
            counts.with(colour, counts[colour]! + 1),
            (weight * split * (mass + counts[colour]!)) / (total + drawn),
          )
      })
    }
    // The product over hundreds of leaves underflows; its logarithm is accumulated in the scale.
    const sum = [...next.values()].reduce((sum, { weight }) => sum + weight, 0)
    log += Real.log(sum)
    states = new Map([...next].map(([key, state]) => [key, { ...state, weight: state.weight / sum }]))
  })
  return log
}

/** log B(eta + counts) / B(eta), by rising factorials: no cancellation for the small counts of trees. */
export const logRisingBeta = (eta: ReadonlyArray<number>, counts: Float64Array): number => {
  let log = 0
  let all = 0
  let total = 0
  eta.forEach((concentration, k) => {
    log += logRising(concentration, counts[k]!)
    all += counts[k]!
    total += concentration
  })
  return log - logRising(total, all)
}

/** log a (a + 1) ... (a + m - 1). */
const logRising = (a: number, m: number): number => {
  let log = 0
  for (let i = 0; i < m; i++) log += Real.log(a + i)
  return log
}

/** The forbidden operators of each context, cached. */
const contexts = (grammar: Grammars.Grammar) => {
  const known = new Map<
    Grammars.Context,
    { readonly allowed: ReadonlyArray<boolean>; readonly forbidden: ReadonlyArray<number> }
  >()
  return (context: Grammars.Context) => {
    const found = known.get(context)
    if (found !== undefined) return found
    const allowed = Grammars.allowed(grammar, context)
    const made = { allowed, forbidden: allowed.flatMap((may, operator) => (may ? [] : [operator])) }
    known.set(context, made)
    return made
  }
}
