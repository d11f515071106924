import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import type { Forest } from "../prob/Forest.ts"
import type { Factor } from "../prob/Factor.ts"
import * as Plan from "../prob/Plan.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import * as Tree from "../prob/Tree.ts"
import * as LawRestrictions from "../prob/tree/LawRestrictions.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as Rng from "../random/Rng.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The term of the ELBO for the restrictions of a tree prior (`Tree.prior`). Let A be the trees that are not excluded,
 * and q~ the family conditioned on A. The term of each tree is
 *
 *     log Q(A) + E_q~[log r(T)],   Q(A) = q(T in A),   q~(T) = q(T) / Q(A) in A
 *
 * which is E_q[log r(T)] where nothing is excluded, and minus the divergence that the truncation costs where r is 0 or 1
 * (docs/adr/0017 has the derivation). With restrictions of laws T is the list of all trees. It is estimated from hard draws of q, and so is its gradient: a score-function
 * estimator with leave-one-out baselines,
 *
 *     sum_h (a_h - mean of a) / ((H - 1) Q^) score_h + sum_h in A (log r_h - mean over A) / (m - 1) score_h
 *
 * with a_h = 1 for the m draws in A and Q^ = m / H. Scores are those of the parts of a skeleton that remain after
 * pruning; the pruned parts are summed out.
 */
export interface RestrictedTrees {
  /**
   * An estimate of the term, summed over the K trees; the gradient times `weight` is added to `gradient`. The draws are
   * a function of `noise`, so that the objective is a function of its arguments.
   *
   * While no draw is in A, Q^ counts half a draw and the gradient is 0: the initial family must draw trees of A.
   *
   * @param parameters flat, as the plan lays them out
   * @param noise the base noise of the step, not empty
   */
  readonly value: (
    parameters: Float64Array,
    noise: Float32Array,
    weight?: number,
    gradient?: Float64Array,
  ) => number
}

/** The number of hard draws of each evaluation, H. */
export const defaultDraws = 64

/** The number of trees whose log r is cached. */
const remembered = 2 ** 16

const parts = ["split", "operator", "terminal"] as const
type Part = (typeof parts)[number]

/**
 * The term of a plan; undefined without restrictions.
 *
 * Fails with a `CompileError` when a factor of the sites of trees has no `score`.
 */
export const make = (
  plan: Plan.Plan,
  draws = defaultDraws,
): Effect.Effect<RestrictedTrees | undefined, CompileError> =>
  Effect.gen(function* () {
    const { forest } = plan.likelihood
    if (forest.restrictions === undefined) return undefined
    const scores = new Map<Part, NonNullable<Factor["score"]>>()
    for (const part of parts) {
      const { factor, name } = Plan.site(plan, forest.sites[part])
      if (factor.score === undefined)
        return yield* new CompileError({
          message: `the factor ${factor.name} of the site "${name}" has no \`score\`, which the ELBO of a restricted tree prior needs; give the site another factor, or fit with Inclusive.fit`,
        })
      scores.set(part, factor.score)
    }
    return over(plan, forest, forest.restrictions, (part) => scores.get(part)!, draws)
  })

