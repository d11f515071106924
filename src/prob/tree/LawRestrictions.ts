import * as Term from "../../expr/Term.ts"
import type { Grammar } from "../Grammar.ts"
import type * as Link from "../Link.ts"
import type { Fold } from "./Restriction.ts"

/**
 * The restrictions of a prior that are about laws: sums over all trees or terms, and what may stand in the terms of a link. A law has one sum for each
 * fold of the restrictions (`Restriction.compile`), to which each tree adds its part.
 */
export interface LawRestrictions {
  /** The sums of a law without trees; the link's place among those of the likelihood. */
  readonly none: (link: number) => Float64Array
  /** What a tree adds to a sum, from its state. */
  readonly part: (link: number, fold: number, state: number) => number
  readonly log: (sums: Float64Array) => number
  /**
   * The same with a penalty in place of minus infinity for laws that lack something: the way to complete ones leads through
   * these.
   */
  readonly onTheWay: (sums: Float64Array) => number
}

/** Nats for each thing that a law lacks: more than all data can say. */
const penalty = 1e9

/** The operators of a grammar that a link's inverse is made of, the innermost first: those that stand above the terms of a law. */
const operatorsOf = ({ operators }: Grammar, { inverse }: Link.Link): ReadonlyArray<number> => {
  const x = Term.variable("x")
  const find = (term: Term.Term): ReadonlyArray<number> => {
    const place = operators.findIndex((one) => Term.equals(one.term, term))
    return place < 0 ? [] : [place]
  }
  const of = (term: Term.Term): ReadonlyArray<number> => {
    if (term._tag === "Unary") return [...of(term.argument), ...find(Term.unary(term.operation, x))]
    if (term._tag === "Binary" && term.operation === "div")
      return [...of(term.right), ...find(Term.div(x, Term.variable("y")))]
    return []
  }
  const [first] = inverse
  return first === undefined ? [] : of(first)
}

/**
 * @param links those of the likelihood, in order; none for a sum of terms
 * @returns undefined where no restriction is about laws
 */
export const make = (
  grammar: Grammar,
  folds: ReadonlyArray<Fold>,
  links: ReadonlyArray<Link.Link> = [],
): LawRestrictions | undefined => {
  const chains = links.map((link) => operatorsOf(grammar, link))
  const isAbove = folds.some(({ kind }) => kind === "parts") && chains.some((chain) => chain.length > 0)
  if (!isAbove && !folds.some(({ law, terms }) => law !== undefined || terms !== undefined)) return undefined
  const parts = folds.map(({ terms }) => terms?.part(links))
  const under = (link: number, fold: Fold, state: number): number => {
    let above = state
    for (const operator of chains[link] ?? [])
      if (grammar.operators[operator]!.arity === 1 && above < Infinity)
        above = fold.over(operator, above, NaN)
    return above < Infinity ? 0 : Infinity
  }
  const sum = (sums: Float64Array, lacks: (missing: number) => number): number => {
    let log = 0
    folds.forEach(({ law, terms }, i) => {
      const own = sums[i]!
      if (own === Infinity) log = -Infinity
      else if (terms !== undefined) log += terms.log(own)
      else if (law !== undefined) {
        const missing = (law.bounds?.least ?? -Infinity) - own
        log += missing > 0 ? lacks(missing) : law.log(own)
      }
    })
    return log
  }
  return {
    none: (link) =>
      Float64Array.from(folds, ({ law }) =>
        (chains[link] ?? []).reduce((total, operator) => total + (law?.operators[operator] ?? 0), 0),
      ),
    part: (link, i, state) => {
      const fold = folds[i]!
      switch (fold.kind) {
        case "law":
          return state
        case "parts":
          return under(link, fold, state)
        case "terms":
          return parts[i]!(link, state)
        case "tree":
          return 0
      }
    },
    log: (sums) => sum(sums, () => -Infinity),
    onTheWay: (sums) => sum(sums, (missing) => -penalty * missing),
  }
}

/** log r of the trees of a law; undefined where no restriction is about laws. */
export const ofTrees = (
  restrictions: LawRestrictions | undefined,
): ((link: number, states: ReadonlyArray<Float64Array>) => number) | undefined =>
  restrictions &&
  ((link, states) => {
    const sums = restrictions.none(link)
    for (const own of states) own.forEach((state, i) => (sums[i]! += restrictions.part(link, i, state)))
    return restrictions.log(sums)
  })
