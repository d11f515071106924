import { GrammarError, type Grammar } from "../Grammar.ts"
import * as Setting from "../../errors/Setting.ts"
import { meant } from "../../internal/nearest.ts"
import type { Counted, Restriction } from "./Restriction.ts"

/** A restriction of a sum over nodes, which can be one of a law as well (`inLaw`). */
export interface CountedRestriction<out N extends string = string> extends Restriction<N> {
  readonly rule: (grammar: Grammar) => Counted
}

const named = (grammar: Grammar, name: string, of: string) => {
  const { operators, terminals } = grammar
  const all = [...operators, ...terminals].map((one) => one.name)
  if (!all.includes(name))
    throw new GrammarError({
      message: `${of}: the grammar has no operator or terminal "${name}"${meant(name, all, { otherwise: `; it has ${all.join(", ")}` })}`,
    })
  return {
    operators: operators.map((one) => one.name === name),
    terminals: terminals.map((one) => one.name === name),
  }
}

const counting = <N extends string>(
  name: string,
  names: ReadonlyArray<N>,
  counts: (grammar: Grammar) => Pick<Counted, "operators" | "terminals">,
  bounds: { readonly least?: number; readonly most?: number },
): CountedRestriction<N> => {
  const { least = 0, most = Infinity } = bounds
  return {
    name,
    names,
    rule: (grammar) => ({
      _tag: "Counted",
      ...counts(grammar),
      log: (sum) => (sum >= least && sum <= most ? 0 : -Infinity),
      bounds,
    }),
  }
}

const uses = (name: string, of: string) => (grammar: Grammar) => {
  const { operators, terminals } = named(grammar, name, of)
  return { operators: operators.map(Number), terminals: terminals.map(Number) }
}

/**
 * Excludes trees of more than `limit` nodes, operators and leaves together. *When to use*: to bound the size of trees
 * below what the depth allows.
 *
 * @throws SettingError when the limit is not a whole number from 1 on
 */
export const atMostNodes = (limit: number): CountedRestriction<never> => {
  Setting.whole("the largest number of nodes", limit, 1)
  return counting(
    `at most ${limit} nodes`,
    [],
    ({ operators, terminals }) => ({ operators: operators.map(() => 1), terminals: terminals.map(() => 1) }),
    { most: limit },
  )
}

/**
 * Excludes trees that use an operator, a feature or a constant more than `limit` times; 0 for trees without it. The limit holds
 * for each tree of an ensemble; `inLaw` makes it one of all trees. *When to use*: where repeated uses are implausible.
 *
 * @param name an operator or terminal of the grammar; if both have the name, uses of both count
 * @param limit 0 or more
 * @throws SettingError when the limit is not a whole number from 0 on; the prior throws a GrammarError that suggests the nearest
 *   name when the grammar lacks the name, as for all restrictions that follow
 */
export const atMostUses = <const N extends string>(name: N, limit: number): CountedRestriction<N> => {
  Setting.whole(`the largest number of uses of "${name}"`, limit, 0)
  const own = limit === 0 ? `no "${name}"` : `at most ${limit} of "${name}"`
  return counting(own, [name], uses(name, `the restriction to ${own}`), { most: limit })
}

/**
 * Excludes laws without an operator, a feature or a constant: one of the trees must have it. A search passes through laws that
 * lack it, and keeps none of them. *When to use*: where it is known that y depends on a column.
 */
export const contains = <const N extends string>(name: N): CountedRestriction<N> =>
  inLaw(
    counting(`"${name}" occurs`, [name], uses(name, `the restriction to laws that contain "${name}"`), {
      least: 1,
    }),
  )

/**
 * A restriction of the sum over all trees of a law in place of each tree: `inLaw(atMostUses("sin", 1))` allows one sine in
 * all. The operators of the link's inverse count as well: a law of log y is an exponential. Sums of terms and coefficients do
 * not count. *When to use*: for limits of the law as it is printed.
 */
export const inLaw = <const N extends string>({
  name,
  names,
  rule,
}: CountedRestriction<N>): CountedRestriction<N> => ({
  name: `${name} in a law`,
  names,
  rule: (grammar) => ({ ...rule(grammar), of: "law" }),
})

/**
 * Excludes trees with `inner` anywhere inside of `outer`, an exponential in an exponential for instance. A law's link is outside
 * of its terms. *When to use*: to exclude a nesting by the prior; `Grammar.forbid` has a grammar that does not draw it.
 *
 * @param inner an operator or terminal of the grammar
 * @param outer an operator
 */
export const notInside = <const I extends string, const O extends string>(
  inner: I,
  outer: O,
): Restriction<I | O> => {
  const name = `no "${inner}" inside of "${outer}"`
  return {
    name,
    names: [inner, outer],
    rule: (grammar) => {
      const own = named(grammar, inner, `the restriction to ${name}`)
      return nothingInside(grammar, outer, `the restriction to ${name}`, own)
    },
  }
}

/**
 * Excludes trees with an operator over features that are not listed, anywhere below it; constants may be there. *When to use*:
 * where a function is known to be one of some columns.
 *
 * @example
 * Tree.over("log", ["pressure", "volume"]) // no logarithm of other columns
 */
export const over = <const O extends string, const F extends string>(
  operator: O,
  features: ReadonlyArray<F>,
): Restriction<O | F> => {
  const name = `"${operator}" over ${features.join(", ")} only`
  return {
    name,
    names: [operator, ...features],
    rule: (grammar) => {
      const of = `the restriction to ${name}`
      for (const feature of features) named(grammar, feature, of)
      return nothingInside(grammar, operator, of, {
        operators: grammar.operators.map(() => false),
        terminals: grammar.terminals.map(
          (one, index) => index < grammar.features.length && !features.some((name) => name === one.name),
        ),
      })
    },
  }
}

/** States: 1 for a tree with one of some operators or terminals, else 0. */
const nothingInside = (
  grammar: Grammar,
  outer: string,
  of: string,
  inner: ReturnType<typeof named>,
): ReturnType<Restriction["rule"]> => {
  const outside = named(grammar, outer, of).operators
  if (!outside.includes(true)) throw new GrammarError({ message: `${of}: "${outer}" is no operator` })
  return {
    _tag: "Parts",
    leaf: (terminal) => Number(inner.terminals[terminal]),
    over: (operator, left, right) => {
      const has = left === 1 || right === 1
      if (has && outside[operator] === true) return Infinity
      return Number(has || inner.operators[operator] === true)
    },
  }
}
