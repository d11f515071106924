import * as Effect from "effect/Effect"
import type { Learned } from "./Constant.ts"
import * as Dist from "./Dist.ts"
import type { Forest } from "./Forest.ts"
import type { Grammar } from "./Grammar.ts"
import * as Grammars from "./Grammar.ts"
import * as Model from "./Model.ts"
import * as Operator from "../expr/Operator.ts"
import * as Setting from "../errors/Setting.ts"
import * as Prior from "./Prior.ts"
import type * as Skeleton from "./Skeleton.ts"
import type { Sym } from "./Sym.ts"
import * as Term from "../expr/Term.ts"

export type { Forest, Values } from "./Forest.ts"

/** A hard expression tree. Indices are into the grammar's terminals and operators. */
export type Tree = Leaf | Branch

export interface Leaf {
  readonly _tag: "Leaf"
  readonly terminal: number
  /** What a learned constant stands at; only leaves of such terminals have it (`Constant.learned`). */
  readonly value?: number
}

export interface Branch {
  readonly _tag: "Branch"
  readonly operator: number
  /** One child per argument of the operator. */
  readonly children: ReadonlyArray<Tree>
}

export const leaf = (terminal: number, value?: number): Leaf =>
  value === undefined ? { _tag: "Leaf", terminal } : { _tag: "Leaf", terminal, value }

export const branch = (operator: number, children: ReadonlyArray<Tree>): Tree => ({
  _tag: "Branch",
  operator,
  children,
})

/** What a pruned skeleton is folded to: one function for each kind of node, children first. */
export interface Fold<A> {
  /** @param at where the leaf's terminal is in the arrays of the skeleton */
  readonly leaf: (terminal: number, at: number) => A
  readonly branch: (operator: number, children: ReadonlyArray<A>) => A
}

/** What pruning asks of the grammar at a node of a context. */
interface Rules {
  readonly allowed: ReadonlyArray<boolean>
  /** the context below each operator */
  readonly below: ReadonlyArray<Grammars.Context>
}

/**
 * The pruning operator of the paper (Section "Valid symbolic tree via deterministic pruning"): a node that does not
 * expand, or lies at the maximum depth, is a leaf; an operator of one argument drops the right subtree. Beyond the
 * paper, a node whose operator the grammar forbids in its context is a leaf.
 *
 * @returns a function of skeletons and of the place of their first node in the arrays, 0 by default
 */
export const pruning = <A>(
  grammar: Grammar,
  depth: number,
  make: Fold<A>,
): ((skeleton: Skeleton.Skeleton, offset?: number) => A) => {
  const last = 2 ** depth - 1
  const known = new Map<Grammars.Context, Rules>()
  const rules = (context: Grammars.Context): Rules => {
    const found = known.get(context)
    if (found !== undefined) return found
    const below = grammar.operators.map((_, operator) => Grammars.below(grammar, context, operator))
    const made = { allowed: Grammars.allowed(grammar, context), below }
    known.set(context, made)
    return made
  }
  return (skeleton, offset = 0) => {
    const visit = (node: number, context: Grammars.Context): A => {
      const operator = skeleton.operator[offset + node] ?? 0
      if (node < last && skeleton.split[offset + node] === 1) {
        const { allowed, below } = rules(context)
        if (allowed[operator] === true) {
          const inner = below[operator]!
          const left = visit(2 * node + 1, inner)
          return grammar.operators[operator]?.arity === 1
            ? make.branch(operator, [left])
            : make.branch(operator, [left, visit(2 * node + 2, inner)])
        }
      }
      return make.leaf(skeleton.terminal[offset + node] ?? 0, offset + node)
    }
    return visit(0, Grammars.rootContext)
  }
}

/** The tree that a skeleton is pruned to; see `pruning`. */
export const prune = (grammar: Grammar, depth: number, skeleton: Skeleton.Skeleton, offset = 0): Tree =>
  pruning<Tree>(grammar, depth, { leaf: (terminal) => leaf(terminal), branch })(skeleton, offset)

/** The expression that a leaf stands for: its terminal, or the number that it has learned. */
export const leafTerm = (grammar: Grammar, { terminal, value }: Leaf): Term.Term =>
  value === undefined ? grammar.terminals[terminal]!.term : Term.constant(value)

/** The expression that a tree stands for, as a term over the features. */
export const toTerm = (grammar: Grammar, tree: Tree): Term.Term => {
  if (tree._tag === "Leaf") return leafTerm(grammar, tree)
  return Operator.apply(
    grammar.operators[tree.operator]!,
    tree.children.map((child) => toTerm(grammar, child)),
  )
}

/**
 * A text that is equal exactly for equal trees: prefix order, `t3` for terminals, `t3=0.5` for learned values and
 * `o2(...)` for operators.
 */
