import * as Effect from "effect/Effect"
import type * as Data from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import * as PriorDraws from "../evidence/priorDraws.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import * as Term from "../expr/Term.ts"
import * as KnownForms from "../prob/KnownForms.ts"
import * as Link from "../prob/Link.ts"
import type { Declared } from "../prob/Plan.ts"
import * as Tree from "../prob/Tree.ts"
import { numbers } from "../rank/Numbers.ts"
import * as KnownData from "./knownData.ts"
import * as Rng from "../random/Rng.ts"
import * as Real from "../numeric/Real.ts"
import * as Special from "../numeric/Special.ts"

/** A law drawn from a model's prior, and its values. */
export interface Drawn {
  /** the index of its link; 0 without links */
  readonly link: number
  readonly trees: ReadonlyArray<Tree.Tree>
  /** the number of its terms and fitted constants */
  readonly numbers: number
  /** the law's values on all rows, without noise */
  readonly mean: Float64Array
}

/** Draws of a law that are tried; an impossible one, such as a root of negative values, is drawn anew. */
const tries = 5000
/** The largest weight of trees by their links, 1 in the mean, that draws are corrected for. */
const heaviest = 4
/** Coefficients that are tried for the same trees. */
const retries = 8
/** The largest distance of a value from the mean of a term or a law, in standard deviations: poles between rows are no law of a table. */
const spread = 8
/** The largest ratio of the sizes of two terms. */
const balance = 30

/** Gives each fitted constant of a tree a value: log-normal around 1, every fifth negative. */
const valued = (
  tree: Tree.Tree,
  isFitted: (terminal: number) => boolean,
  random: Rng.Generator,
): Tree.Tree => {
  if (tree._tag === "Branch")
    return Tree.branch(
      tree.operator,
      tree.children.map((child) => valued(child, isFitted, random)),
    )
  if (!isFitted(tree.terminal)) return tree
  const size = Real.exp(random.normal())
  return Tree.leaf(tree.terminal, random.next() < 0.2 ? -size : size)
}

const place = (weights: ReadonlyArray<number>, random: Rng.Generator): number => {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  const found = weights.findIndex((weight) => (left -= weight) < 0)
  return found < 0 ? weights.length - 1 : found
}

/** The standard deviation of values; 0 where one of them is far out, or it is not finite. */
const scaleOf = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const scale = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  const isEven = scale < Infinity && values.every((value) => Math.abs(value - mean) <= spread * scale)
  return isEven ? scale : 0
}

/**
 * A law drawn from the prior of a model over the rows of data: of a known form with the share that these have (`knownData`), else with its
 * link, number of terms and trees exactly from the prior; its
 * coefficients, whose prior is improper, in sizes that leave each term a part of the law: 1 as often as the prior of exact constants has
 * exact ones, else of random sign, log-normal over the standard deviation of the term. A law without terms is a constant.
 *
 * *When to use*: to simulate data whose law is known, for calibration and simulation-based checks. The noise is the caller's.
 *
 * @param features columns of features on the rows; the response is not read
 * @errors CompileError as of `PriorDraws.sample`, and when 5,000 draws had no law that is finite on all rows
 */
export const draw = (
  plan: Declared,
  features: Data.Dataset,
  key: Rng.Key,
): Effect.Effect<Drawn, CompileError> =>
  Effect.gen(function* () {
    const { likelihood } = plan
    const { grammar, trees: K } = likelihood.forest
    const prior = yield* EnsemblePrior.of(likelihood, plan.sites)
    const trees = TreePrior.alone(yield* TreePrior.of(likelihood.forest, plan.sites))
    const columns = yield* Columns.make(grammar, features)
    const links = likelihood.link?.links ?? [Link.identity]
    const random = Rng.generator(Rng.fold(key, "law"))
    const shareKnown =
      1 - Real.exp(KnownForms.among(likelihood.known ?? KnownForms.none, grammar.features.length).logNew)
    // Those of the prior count the orders of k trees, k! of them.
    const sizes = prior.sizes.map((log, k) => Real.exp(log - Special.lgamma(k + 1)))
    const isFitted = (terminal: number): boolean => grammar.terminals[terminal]?.fitted !== undefined
    for (let attempt = 0; attempt < tries; attempt++) {
      const [drawn = []] = yield* PriorDraws.sample(trees, K, Rng.fold(key, attempt), 1)
      const count = place(sizes, random)
      if (count > 0 && random.next() < shareKnown) {
        // As often rejected as other laws are below.
        if (heaviest * random.next() > 1) continue
        const known = KnownData.draw(likelihood, features, random, (mean) => scaleOf(mean) > 0)
        if (known !== undefined) return { ...known, numbers: numbers(known.trees) }
      }
      const chosen = drawn.slice(0, count)
      // Restrictions of laws are about the trees that are kept, and a link makes some roots of terms likelier than others.
      const shares = links.map((_, link) => Real.exp(prior.ofLink(link, chosen)))
      if (heaviest * random.next() > shares.reduce((sum, share) => sum + share, 0)) continue
      const link = place(shares, random)
      const kept = chosen.map((tree) => valued(tree, isFitted, random))
      const values = kept.map((tree) => columns.column(tree))
      if (!values.every(({ admissible }) => admissible)) continue
      const scales = values.map(({ values: column }) => scaleOf(column))
      if (scales.some((scale) => !(scale > 1e-9))) continue
      const [branch] = links[link]!.inverse
      const back = Term.interpret(Term.arithmetic)(branch!)
      const masses = Constants.ofLaw(
        Constants.defaults,
        Tree.features(grammar, ...kept).size,
        Link.isExponential(branch!),
      )
      for (let retry = 0; retry < retries; retry++) {
        const coefficients = scales.map((scale) => {
          const exact = random.next() < masses.exact
          const sign = random.next() < 0.3 ? -1 : 1
          return exact ? sign : (sign * Real.exp(0.7 * random.normal())) / scale
        })
        const parts = coefficients.map((coefficient, k) => Math.abs(coefficient) * scales[k]!)
        if (Math.max(...parts) > balance * Math.min(...parts)) continue
        const intercept = count > 0 && random.next() < masses.zero ? 0 : 2 * random.normal()
        const z = Float64Array.from({ length: features.rows }, (_, i) =>
          values.reduce((sum, { values: column }, k) => sum + coefficients[k]! * column[i]!, intercept),
        )
        const mean = z.map((value) => back(() => value))
        if (count === 0 ? mean.some((value) => !Number.isFinite(value)) : !(scaleOf(mean) > 0)) continue
        return { link, trees: kept, numbers: numbers(kept), mean }
      }
    }
    return yield* new CompileError({
      message: `${tries} draws from the prior had no law that is finite on all rows`,
    })
  })
