import type * as Constant from "../prob/Constant.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Operator from "../expr/Operator.ts"

/** The operators of a search that names none: nothing about the law needs to be known. */
export const operators: ReadonlyArray<Operator.ShippedName> = [
  "add",
  "sub",
  "mul",
  "div",
  "square",
  "sqrt",
  "sin",
  "cos",
  "exp",
  "log",
]

/** The numbers that are terminals beside the features. */
export const constants: ReadonlyArray<number> = [1, 2, Math.PI]

/**
 * What may not stand anywhere inside what, of the operators that a grammar has: functions that laws hardly nest, and
 * that undo each other.
 */
export const forbidden: ReadonlyArray<Grammar.Forbidden> = Object.entries({
  sin: ["sin", "cos", "exp", "log"],
  cos: ["sin", "cos", "exp", "log"],
  exp: ["exp", "log", "sin", "cos"],
  log: ["exp", "log"],
  sqrt: ["sqrt"],
}).flatMap(([inside, inner]) => inner.map((operator) => ({ inside, operator })))

/** What of a grammar a user changes most. Whatever is left out is general. */
export interface Settings {
  /** names of operators that ship, or operators of one's own */
  readonly operators?: ReadonlyArray<Operator.ShippedName | Operator.Operator> | undefined
  readonly constants?: ReadonlyArray<number> | undefined
  /** the prior of numbers inside of terms that are learned, one for all; none are if left out */
  readonly learned?: Constant.Learned | undefined
}

/** A name, with primes where a feature has it. */
const unused = (name: string, features: ReadonlyArray<string>): string =>
  features.includes(name) ? unused(`${name}'`, features) : name

/** Names of constants as people write them, with primes where a feature has that name. */
const named = (values: ReadonlyArray<number>, features: ReadonlyArray<string>): Record<string, number> => {
  const taken = new Set(features)
  return Object.fromEntries(
    [...new Set(values)].map((value) => {
      let name = value === Math.PI ? "pi" : String(value)
      while (taken.has(name)) name += "'"
      taken.add(name)
      return [name, value]
    }),
  )
}

/**
 * A grammar over features, general unless settings say otherwise: `operators`, `constants`, `learned` and `forbidden`.
 *
 * @throws GrammarError when there is no feature or no operator, or a name occurs twice
 */
export const make = (
  features: ReadonlyArray<string>,
  { operators: chosen = operators, constants: values = constants, learned }: Settings = {},
): Grammar.Grammar => {
  const declared: Grammar.Grammar = Grammar.make({
    features,
    operators: Operator.named(chosen),
    constants: { ...named(values, features), ...(learned && { [unused("c", features)]: learned }) },
  })
  const has = (name: string): boolean => declared.operators.some((operator) => operator.name === name)
  return forbidden
    .filter(({ inside, operator }) => has(inside) && has(operator))
    .reduce((grammar, rule) => Grammar.forbid(rule)(grammar), declared)
}