const over = (
  plan: Plan.Plan,
  forest: Forest,
  restrictions: ReadonlyArray<Restriction.Restriction>,
  scoreOf: (part: Part) => NonNullable<Factor["score"]>,
  H: number,
): RestrictedTrees => {
  const { grammar, depth, trees: K, sites } = forest
  const nodes = Skeleton.size(depth)
  const { log, folds, states } = Restriction.compile(grammar, restrictions)
  const together = LawRestrictions.ofTrees(LawRestrictions.make(grammar, folds))
  // Trees are restricted each for itself, or all as one.
  const each = Array.from({ length: K }, (_, k) => k)
  const groups = together === undefined ? each.map((k) => [k]) : [each]
  const known = new Map<string, number>()
  const logOf = (tree: Tree.Tree): number => {
    const key = Tree.key(tree)
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= remembered) known.clear()
    const found = log(tree)
    known.set(key, found)
    return found
  }
  const prune = Tree.pruning<Tree.Tree>(grammar, depth, {
    leaf: (terminal) => Tree.leaf(terminal),
    branch: Tree.branch,
  })

  return {
    value: (parameters, noise, weight, gradient) => {
      const key = keyOf(noise)
      const draw = (part: Part): Float64Array =>
        Plan.site(plan, sites[part]).factor.sample(
          Rng.fold(key, part),
          Plan.parametersOf(plan, sites[part], parameters),
          H,
        )
      const drawn = { split: draw("split"), operator: draw("operator"), terminal: draw("terminal") }
      let value = 0
      for (const group of groups) {
        const found = group.map((k) => Array.from({ length: H }, (_, h) => prune(drawn, (h * K + k) * nodes)))
        const logs = Float64Array.from({ length: H }, (_, h) => {
          const trees = found.map((one) => one[h]!)
          return trees.reduce((sum, tree) => sum + logOf(tree), together?.(0, trees.map(states)) ?? 0)
        })
        const estimate = estimateOf(logs)
        value += estimate.value
        if (gradient === undefined || estimate.weights === undefined) continue
        const values = reached(drawn, found, group, K, nodes)
        for (const part of parts) {
          const own = Plan.parametersOf(plan, sites[part], parameters)
          const score = scoreOf(part)(own, values[part], estimate.weights)
          Plan.parametersOf(plan, sites[part], gradient).forEach((slot, index) => {
            for (let i = 0; i < slot.length; i++) slot[i]! += (weight ?? 1) * score[index]![i]!
          })
        }
      }
      return value
    },
  }
}

const keyOf = (noise: Float32Array): Rng.Key => {
  const bits = new Uint32Array(Float32Array.of(noise[0] ?? 0, noise[1] ?? 0).buffer)
  return Rng.fold(Rng.fold(Rng.key(bits[0]!), bits[1]!), "restrictions")
}

/**
 * log Q(A) + E[log r given A] from log r of draws, and the weights of their scores in its gradient; undefined where all
 * weights are 0.
 */
export const estimateOf = (
  logs: Float64Array,
): { readonly value: number; readonly weights: Float64Array | undefined } => {
  const H = logs.length
  const inside = logs.filter((log) => log > -Infinity)
  const m = inside.length
  if (m === 0) return { value: Real.log(0.5 / H), weights: undefined }
  const share = m / H
  const mean = inside.reduce((sum, log) => sum + log, 0) / m
  const weights = logs.map((log) => {
    const kept = log > -Infinity
    const excluded = (Number(kept) - share) / (share * (H - 1))
    return kept && m > 1 ? excluded + (log - mean) / (m - 1) : excluded
  })
  return {
    value: Real.log(share) + mean,
    weights: weights.some((weight) => weight !== 0) ? weights : undefined,
  }
}

/** The values of the sites that some trees of draws are made of, for each of their slots; NaN elsewhere. */
const reached = (
  drawn: Record<Part, Float64Array>,
  trees: ReadonlyArray<ReadonlyArray<Tree.Tree>>,
  slots: ReadonlyArray<number>,
  K: number,
  nodes: number,
): Record<Part, Float64Array> => {
  const blank = (): Float64Array => new Float64Array(drawn.split.length).fill(NaN)
  const values = { split: blank(), operator: blank(), terminal: blank() }
  const inner = (nodes - 1) / 2
  const take = (root: Tree.Tree, from: number): void => {
    const copy = (part: Part, node: number): void => {
      values[part][from + node] = drawn[part][from + node]!
    }
    const visit = (tree: Tree.Tree, node: number): void => {
      if (node < inner) {
        copy("split", node)
        // A leaf whose indicator is 1 drew an operator that is forbidden there.
        if (drawn.split[from + node] === 1) copy("operator", node)
      }
      if (tree._tag === "Leaf") copy("terminal", node)
      else tree.children.forEach((child, which) => visit(child, 2 * node + 1 + which))
    }
    visit(root, 0)
  }
  slots.forEach((k, i) => trees[i]!.forEach((root, h) => take(root, (h * K + k) * nodes)))
  return values
}
