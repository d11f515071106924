import { type Pipeable, Prototype } from "effect/Pipeable"
import * as Schema from "effect/Schema"
import * as Constant from "./Constant.ts"
import * as Operator from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"

/** A leaf of an expression: a feature of the data, or a constant that the grammar declares. */
export interface Terminal<N extends string = string> {
  readonly name: N
  /** The term of a leaf without its own value. */
  readonly term: Term.Term
  /** The prior of the leaves' fitted values; undefined for features and fixed constants. */
  readonly fitted?: Constant.Fitted | undefined
}

/** `operator` may not occur anywhere below `inside`. */
export interface Forbidden {
  readonly inside: string
  readonly operator: string
}

/** Constants by name as a grammar declares them: fixed numbers, or fitted constants. */
export type Constants = Readonly<Record<string, number | Constant.Fitted>>

/**
 * The set of expressions: the terminals of leaves, the operators of inner nodes, and the forbidden nestings (Whigham
 * 1995). The order of terminals and operators only numbers the categories of the latent sites.
 */
export interface Grammar<
  F extends string = string,
  O extends string = string,
  C extends Constants = Constants,
> extends Pipeable {
  readonly features: ReadonlyArray<F>
  readonly constants: C
  /** The features in order, then the constants. */
  readonly terminals: ReadonlyArray<Terminal>
  readonly operators: ReadonlyArray<Operator.Operator<O>>
  readonly forbidden: ReadonlyArray<Forbidden>
}

/**
 * An invalid grammar: no feature, no operator, a name used twice, a rule about an operator that it lacks. Thrown while
 * the model is declared.
 */
export class GrammarError extends Schema.TaggedError<GrammarError>()("GrammarError", {
  message: Schema.String,
}) {}

const duplicate = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

/**
 * A grammar from feature names and operators; `constants` are terminals too: numbers, or fitted constants
 * (`Constant.fitted`).
 *
 * @example
 * Grammar.make({ features: ["x0", "x1"], operators: [Operator.mul, Operator.sin], constants: { pi: Math.PI } })
 *
 * @throws GrammarError when a list is empty, a name occurs twice or a constant is not finite.
 */
export const make = <
  const F extends string,
  const O extends string,
  const C extends Constants = Readonly<Record<string, never>>,
>(declaration: {
  readonly features: ReadonlyArray<F>
  readonly operators: ReadonlyArray<Operator.Operator<O>>
  readonly constants?: C
}): Grammar<F, O, C> => {
  const { features, operators } = declaration
  // If left out, C is the type of no constants.
  const constants = declaration.constants ?? ({} as C)
  if (features.length === 0) throw new GrammarError({ message: "a grammar needs at least one feature" })
  if (operators.length === 0) throw new GrammarError({ message: "a grammar needs at least one operator" })
  for (const [name, value] of Object.entries(constants))
    if (typeof value === "number" && !Number.isFinite(value))
      throw new GrammarError({ message: `the constant "${name}" must be finite, but is ${value}` })
  const terminals: ReadonlyArray<Terminal> = [
    ...features.map((name) => ({ name, term: Term.variable(name) })),
    ...Object.entries(constants).map(([name, value]) =>
      typeof value === "number"
        ? { name, term: Term.constant(value) }
        : { name, term: Constant.term, fitted: value },
    ),
  ]
  const terminal = duplicate(terminals.map(({ name }) => name))
  if (terminal !== undefined)
    throw new GrammarError({ message: `the terminal "${terminal}" is declared twice` })
  const operator = duplicate(operators.map(({ name }) => name))
  if (operator !== undefined)
    throw new GrammarError({ message: `the operator "${operator}" is declared twice` })
  return { ...Prototype, features, constants, terminals, operators, forbidden: [] }
}

/** The place of the first fitted constant among the terminals; -1 without one. */
export const fittedPlace = ({ terminals }: Pick<Grammar, "terminals">): number =>
  terminals.findIndex(({ fitted }) => fitted !== undefined)

export const hasFitted = (grammar: Grammar): boolean => fittedPlace(grammar) >= 0

/** The place of the constant 1 among the terminals; -1 without one. */
export const onePlace = ({ terminals }: Pick<Grammar, "terminals">): number =>
  terminals.findIndex(
    ({ term, fitted }) => fitted === undefined && term._tag === "Constant" && term.value === 1,
  )

/** The place of the operator of powers, x^c with c a number (`Operator.number`); -1 where there is none. */
export const powerPlace = ({ operators }: Pick<Grammar, "operators">): number =>
  operators.findIndex(({ number }) => number === "y")