export const key = (tree: Tree): string =>
  tree._tag === "Leaf" ? leafKey(tree) : branchKey(tree.operator, tree.children.map(key))

/** The key of a branch from those of its children. */
export const branchKey = (operator: number, children: ReadonlyArray<string>): string =>
  `o${operator}(${children.join()})`

const leafKey = ({ terminal, value }: Leaf): string =>
  value === undefined ? `t${terminal}` : `t${terminal}=${value}`

/**
 * The tree with the operands of commutative operators in one order, so that x y and y x are one model.
 * The prior does not change: it counts nodes, operators and terminals.
 */
export const canonical = (grammar: Grammar, tree: Tree): Tree => {
  if (tree._tag === "Leaf") return tree
  const children = tree.children.map((child) => canonical(grammar, child))
  if (grammar.operators[tree.operator]?.commutative === true)
    children.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  return branch(tree.operator, children)
}

/** The number of nodes. */
export const size = (tree: Tree): number =>
  tree._tag === "Leaf" ? 1 : 1 + tree.children.reduce((sum, child) => sum + size(child), 0)

/** The depth of the deepest leaf; 0 for a single leaf. */
export const depth = (tree: Tree): number =>
  tree._tag === "Leaf" ? 0 : 1 + Math.max(...tree.children.map(depth))

/** Leaves count 1 and operators their declared complexity. */
export const complexity = (grammar: Grammar, tree: Tree): number =>
  tree._tag === "Leaf"
    ? 1
    : (grammar.operators[tree.operator]?.complexity ?? 1) +
      tree.children.reduce((sum, child) => sum + complexity(grammar, child), 0)

/** The sites of the tree prior, without the prefix of the plate around it. */
export type Sites =
  | Model.Site<"split", "binary">
  | Model.Site<"operator", "categorical">
  | Model.Site<"terminal", "categorical">

/** The sites of the values of a grammar's learned constants, without the prefix of the plate: `value.c` for a constant c. */
export type ValueSites<G> =
  G extends Grammar<string, string, infer C>
    ? string extends keyof C
      ? // Nothing is known of the constants: what they are is found when the model is traced.
        never
      : {
          [N in keyof C & string]: C[N] extends Learned<infer S> ? Model.Site<`value.${N}`, S> : never
        }[keyof C & string]
    : never

/** Skeletons have 2^(D + 1) - 1 nodes. */
const deepest = 16

/**
 * The paper's prior over trees (Eq. skeleton-prior): in a full binary skeleton of the given depth every node has an
 * expansion indicator with a probability that decays with its depth, an operator and a terminal, which deterministic
 * pruning (`prune`) turns into a tree.
 *
 * @param declaration.depth maximum depth D of a tree, 16 at most
 * @param declaration.split how the probability to expand decays with depth
 * @param declaration.operators weights over the grammar's operators
 * @param declaration.features weights over the grammar's terminals: its features, then its constants
 * @param declaration.values whether the values of learned constants (`Constant.learned`) are latent sites, as relaxed trees
 *   need them: for each constant `value.NAME`, with one value for every node of the skeleton under the constant's prior. False by
 *   default: a search over hard trees finds values by itself
 */
export const prior = <const G extends Grammar, const V extends boolean = false>(declaration: {
  readonly grammar: G
  readonly depth: number
  readonly split: Prior.DepthDecay
  readonly operators: Sym<"simplex">
  readonly features: Sym<"simplex">
  readonly values?: V
}): Effect.Effect<Forest, never, Sites | (V extends true ? ValueSites<G> : never)> =>
  Effect.gen(function* () {
    const depth = Setting.whole("the depth of trees", declaration.depth, 0, deepest)
    const nodes = Prior.splits(declaration.split, depth)
    const split = yield* Model.sampleEach("split", nodes, { role: "split" })
    const [operator, terminal] = yield* Model.repeat(
      nodes.length,
      Effect.all([
        Model.sample("operator", Dist.categorical(declaration.operators), { role: "operator" }),
        Model.sample("terminal", Dist.categorical(declaration.features), { role: "terminal" }),
      ]),
    )
    const learned = declaration.values === true ? learnedOf(declaration.grammar) : []
    const values = yield* Model.repeat(
      nodes.length,
      Effect.all(
        learned.map(({ name, terminal, prior }) =>
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
    } satisfies Forest
    // `ValueSites` is the type of the sites that `learnedOf` finds.
  }) as Effect.Effect<Forest, never, Sites | (V extends true ? ValueSites<G> : never)>

/** The learned constants of a grammar, each with its place among the terminals. */
const learnedOf = (grammar: Grammar) =>
  grammar.terminals.flatMap(({ name, learned }, terminal) =>
    learned === undefined ? [] : [{ name, terminal, prior: learned.prior }],
  )
