import { GrammarError, type Grammar } from "../Grammar.ts"
import type { Units } from "../../expr/Unit.ts"
import * as Setting from "../../errors/Setting.ts"
import * as HardTree from "./HardTree.ts"

/**
 * A restriction of the tree prior: a factor r(T) of the prior of every tree, 0 for excluded trees (docs/adr/0017).
 * `Tree.prior` takes any number of restrictions, shipped or your own.
 *
 * Restrictions get trees in canonical form (`Tree.canonical`), without the values of fitted constants.
 */
export interface Restriction {
  /** the name in messages, such as "at most 12 nodes" */
  readonly name: string
  /**
   * log r of the trees of a grammar.
   *
   * @throws GrammarError when it names an operator or terminal that the grammar lacks
   */
  readonly rule: (grammar: Grammar) => Rule
  /** Units that it asks trees to be consistent in: a search knows those of its nodes, and asks the rule no more. */
  readonly units?: Units | undefined
}

/**
 * log r of the trees of one grammar, natural logarithm: minus infinity excludes a tree, NaN and plus infinity are errors.
 *
 * - `Counted`: a function of a sum over the nodes of the tree. *When to use*: for every restriction of this form. The
 *   search adds up the sums of a tree's operands: one addition for each tree.
 * - `Whole`: any function of the tree, called once for each tree that a search scores.
 */
export type Rule =
  | {
      readonly _tag: "Counted"
      /** the summand of each operator, by its index in the grammar */
      readonly operators: ReadonlyArray<number>
      /** the summand of each terminal, by its index in the grammar */
      readonly terminals: ReadonlyArray<number>
      /** log r of the sum */
      readonly log: (sum: number) => number
    }
  | {
      readonly _tag: "Whole"
      /** log r of the tree */
      readonly log: (tree: HardTree.Tree) => number
    }

/** A rule that is a function of a sum over nodes. */
export type Counted = Extract<Rule, { readonly _tag: "Counted" }>

/** A rule that is any function of the tree. */
export type Whole = Extract<Rule, { readonly _tag: "Whole" }>

/** 0 up to a limit, minus infinity beyond. */
const upTo =
  (limit: number) =>
  (sum: number): number =>
    sum <= limit ? 0 : -Infinity

/**
 * Excludes trees of more than `limit` nodes, operators and leaves together. *When to use*: to bound the size of trees
 * below what the depth allows.
 *
 * @throws SettingError when the limit is not a whole number from 1 on
 */
export const atMostNodes = (limit: number): Restriction => {
  Setting.whole("the largest number of nodes", limit, 1)
  return {
    name: `at most ${limit} nodes`,
    rule: ({ operators, terminals }) => ({
      _tag: "Counted",
      operators: operators.map(() => 1),
      terminals: terminals.map(() => 1),
      log: upTo(limit),
    }),
  }
}

/**
 * Excludes trees that use an operator, a feature or a constant more than `limit` times. The limit holds for each tree
 * of an ensemble. *When to use*: where repeated uses are implausible; `Grammar.forbid` forbids nestings.
 *
 * @param name an operator or terminal of the grammar; if both have the name, uses of both count
 * @param limit 0 or more
 * @throws SettingError when the limit is not a whole number from 0 on
 */
export const atMostUses = (name: string, limit: number): Restriction => {
  Setting.whole(`the largest number of uses of "${name}"`, limit, 0)
  const own = `at most ${limit} of "${name}"`
  return {
    name: own,
    rule: ({ operators, terminals }) => {
      if (![...operators, ...terminals].some((one) => one.name === name))
        throw new GrammarError({
          message:
            `the restriction to ${own} needs an operator or terminal of that name; the grammar has ` +
            [...operators, ...terminals].map((one) => one.name).join(", "),
        })
      return {
        _tag: "Counted",
        operators: operators.map((one) => (one.name === name ? 1 : 0)),
        terminals: terminals.map((one) => (one.name === name ? 1 : 0)),
        log: upTo(limit),
      }
    },
  }
}

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
): Restriction => ({
  name,
  rule: (grammar) => ({ _tag: "Whole", log: (tree) => log(tree, grammar) }),
})

/** The restrictions of a prior, for one grammar. */
export interface Compiled {
  /** the rules that are functions of sums */
  readonly counted: ReadonlyArray<Counted>
  /** The sum of log r over the other rules, of a tree in canonical form, without values. */
  readonly whole: ((tree: HardTree.Tree) => number) | undefined
  /** The sum of all log r of a tree in any form. */
  readonly log: (tree: HardTree.Tree) => number
}

/**
 * Restrictions as functions of the trees of a grammar. Their results are checked.
 *
 * @throws GrammarError when a restriction names an operator or terminal that the grammar lacks. `log` and `whole` throw
 *   a SettingError that names the restriction and the tree when log r is NaN or plus infinity.
 */
export const compile = (grammar: Grammar, restrictions: ReadonlyArray<Restriction>): Compiled => {
  const counted: Array<Counted> = []
  const wholes: Array<Whole> = []
  for (const { name, rule } of restrictions) {
    const made = rule(grammar)
    if (made._tag === "Counted")
      counted.push({ ...made, log: (sum) => checked(name, made.log(sum), () => `a tree of sum ${sum}`) })
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
  return {
    counted,
    whole: wholes.length === 0 ? undefined : whole,
    log: (tree) => {
      let log = 0
      for (const rule of counted) log += rule.log(sumOf(rule, tree))
      if (wholes.length === 0 || log === -Infinity) return log
      return log + whole(HardTree.canonical(grammar, HardTree.withoutValues(tree)))
    },
  }
}

const checked = (name: string, log: number, of: () => string): number => {
  if (Number.isNaN(log) || log === Infinity)
    throw new Setting.SettingError({
      message: `the restriction "${name}" must give a number, or -Infinity to exclude a tree, but gives ${log} for ${of()}`,
    })
  return log
}

const sumOf = (rule: Counted, tree: HardTree.Tree): number =>
  tree._tag === "Leaf"
    ? rule.terminals[tree.terminal]!
    : tree.children.reduce((sum, child) => sum + sumOf(rule, child), rule.operators[tree.operator]!)