/**
 * The place among the operators of one that is the same function, whatever its name; -1 without one.
 *
 * @example
 * Grammar.placeOf(grammar, Operator.mul)
 */
export const placeOf = ({ operators }: Pick<Grammar, "operators">, operator: Operator.Operator): number =>
  operators.findIndex((one) => Operator.same(one, operator))

const insides = (grammar: Grammar): ReadonlyArray<string> => [
  ...new Set(grammar.forbidden.map(({ inside }) => inside)),
]

/**
 * Forbids an operator anywhere inside another. The rule holds by construction: in the skeleton of a tree, a node that
 * would expand into a forbidden operator is a leaf (a third pruning rule beside the paper's two). Every skeleton still
 * maps to one valid tree, and no draw is rejected.
 *
 * *When to use*: for nestings that are never wanted, such as a sine of a sine. `Tree.logPrior` makes them improbable
 * instead.
 *
 * @throws GrammarError when the grammar lacks one of the operators (where its names are literal, this does not even
 *   compile), or has rules about more than 30 different `inside`
 *
 * @example
 * grammar.pipe(Grammar.forbid({ inside: "sin", operator: "sin" }))
 */
export const forbid =
  <const I extends string, const P extends string>(rule: { readonly inside: I; readonly operator: P }) =>
  <G extends Grammar>(
    grammar: G &
      (I | P extends OperatorName<G>
        ? unknown
        : `the grammar has no operator "${Exclude<I | P, OperatorName<G>>}"`),
  ): G => {
    // Literal names are checked by the type; names from outside are looked up here.
    for (const name of [rule.inside, rule.operator])
      if (!grammar.operators.some((operator) => operator.name === name))
        throw new GrammarError({ message: `the grammar has no operator "${name}"` })
    const next = { ...grammar, forbidden: [...grammar.forbidden, rule] }
    // A context is a mask of 32 bits, one of them the sign.
    if (insides(next).length > 30)
      throw new GrammarError({ message: "a grammar may forbid inside at most 30 different operators" })
    return next
  }

export type OperatorName<G> = G extends Grammar<string, infer O> ? O : never

/** The literal names of a grammar's features. */
export type FeatureName<G> = G extends Grammar<infer F, string> ? F : never

/** The literal names of a grammar's constants. */
export type ConstantName<G> =
  G extends Grammar<string, string, infer C>
    ? // Without constants there are no keys, and every key is possible.
      C extends Readonly<Record<string, never>>
      ? never
      : keyof C & string
    : never

/** The literal names of a grammar: of its features, constants and operators. */
export type Name<G> = FeatureName<G> | ConstantName<G> | OperatorName<G>

/**
 * A name, if a grammar has it; else a text that says it has not, which does not compile. Names that no type knows are looked up when the
 * program runs.
 *
 * @typeParam All the names of the grammar
 * @typeParam N the name that is asked for, or several
 */
export type Known<All extends string, N extends string> = string extends All | N
  ? N
  : N extends All
    ? N
    : `the grammar has no operator or terminal "${N}"`

/**
 * The context of a node, which determines its forbidden operators: the set of `inside` operators above it, as a bit
 * mask. Without a forbidden pair there is one context, 0.
 */
export type Context = number

export const rootContext: Context = 0

/** The context below `operator` (an index into the grammar's operators) when the node itself has context `above`. */
export const below = (grammar: Grammar, above: Context, operator: number): Context => {
  const bit = insides(grammar).indexOf(grammar.operators[operator]?.name ?? "")
  return bit < 0 ? above : above | (1 << bit)
}

/** Whether each operator (by index) may be applied in a context. */
export const allowed = (grammar: Grammar, context: Context): ReadonlyArray<boolean> => {
  const above = insides(grammar).filter((_, bit) => (context & (1 << bit)) !== 0)
  return grammar.operators.map(
    ({ name }) => !grammar.forbidden.some((rule) => rule.operator === name && above.includes(rule.inside)),
  )
}

/** The contexts that a node at `depth` can have, the root's being the only one at depth 0. */
export const contextsAt = (grammar: Grammar, depth: number): ReadonlyArray<Context> => {
  let contexts: ReadonlyArray<Context> = [rootContext]
  for (let d = 0; d < depth; d++) {
    const next = new Set<Context>()
    for (const context of contexts) {
      const may = allowed(grammar, context)
      grammar.operators.forEach((_, operator) => {
        if (may[operator] === true) next.add(below(grammar, context, operator))
      })
    }
    contexts = [...next].sort((a, b) => a - b)
  }
  return contexts
}
