import * as Constant from "../prob/Constant.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Operator from "../expr/Operator.ts"

/** The default operators of a search, for data about which nothing is known. */
export const operators = [
  "add",
  "sub",
  "mul",
  "div",
  "pow",
  "square",
  "sqrt",
  "sin",
  "cos",
  "exp",
  "log",
] as const satisfies ReadonlyArray<Operator.ShippedName>

/** The default constants: numbers that are terminals beside the features. */
export const constants: ReadonlyArray<number> = [1, 2, Math.PI]

/**
 * The default forbidden nestings: functions that laws rarely nest, or that undo each other. Pairs with an operator that
 * the grammar lacks are left out.
 */
export const forbidden: ReadonlyArray<Grammar.Forbidden> = Object.entries({
  sin: ["sin", "cos", "exp", "log"],
  cos: ["sin", "cos", "exp", "log"],
  exp: ["exp", "log", "sin", "cos"],
  log: ["exp", "log"],
  sqrt: ["sqrt"],
}).flatMap(([inside, inner]) => inner.map((operator) => ({ inside, operator })))

/** Names of shipped operators, or operators of one's own. */
export type Operators = ReadonlyArray<Operator.ShippedName | Operator.Operator>

/** The names that constants may have: numbers, and `c` for the fitted one, with primes where a feature has the same name. */
export type ConstantName = "pi" | "c" | `${number}` | `${string}'`

/** The constants of a law's grammar. */
export type Constants = {
  readonly [N in `${number}` | `${string}'`]: number | Constant.Fitted
} & { readonly [N in "pi" | "c"]?: number | Constant.Fitted }

/** The settings of `make`. Fields that are left out have the defaults of this module. */
export interface Settings {
  /** names of shipped operators, or your own operators */
  readonly operators?: Operators | undefined
  readonly constants?: ReadonlyArray<number> | undefined
  /** the prior of fitted constants inside of terms; `Constant.scaleFree` by default, "none" for laws without such constants */
  readonly fitted?: Constant.Fitted | "none" | undefined
}

/** A name, with primes if a feature has the same. */
const unused = (name: string, features: ReadonlyArray<string>): string =>
  features.includes(name) ? unused(`${name}'`, features) : name

/** Names of constants in their usual notation, with primes if a feature has the same. */
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
 * A grammar over features, with the defaults `operators`, `constants` and `forbidden` unless settings replace them.
 * *When to use*: for laws of unknown form; `Grammar.make` for a grammar without defaults.
 *
 * @throws GrammarError when there is no feature or no operator, or a name occurs twice
 */
export const make = <const F extends string, const P extends Operators = typeof operators>(
  features: ReadonlyArray<F>,
  settings: Omit<Settings, "operators"> & { readonly operators?: P | undefined } = {},
): Grammar.Grammar<F, Operator.NameIn<P>, Constants> => {
  const {
    operators: chosen = operators,
    constants: values = constants,
    fitted = Constant.scaleFree,
  } = settings
  const declared: Grammar.Grammar = Grammar.make({
    features,
    operators: Operator.named(chosen),
    constants: { ...named(values, features), ...(fitted !== "none" && { [unused("c", features)]: fitted }) },
  })
  const has = (name: string): boolean => declared.operators.some((operator) => operator.name === name)
  const ruled = forbidden
    .filter(({ inside, operator }) => has(inside) && has(operator))
    .reduce((grammar, rule) => Grammar.forbid(rule)(grammar), declared)
  // Its features, operators and constants are those that the settings name.
  return ruled as unknown as Grammar.Grammar<F, Operator.NameIn<P>, Constants>
}
