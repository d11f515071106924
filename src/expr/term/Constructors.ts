import type { Application, BinaryOperation, Constant, Term, UnaryOperation, Variable } from "./TermF.ts"

/** An argument of a constructor: a number stands for the constant of that value. */
export type TermLike<V extends string = string> = Term<V> | number

/**
 * A constant. `-0` becomes `0`: equal numbers make equal terms.
 *
 * @throws RangeError when `value` is not finite: no data, no text form and no evidence has a meaning for it.
 */
export const constant = (value: number): Constant => {
  if (!Number.isFinite(value)) throw new RangeError(`a term's constant must be finite, got ${value}`)
  return { _tag: "Constant", value: value === 0 ? 0 : value }
}

/** A variable; any string is a name, though identifiers print best. */
export const variable = <const V extends string>(name: V): Variable<V> => ({ _tag: "Variable", name })

const lift = <V extends string>(term: TermLike<V>): Term<V> =>
  typeof term === "number" ? constant(term) : term

/** The unary node of an operation given as data. */
export const unary = <V extends string = never>(
  operation: UnaryOperation,
  argument: TermLike<V>,
): Term<V> => ({
  _tag: "Unary",
  operation,
  argument: lift(argument),
})

/** The binary node of an operation given as data. */
export const binary = <A extends string = never, B extends string = never>(
  operation: BinaryOperation,
  left: TermLike<A>,
  right: TermLike<B>,
): Term<A | B> => ({ _tag: "Binary", operation, left: lift<A | B>(left), right: lift<A | B>(right) })

/**
 * An operator by name, applied to one or two operands.
 *
 * @param meaning the operator's term, over x or x and y
 */
export const application = <V extends string = never>(
  name: string,
  meaning: Term<"x" | "y">,
  operands: ReadonlyArray<TermLike<V>>,
): Application<Term<V>> => ({ _tag: "Application", name, meaning, operands: operands.map(lift) })

type UnaryConstructor = <V extends string = never>(argument: TermLike<V>) => Term<V>
type BinaryConstructor = <A extends string = never, B extends string = never>(
  left: TermLike<A>,
  right: TermLike<B>,
) => Term<A | B>

const unaryOf =
  (operation: UnaryOperation): UnaryConstructor =>
  (argument) =>
    unary(operation, argument)

const binaryOf =
  (operation: BinaryOperation): BinaryConstructor =>
  (left, right) =>
    binary(operation, left, right)

export const neg = unaryOf("neg")
/** a^2, as one multiplication */
export const square = unaryOf("square")
/** Square root; NaN below 0. */
export const sqrt = unaryOf("sqrt")
export const abs = unaryOf("abs")
export const sign = unaryOf("sign")
export const exp = unaryOf("exp")
/** Natural logarithm; NaN below 0. */
export const log = unaryOf("log")
export const sin = unaryOf("sin")
export const cos = unaryOf("cos")
export const tan = unaryOf("tan")
export const tanh = unaryOf("tanh")
export const asin = unaryOf("asin")
export const acos = unaryOf("acos")
export const atan = unaryOf("atan")
/** `a >= 0 ? max(a, 1e-6) : min(a, -1e-6)`: a denominator kept away from 0. */
export const guard = unaryOf("guard")
/** Protected square root, sqrt(|a| + 1e-12). */
export const psqrt = unaryOf("psqrt")
/** Protected logarithm, log(max(|a|, 1e-6)). */
export const plog = unaryOf("plog")
/** Protected exponential, exp(min(max(a, -20), 20)). */
export const pexp = unaryOf("pexp")
/** Protected reciprocal, 1 / guard(a). */
export const pinv = unaryOf("pinv")

export const add = binaryOf("add")
export const sub = binaryOf("sub")
export const mul = binaryOf("mul")
export const div = binaryOf("div")
/** a^b as `Math.pow`: NaN for a negative base and a fractional exponent. */
export const pow = binaryOf("pow")
export const min = binaryOf("min")
export const max = binaryOf("max")
/** Protected division, a / guard(b). */
export const pdiv = binaryOf("pdiv")

/** 1 / a: there is no reciprocal node, so that one value has one form. */
export const inv: UnaryConstructor = (argument) => div(1, argument)
