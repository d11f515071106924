import type { Grammar } from "../Grammar.ts"
import type { Link } from "../Link.ts"
import type { Units } from "../../expr/Unit.ts"
import * as Setting from "../../errors/Setting.ts"
import * as HardTree from "./HardTree.ts"
import * as Nesting from "./Nesting.ts"

/**
 * A restriction of the tree prior: a factor r(T) of the prior of every tree, 0 for excluded trees (docs/adr/0017).
 * `Tree.prior` takes any number of restrictions, shipped or your own.
 *
 * Restrictions get trees in canonical form (`Tree.canonical`), without the values of fitted constants.
 *
 * @typeParam N the names of operators and terminals that it is about: a grammar of literal names without one of them does not compile
 */
export interface Restriction<out N extends string = string> {
  /** the name in messages, such as "at most 12 nodes" */
  readonly name: string
  /**
   * log r of the trees of a grammar.
   *
   * @throws GrammarError when it names an operator or terminal that the grammar lacks
   */
  readonly rule: (grammar: Grammar) => Rule
  /** the operators and terminals that it is about, as far as it is about some by name */
  readonly names?: ReadonlyArray<N> | undefined
  /** Units that it asks trees to be consistent in: a search knows those of its nodes, and asks the rule no more. */
  readonly units?: Units | undefined
  /** What a search asks of trees in its place, where the way to trees that are allowed leads through others; itself if left out. */
  readonly wider?: Restriction<N> | undefined
}

/**
 * log r of the trees of one grammar, natural logarithm: minus infinity excludes a tree, NaN and plus infinity are errors.
 *
 * - `Counted`: a function of a sum over the nodes of the tree, or of all trees of a law. *When to use*: for every restriction
 *   of this form. The search adds up the sums of a tree's operands: one addition for each tree.
 * - `Parts`: excludes trees with a part that cannot be. A part is judged from the states of its operands, so that a search
 *   never makes it.
 * - `Terms`: a function of a sum over the terms of a law, to which each adds a number that its link and its state decide.
 * - `Nested`: a function of a sum over nodes that knows what each node stands below. Made by `Tree.nesting`.
 * - `Whole`: any function of the tree, called once for each tree that a search scores.
 */
export type Rule =
  | {
      readonly _tag: "Counted"
      /** the summand of each operator, by its index in the grammar */
      readonly operators: ReadonlyArray<number>
      /** the summand of each terminal, by its index in the grammar */
      readonly terminals: ReadonlyArray<number>
      readonly log: (sum: number) => number
      /**
       * Where summands are at least 0: no tree of a larger sum than `most` is allowed, nor part of one that is, so that a search
       * never makes it; sums below `least` are excluded but may be completed, so that a search passes through them.
       */
      readonly bounds?: { readonly least?: number; readonly most?: number } | undefined
      /** whose nodes are summed: of each tree for itself, or of all trees of a law and of its link; trees if left out */
      readonly of?: "tree" | "law" | undefined
    }
  | {
      readonly _tag: "Parts"
      /** The state of a leaf, or Infinity if it is excluded; `value` is that of a fitted constant, where it is known. */
      readonly leaf: (terminal: number, value: number | undefined) => number
      /**
       * The state of an operator over operands of such states, or Infinity if it is excluded; `right` is NaN for an operator of one
       * argument. A law's link is one over each of its terms.
       */
      readonly over: (operator: number, left: number, right: number) => number
    }
  | {
      readonly _tag: "Terms"
      /** The state of a leaf, a finite number; `value` is that of a fitted constant, where it is known. */
      readonly leaf: Parts["leaf"]
      /** The state of an operator over operands of such states; `right` is NaN for an operator of one argument. */
      readonly over: Parts["over"]
      /**
       * What a term of a state adds under a link, by its place among those of the likelihood: a number, or minus infinity.
       *
       * @param links none where the law is a sum of terms
       */
      readonly part: (links: ReadonlyArray<Link>) => (link: number, state: number) => number
      /** log r of a law from the sum over its terms, 0 for none */
      readonly log: (sum: number) => number
    }
  | Nesting.Nested
  | {
      readonly _tag: "Whole"
      readonly log: (tree: HardTree.Tree) => number
    }

/** A rule that is a function of a sum over nodes. */
export type Counted = Extract<Rule, { readonly _tag: "Counted" }>

export type Parts = Extract<Rule, { readonly _tag: "Parts" }>

export type Terms = Extract<Rule, { readonly _tag: "Terms" }>

export type Whole = Extract<Rule, { readonly _tag: "Whole" }>

/**
 * Any function of a tree as a factor of its prior. *When to use*: when it is no function of a sum over nodes; for those
 * a `Counted` rule is faster in a search.
 *
 * @param log log r(T), up to a constant: a finite number, or minus infinity where the tree is excluded. It must depend
 *   on its arguments alone
 * @param name the name in messages
 *
 * @example
 * // a sine of a sine is a tenth as likely
 * Tree.logPrior((tree, grammar) => Math.log(0.1) * sinesOfSines(tree, grammar))
 */
export const logPrior = (
  log: (tree: HardTree.Tree, grammar: Grammar) => number,
  name = "a log prior of trees",
): Restriction<never> => ({
  name,
  rule: (grammar) => ({ _tag: "Whole", log: (tree) => log(tree, grammar) }),
})

