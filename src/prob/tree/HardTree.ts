import type { Grammar } from "../Grammar.ts"
import * as Grammars from "../Grammar.ts"
import * as Operator from "../../expr/Operator.ts"
import type * as Skeleton from "../Skeleton.ts"
import * as Term from "../../expr/Term.ts"

/** A hard expression tree. Indices are into the grammar's terminals and operators. */
export type Tree = Leaf | Branch

export interface Leaf {
  readonly _tag: "Leaf"
  readonly terminal: number
  /** The value of a fitted constant (`Constant.fitted`); other leaves have none. */
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

/** The fold of a pruned skeleton: one function for each kind of node, children first. */
export interface Fold<A> {
  /** @param at the index of the leaf's node in the arrays of the skeleton */
  readonly leaf: (terminal: number, at: number) => A
  readonly branch: (operator: number, children: ReadonlyArray<A>) => A
}

/** The grammar's rules for pruning a node in one context. */
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
 * @returns a function of skeletons and of the index of their first node in the arrays, 0 by default
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

/** The expression of a leaf: its fitted value, or its terminal. */
export const leafTerm = (grammar: Grammar, { terminal, value }: Leaf): Term.Term =>
  value === undefined ? grammar.terminals[terminal]!.term : Term.constant(value)

/**
 * The expression of a tree, as a term over the features.
 *
 * @param ofLeaf the expression of a leaf, asked for from the left; its fitted value or its terminal by default
 */
export const toTerm = (
  grammar: Grammar,
  tree: Tree,
  ofLeaf: (leaf: Leaf) => Term.Term = (leaf) => leafTerm(grammar, leaf),
): Term.Term => {
  if (tree._tag === "Leaf") return ofLeaf(tree)
  return Operator.apply(
    grammar.operators[tree.operator]!,
    tree.children.map((child) => toTerm(grammar, child, ofLeaf)),
  )
}

/** The expression of a tree with the operators of users by their names. *When to use*: for a text. */
export const toNamedTerm = (grammar: Grammar, tree: Tree): Term.Term =>
  tree._tag === "Leaf"
    ? leafTerm(grammar, tree)
    : Operator.applyByName(
        grammar.operators[tree.operator]!,
        tree.children.map((child) => toNamedTerm(grammar, child)),
      )

/**
 * A text that is equal exactly for equal trees: prefix order, `t3` for terminals, `t3=0.5` for fitted values and
 * `o2(...)` for operators.
 */
export const key = (tree: Tree): string =>
  tree._tag === "Leaf" ? leafKey(tree) : branchKey(tree.operator, tree.children.map(key))

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

/** The places, among the terminals, of the features that some trees have. */
export const features = (grammar: Grammar, ...trees: ReadonlyArray<Tree>): ReadonlySet<number> => {
  const found = new Set<number>()
  const visit = (tree: Tree): void => {
    if (tree._tag === "Branch") tree.children.forEach(visit)
    else if (tree.terminal < grammar.features.length) found.add(tree.terminal)
  }
  trees.forEach(visit)
  return found
}

/** The tree without the values of its fitted constants. */
export const withoutValues = (tree: Tree): Tree => {
  if (tree._tag === "Leaf") return tree.value === undefined ? tree : leaf(tree.terminal)
  return branch(tree.operator, tree.children.map(withoutValues))
}

/** The tree with the names of its parts, for messages: `mul(x0, sin(x1))`. */
export const describe = (grammar: Grammar, tree: Tree): string => {
  if (tree._tag === "Leaf") return grammar.terminals[tree.terminal]?.name ?? `terminal ${tree.terminal}`
  const name = grammar.operators[tree.operator]?.name ?? `operator ${tree.operator}`
  return `${name}(${tree.children.map((child) => describe(grammar, child)).join(", ")})`
}
