import type * as Grammar from "../prob/Grammar.ts"
import type * as Link from "../prob/Link.ts"
import * as Prior from "../prob/Prior.ts"
import { shares } from "../prob/dist/Concentrations.ts"
import type { Units } from "../prob/Dimensions.ts"
import { pureNumbers } from "../prob/PureNumbers.ts"
import * as Nesting from "../prob/tree/Nesting.ts"
import type { Restriction } from "../prob/tree/Restriction.ts"
import { uses } from "./FormUses.ts"

/**
 * The default prior over forms, of highest likelihood on the 485 forms of 819 named laws of science, smoothed (docs/adr/0024 and 0058;
 * `bench/priors/run.ts` fits it, and a test checks that these are its numbers).
 */
export const fitted = {
  /**
   * Dirichlet concentrations of operator weights. An operator that is not listed, such as a user's own, has `other`: its
   * user expects it.
   */
  operators: {
    add: 1.9,
    sub: 1.4,
    mul: 5.35,
    div: 3.8,
    square: 2.45,
    sqrt: 0.9,
    log: 1.3,
    exp: 0.8,
    pow: 0.75,
    sin: 0.45,
    cos: 0.45,
    tan: 0.3,
    tanh: 0.35,
    neg: 0.3,
    abs: 0.3,
    acos: 0.25,
    atan: 0.25,
  },
  other: 1,
  /**
   * Dirichlet concentrations of terminal weights: of each feature, of the constants 1, 2 and pi, of any other constant,
   * and of a fitted constant.
   */
  terminals: { feature: 2, one: 0.65, two: 0.15, pi: 0.1, constant: 0.5, fitted: 0.65 },
  /** the probability of an operator at depth 0, 1, ...; the last holds for all deeper nodes */
  split: [0.87, 0.55, 0.4, 0.31, 0.16],
  /** the prior inclusion probability of a term */
  inclusion: 0.5,
  /** Relative weights of links. A link that is not listed has `otherLink`. */
  links: {
    identity: 0.62,
    square: 0.09,
    sqrt: 0.025,
    inverse: 0.095,
    inverseSquare: 0.02,
    log: 0.135,
    exp: 0.005,
    sin: 0.01,
    cos: 0.005,
    arcsin: 0.005,
  },
  otherLink: 0.1,
} as const

const lookUp = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Concentrations of the operators of a grammar, in its order. */
export const operators = ({ operators }: Grammar.Grammar): ReadonlyArray<number> =>
  operators.map(({ name }) => lookUp(fitted.operators, name) ?? fitted.other)

/** Concentrations of the terminals of a grammar, in its order. */
export const terminals = ({ features, terminals }: Grammar.Grammar): ReadonlyArray<number> => {
  const { feature, one, two, pi, constant, fitted: free } = fitted.terminals
  return terminals.map(({ term, fitted: prior }, index) => {
    if (index < features.length) return feature
    if (prior !== undefined) return free
    if (term._tag !== "Constant") return constant
    switch (term.value) {
      case 1:
        return one
      case 2:
        return two
      case Math.PI:
        return pi
      default:
        return constant
    }
  })
}

export const split: Prior.Split = Prior.splitTable(fitted.split)

/** Prior probabilities of links, in their order. */
export const links = (links: ReadonlyArray<Link.Link>): ReadonlyArray<number> => {
  const weights = links.map(({ name }) => lookUp(fitted.links, name) ?? fitted.otherLink)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** Mean weights. */
const weights = {
  operators: (grammar: Grammar.Grammar) => shares(operators(grammar)),
  terminals: (grammar: Grammar.Grammar) => shares(terminals(grammar)),
}

/** What stands below what in laws: the restriction of the default tree prior. */
export const nesting = Nesting.nesting(uses, (grammar) => ({
  operators: weights.operators(grammar),
  terminals: weights.terminals(grammar),
}))

/** Where the unit of the target is known, and not whether numbers have units: either is as likely. */
export const numbers = (depth: number, units: Units | undefined): ReadonlyArray<Restriction> =>
  units?.numbers === "either" && units.target !== undefined && units.columns[units.target] !== undefined
    ? [pureNumbers(units, { ...weights, split, depth })]
    : []
