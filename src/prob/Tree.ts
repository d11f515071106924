import * as Effect from "effect/Effect"
import type { Fitted, Hierarchical } from "./Constant.ts"
import * as Dist from "./Dist.ts"
import type { Forest } from "./Forest.ts"
import type { Grammar, Known, Name } from "./Grammar.ts"
import * as Model from "./Model.ts"
import * as Setting from "../errors/Setting.ts"
import * as Prior from "./Prior.ts"
import type { Sym } from "./Sym.ts"
import * as Restrictions from "./tree/Restriction.ts"

export type { Forest, Values } from "./Forest.ts"

// Hard trees, their folds and their texts.
export {
  branch,
  type Branch,
  branchKey,
  canonical,
  complexity,
  depth,
  features,
  type Fold,
  key,
  leaf,
  type Leaf,
  leafTerm,
  prune,
  pruning,
  size,
  toNamedTerm,
  toTerm,
  type Tree,
  withoutValues,
} from "./tree/HardTree.ts"

// A formula as a tree.
export { fromTerm, OutsideGrammarError } from "./tree/fromTerm.ts"

// Restrictions of the tree prior.
export { nesting } from "./tree/Nesting.ts"
export { logPrior, type Restriction, type Rule } from "./tree/Restriction.ts"
export {
  atMostNodes,
  atMostUses,
  contains,
  type CountedRestriction,
  inLaw,
  notInside,
  over,
} from "./tree/Appearance.ts"
export { exponents } from "./tree/Exponents.ts"

/** The sites of the tree prior, without the prefix of the plate around it. */
export type Sites =
  | Model.Site<"split", "binary">
  | Model.Site<"operator", "categorical">
  | Model.Site<"terminal", "categorical">

/**
 * The sites of the values of a grammar's fitted constants, without the prefix of the plate: `value.c` for a constant c, and `scale.c` where its values
 * share a latent scale.
 */
export type ValueSites<G> =
  G extends Grammar<string, string, infer C>
    ? string extends keyof C
      ? // The names of the constants are known only when the model is traced.
        never
      : {
          [N in keyof C & string]: C[N] extends Fitted<infer S>
            ? | Model.Site<`value.${N}`, S>
              | (C[N] extends Hierarchical ? Model.Site<`scale.${N}`, "positive"> : never)
            : never
        }[keyof C & string]
    : never

/** Skeletons have 2^(D + 1) - 1 nodes. */
const deepest = 16

/**
 * The paper's prior over trees (Eq. skeleton-prior): in a full binary skeleton of the given depth every node has an
 * expansion indicator with a probability that depends on its depth, an operator and a terminal, which deterministic
 * pruning (`prune`) turns into a tree.
 *
 * Each restriction multiplies the prior p0 of a tree by a factor r: p(T) = p0(T) r_1(T) r_2(T) ... / Z. The search, the
 * ELBO, the ranking and the enumeration all use it. The constant Z, the sum of p0 r_1 r_2 ... over all trees, is left
 * out everywhere. Posterior probabilities and Bayes factors among models of one prior do not depend on it; log marginal
 * posteriors under different restrictions are not comparable. `Enumerate.enumerate` computes it for small grammars.
 *
 * @param declaration.depth maximum depth D of a tree, 16 at most
 * @param declaration.split the probability to expand by depth: `Prior.depthDecay` or `Prior.splitTable`
 * @param declaration.operators weights over the grammar's operators
 * @param declaration.features weights over the grammar's terminals: its features, then its constants
 * @param declaration.values whether the values of fitted constants (`Constant.fitted`) are latent sites, as relaxed
 *   trees need them: for each constant `value.NAME`, with one value for every node of the skeleton under the constant's
 *   prior, and `scale.NAME` for a scale that all of them share. False by default: a search over hard trees fits the values
 * @param declaration.restrictions further factors of the prior: `Tree.atMostUses`, `Tree.contains`, `Tree.notInside`,
 *   `Tree.logPrior` and others, or your own records; none by default
 * @throws SettingError for an impossible depth, and GrammarError for a restriction about a name that the grammar lacks (where names are
 *   literal, this does not even compile)
 *
 * @example
 * Tree.prior({ grammar, depth: 3, split: Prior.splitTable([0.9, 0.6, 0.3]), operators, features,
 *   restrictions: [Tree.atMostNodes(9), Tree.atMostUses("sin", 1)] })
 */
export const prior = <
  const G extends Grammar,
  const V extends boolean = false,
  const N extends string = never,
>(declaration: {
  readonly grammar: G
  readonly depth: number
  readonly split: Prior.Split
  readonly operators: Sym<"simplex">
  readonly features: Sym<"simplex">
  readonly values?: V
  readonly restrictions?: ReadonlyArray<Restrictions.Restriction<Known<Name<G>, N>>>
}): Effect.Effect<Forest, never, Sites | (V extends true ? ValueSites<G> : never)> =>
  Effect.gen(function* () {
    const depth = Setting.whole("the depth of trees", declaration.depth, 0, deepest)
    const { restrictions = [] } = declaration
    // Compiled here, so that a restriction about a name that the grammar lacks fails at the declaration.
    Restrictions.compile(declaration.grammar, restrictions)
    const nodes = Prior.splits(declaration.split, depth)
    const split = yield* Model.sampleEach("split", nodes, { role: "split" })
    const [operator, terminal] = yield* Model.repeat(
      nodes.length,
      Effect.all([
        Model.sample("operator", Dist.categorical(declaration.operators), { role: "operator" }),
        Model.sample("terminal", Dist.categorical(declaration.features), { role: "terminal" }),
      ]),
    )
    const fitted = yield* Effect.all(
      (declaration.values === true ? fittedOf(declaration.grammar) : []).map(scaled),
    )
    const values = yield* Model.repeat(
      nodes.length,
      Effect.all(
        fitted.map(({ name, terminal, prior }) =>
          Effect.map(Model.sample(`value.${name}`, prior, { role: "constant" }), ({ site }) => ({
            terminal,
            site,
          })),
        ),
      ),
    )
    return {
      _tag: "Forest",
      grammar: declaration.grammar,
      depth: declaration.depth,
      split: declaration.split,
      trees: split.shape.slice(0, -1).reduce((product, length) => product * length, 1),
      weights: { operators: declaration.operators, terminals: declaration.features },
      sites: { split: split.site, operator: operator.site, terminal: terminal.site },
      ...(values.length > 0 && { values }),
      ...(restrictions.length > 0 && { restrictions }),
    } satisfies Forest
    // `ValueSites` is the type of the sites that `fittedOf` finds.
  }) as Effect.Effect<Forest, never, Sites | (V extends true ? ValueSites<G> : never)>

/** The fitted constants of a grammar, each with its place among the terminals. */
const fittedOf = (grammar: Grammar) =>
  grammar.terminals.flatMap(({ name, fitted }, terminal) =>
    fitted === undefined ? [] : [{ name, terminal, fitted }],
  )

/** The prior of a constant's values: given the site of their scale where they share one. */
const scaled = ({ name, terminal, fitted: { prior, scale } }: ReturnType<typeof fittedOf>[number]) =>
  scale?.latent === undefined
    ? Effect.succeed({ name, terminal, prior })
    : Effect.map(Model.shared(Model.sample(`scale.${name}`, scale.prior, { role: "scale" })), (site) => ({
        name,
        terminal,
        prior: scale.latent!(site),
      }))
