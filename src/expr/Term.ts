/**
 * Scalar terms: the one notation of this library for formulas. An operator, a link function and a fitted model are
 * terms; engines, texts and derivatives are interpreters of them.
 *
 * @example
 * import * as Term from "vasst/expr/Term"
 *
 * const x = Term.variable("x")
 * const gauss = Term.exp(Term.neg(Term.square(x)))      // Term<"x">
 * Term.derivative(gauss, "x")                           // -(exp(-x^2)*(2*x))
 */
import { children, fold, type Term, type VariablesOf } from "./term/TermF.ts"
import { constant, type TermLike, variable } from "./term/Constructors.ts"

// The data: nodes, one layer of them, and folds.
export {
  children,
  fold,
  foldShared,
  mapLayer,
  type Application,
  type Binary,
  type BinaryOperation,
  type Constant,
  type Term,
  type TermF,
  type Unary,
  type UnaryOperation,
  type Variable,
  type VariablesOf,
} from "./term/TermF.ts"

// Building: one constructor for each operation; numbers are lifted.
export {
  abs,
  acos,
  add,
  application,
  asin,
  atan,
  binary,
  constant,
  cos,
  div,
  exp,
  guard,
  inv,
  log,
  max,
  min,
  mul,
  neg,
  pdiv,
  pexp,
  pinv,
  plog,
  pow,
  psqrt,
  sign,
  sin,
  sqrt,
  square,
  sub,
  tan,
  tanh,
  unary,
  variable,
  type TermLike,
} from "./term/Constructors.ts"

// Running over an algebra, and the algebras of numbers and of terms.
export { arithmetic, interpret, interpretWith, protect, type TermAlgebra } from "./term/Interpret.ts"
export { algebra, expand, expanding, meaning } from "./term/Expand.ts"

// The notation of physics.
export { arrange, type ArrangeOptions } from "./form/Arrange.ts"
export { family, type Family } from "./form/Family.ts"
export { skeleton } from "./form/Skeleton.ts"

// Comparing.
export { Eq, equals, key, Ord } from "./term/Compare.ts"

// Calculus and housekeeping.
export { derivative } from "./term/Derivative.ts"
export { dual, type Dual } from "../numeric/Dual.ts"
export { simplify, simplifying } from "./term/Simplify.ts"

/** The names that occur, each once, in the order of their first occurrence from the left. */
export const variables = <V extends string>(term: Term<V>): ReadonlyArray<V> => {
  const names = new Set<V>()
  const visit = (node: Term<V>): void => {
    if (node._tag === "Variable") names.add(node.name)
    else children<Term<V>>(node).forEach(visit)
  }
  visit(term)
  return [...names]
}

/** The names that occur in some of several terms, each once. */
export const variablesOf = <V extends string>(terms: ReadonlyArray<Term<V>>): ReadonlyArray<V> => [
  ...new Set(terms.flatMap((term) => variables(term))),
]

/** The number of nodes: 1 for a constant or a variable. */
export const size: (term: Term) => number = fold((layer) =>
  children(layer).reduce((total, child) => total + child, 1),
)

/** The number of edges from the root to the deepest leaf: 0 for a constant or a variable. */
export const depth: (term: Term) => number = fold((layer) => Math.max(-1, ...children(layer)) + 1)

/** Numbers in the place of names; other names stay. */
export const valued = (term: Term, names: ReadonlyArray<string>, values: ArrayLike<number>): Term =>
  substitute(term, (name) => {
    const at = names.indexOf(name)
    return at < 0 ? variable(name) : values[at]!
  })

type Bindings<V extends string> = { readonly [K in V]?: TermLike }

/** The variables after the keys of `B` are bound: the other names of `V`, and those of the inserted terms. */
type Substituted<V extends string, B> = Term<Exclude<V, keyof B> | VariablesOf<B[keyof B]>>

/**
 * Replaces variables by terms or numbers, all at once: inserted terms are not searched for variables again. `bindings` is a record,
 * in which names without an entry stay as they are, or a function of the name.
 *
 * @example
 * Term.substitute(Term.add(Term.variable("x"), Term.variable("y")), { x: 2 }) // 2 + y, a Term<"y">
 */
export function substitute<V extends string, W extends string = never>(
  term: Term<V>,
  bindings: (name: V) => TermLike<W>,
): Term<W>
export function substitute<V extends string, const B extends Bindings<V>>(
  term: Term<V>,
  bindings: B,
): Substituted<V, B>
export function substitute(term: Term, bindings: ((name: string) => TermLike) | Bindings<string>): Term {
  const find =
    typeof bindings === "function"
      ? bindings
      : (name: string) => (Object.hasOwn(bindings, name) ? bindings[name] : undefined)
  return fold<Term>((layer) => {
    if (layer._tag !== "Variable") return layer
    const bound = find(layer.name) ?? layer
    return typeof bound === "number" ? constant(bound) : bound
  })(term)
}
