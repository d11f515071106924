import * as Dimensions from "./Dimensions.ts"
import type { Grammar } from "./Grammar.ts"
import type * as Link from "./Link.ts"
import { type Split, splitProbability } from "./Split.ts"
import type { Restriction } from "./tree/Restriction.ts"
import * as Real from "../numeric/Real.ts"

/** The prior of a tree at the mean of its weights. */
export interface Weights {
  /** mean weights of the operators of a grammar, in its order */
  readonly operators: (grammar: Grammar) => ReadonlyArray<number>
  /** those of its terminals */
  readonly terminals: (grammar: Grammar) => ReadonlyArray<number>
  readonly split: Split
  readonly depth: number
}

/** The most dimensions of operands: the likeliest, which have nearly all of the mass. */
const most = 32
/** The least f: terms of a rare unit, such as that of a^2 q^2 / (c^3 epsilon), are none of operands of the likeliest dimensions. */
const rarest = 1e-4

/**
 * Numbers of a law are pure with probability p, and otherwise have units of their own. Given its link and the number of its terms
 * T_1 ... T_k a law has the factor
 *
 *     r = 1 - p + p prod_i c / f   if all of its terms suit pure numbers,   r = 1 - p   otherwise,
 *
 * where c and f are the prior probabilities that a tree is a term with free, and with pure numbers: each hypothesis has its own
 * normalised prior over terms. A law that is consistent without units of its numbers has passed a test that few trees pass. c and f are
 * those of trees at the mean of the weights, nesting and other restrictions left out. p is 1/2 for numbers that are either, and 1 for
 * dimensionless ones.
 *
 * *When to use*: beside `Dimensions.consistent`, where the unit of the target is known, and numbers are not known to be free.
 *
 * @param units those of the columns and the target
 */
export const pureNumbers = (units: Dimensions.Units, weights: Weights): Restriction => ({
  name: units.numbers === "dimensionless" ? "numbers are pure" : "numbers are pure or have units",
  rule: (grammar) => {
    const pure = Dimensions.make(grammar, { ...units, numbers: "dimensionless" })
    return {
      _tag: "Terms",
      leaf: (terminal) => pure.terminals[terminal]!,
      over: (operator, left, right) => pure.apply(operator, left, Number.isNaN(right) ? 0 : right),
      part: (links) => {
        // A likelihood with a link of its own does not say which terms suit the target.
        if (links.length === 0) return () => 0
        const odds = oddsOf(grammar, units, weights, links)
        const suits = pure.under(links)
        // A search asks for each ensemble that it scores, and there are few dimensions.
        const parts = links.map(() => new Map<Dimensions.Name, number>())
        return (link, state) => {
          const before = parts[link]!.get(state)
          if (before !== undefined) return before
          const part = suits(link, state) ? odds[link]! : -Infinity
          parts[link]!.set(state, part)
          return part
        }
      },
      log: units.numbers === "dimensionless" ? (sum) => sum : (sum) => Real.log((1 + Real.exp(sum)) / 2),
    }
  },
  wider:
    units.numbers === "dimensionless" ? pureNumbers({ ...units, numbers: "either" }, weights) : undefined,
})

/** The results for the latest grammar and links: each part of a fit asks for them. */
const known = new WeakMap<
  Dimensions.Units["columns"],
  { readonly key: string; readonly odds: ReadonlyArray<number> }
>()

/** log c / f of each link. */
const oddsOf = (
  grammar: Grammar,
  units: Dimensions.Units,
  weights: Weights,
  links: ReadonlyArray<Link.Link>,
): ReadonlyArray<number> => {
  const names = [...grammar.operators, ...grammar.terminals, ...links].map(({ name }) => name)
  const key = [weights.depth, units.target, ...names].join("\n")
  const before = known.get(units.columns)
  if (before?.key === key) return before.odds
  const shares = (numbers: "free" | "dimensionless"): ReadonlyArray<number> => {
    const dimensions = Dimensions.make(grammar, { ...units, numbers }, links)
    const roots = [...rootsOf(grammar, dimensions, weights)]
    return links.map((_, link) =>
      roots.reduce((sum, [name, share]) => sum + (dimensions.suits(link, name) ? share : 0), 0),
    )
  }
  const [free, pure] = [shares("free"), shares("dimensionless")]
  const odds = free.map((share, link) => Real.log(share / Math.max(pure[link]!, rarest)))
  known.set(units.columns, { key, odds })
  return odds
}

type Shares = ReadonlyMap<Dimensions.Name, number>

/** The likeliest, all consistent ones. */
const likeliest = (shares: Shares): Shares =>
  new Map([...shares].sort(([, a], [, b]) => b - a).slice(0, most))

/** The prior probabilities of the dimensions of trees, level by level from the deepest. Inconsistent trees are left out. */
const rootsOf = (grammar: Grammar, dimensions: Dimensions.Dimensions, weights: Weights): Shares => {
  const [operators, terminals] = [weights.operators(grammar), weights.terminals(grammar)]
  const leaves = new Map<Dimensions.Name, number>()
  const add = (to: Map<Dimensions.Name, number>, name: Dimensions.Name, share: number): void => {
    if (name !== 0) to.set(name, (to.get(name) ?? 0) + share)
  }
  dimensions.terminals.forEach((name, i) => add(leaves, name, terminals[i]!))
  // A number is the second argument of some operators in each law.
  const numbers = grammar.terminals.findIndex(({ fitted }) => fitted !== undefined)
  const number: Shares = new Map(numbers < 0 ? [] : [[dimensions.terminals[numbers]!, 1]])
  let below: Shares = leaves
  for (let depth = weights.depth - 1; depth >= 0; depth--) {
    const split = splitProbability(weights.split, depth)
    const here = new Map([...leaves].map(([name, share]) => [name, (1 - split) * share]))
    const operands = likeliest(below)
    grammar.operators.forEach(({ arity, number: second }, operator) => {
      const weight = split * operators[operator]!
      const others: Shares = arity === 1 ? new Map([[0, 1]]) : second === undefined ? operands : number
      for (const [left, a] of operands)
        for (const [right, b] of others) add(here, dimensions.apply(operator, left, right), weight * a * b)
    })
    below = here
  }
  return below
}