/**
 * A rule as states of nodes, from the leaves up: Infinity is the state of a tree that is excluded, together with all trees that it is
 * part of.
 */
export interface Fold {
  readonly kind: "tree" | "law" | "parts" | "terms"
  readonly leaf: Parts["leaf"]
  readonly over: Parts["over"]
  /** log r of a tree of a state; 0 for rules of laws */
  readonly log: (state: number) => number
  /** The rule of laws whose sums the states are; undefined of other rules. */
  readonly law?: Counted | undefined
  /** The rule about terms that the states are of; undefined of other rules. */
  readonly terms?: Terms | undefined
}

/** The restrictions of a prior, for one grammar. */
export interface Compiled {
  /** the rules that nodes have states of */
  readonly folds: ReadonlyArray<Fold>
  /** the rules that know what a node stands below */
  readonly nested: ReadonlyArray<Nesting.Nested>
  /** The sum of log r over the other rules, of a tree in canonical form, without values. */
  readonly whole: ((tree: HardTree.Tree) => number) | undefined
  /** The sum of all log r of a tree in any form, nested rules and rules of laws left out. */
  readonly others: (tree: HardTree.Tree) => number
  /** The sum of all log r of a tree in any form, rules of laws left out. */
  readonly log: (tree: HardTree.Tree) => number
  /** The states of a tree, one for each of `folds`. */
  readonly states: (tree: HardTree.Tree) => Float64Array
}

/**
 * Restrictions as functions of the trees of a grammar. Their results are checked.
 *
 * @throws GrammarError when a restriction names an operator or terminal that the grammar lacks. `log` and `whole` throw
 *   a SettingError that names the restriction and the tree when log r is NaN or plus infinity.
 */
export const compile = (grammar: Grammar, restrictions: ReadonlyArray<Restriction>): Compiled => {
  const folds: Array<Fold> = []
  const nested: Array<Nesting.Nested> = []
  const wholes: Array<Whole> = []
  for (const { name, rule } of restrictions) {
    const made = rule(grammar)
    if (made._tag === "Counted") folds.push(ofCounted(name, made))
    else if (made._tag === "Nested") nested.push(made)
    else if (made._tag === "Parts") folds.push({ ...made, kind: "parts", log: excluding })
    else if (made._tag === "Terms") folds.push(ofTerms(name, made))
    else
      wholes.push({
        ...made,
        log: (tree) => checked(name, made.log(tree), () => `the tree ${HardTree.describe(grammar, tree)}`),
      })
  }
  const whole = (tree: HardTree.Tree): number => {
    let sum = 0
    // A tree that one rule excludes is not passed to the others.
    for (const { log } of wholes) if (sum > -Infinity) sum += log(tree)
    return sum
  }
  const others = (tree: HardTree.Tree): number => {
    let log = 0
    for (const fold of folds) log += fold.log(stateOf(fold, tree))
    if (wholes.length === 0 || log === -Infinity) return log
    return log + whole(HardTree.canonical(grammar, HardTree.withoutValues(tree)))
  }
  return {
    folds,
    nested,
    whole: wholes.length === 0 ? undefined : whole,
    others,
    log: (tree) => nested.reduce((log, rule) => log + Nesting.log(rule, tree), others(tree)),
    states: (tree) => Float64Array.from(folds, (fold) => stateOf(fold, tree)),
  }
}

const checked = (name: string, log: number, of: () => string): number => {
  if (Number.isNaN(log) || log === Infinity)
    throw new Setting.SettingError({
      message: `the restriction "${name}" must give a number, or -Infinity to exclude a tree, but gives ${log} for ${of()}`,
    })
  return log
}

/** log r of the states of rules that exclude some. */
const excluding = (state: number): number => (state < Infinity ? 0 : -Infinity)

const ofCounted = (name: string, rule: Counted): Fold => {
  const { operators, terminals, bounds } = rule
  const most = bounds?.most ?? Infinity
  const within = (sum: number): number => (sum <= most ? sum : Infinity)
  const log = (sum: number): number =>
    sum === Infinity ? -Infinity : checked(name, rule.log(sum), () => `a sum of ${sum}`)
  return {
    leaf: (terminal) => within(terminals[terminal]!),
    over: (operator, left, right) => within(operators[operator]! + left + (Number.isNaN(right) ? 0 : right)),
    ...(rule.of === "law" ? { kind: "law", log: excluding, law: { ...rule, log } } : { kind: "tree", log }),
  }
}

const ofTerms = (name: string, rule: Terms): Fold => {
  const { leaf, over, log } = rule
  const terms = { ...rule, log: (sum: number) => checked(name, log(sum), () => `a sum of ${sum}`) }
  return { kind: "terms", leaf, over, log: excluding, terms }
}

const stateOf = (fold: Fold, tree: HardTree.Tree): number => {
  if (tree._tag === "Leaf") return fold.leaf(tree.terminal, tree.value)
  const [left = Infinity, right = NaN] = tree.children.map((child) => stateOf(fold, child))
  return left < Infinity && right !== Infinity ? fold.over(tree.operator, left, right) : Infinity
}
