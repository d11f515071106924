import { equals } from "./Compare.ts"
import { binary, constant, unary } from "./Constructors.ts"
import { arithmetic, protect } from "./Interpret.ts"
import {
  fold,
  type Binary,
  type BinaryOperation,
  type Term,
  type TermF,
  type UnaryOperation,
} from "./TermF.ts"

// `rules` take children in normal form and return a normal form. A rule is here only if it is an identity of float64
// arithmetic at all finite values of its arguments: that is the contract of `simplify`.

const numbers = protect(arithmetic)

const isConstant = (term: Term, value: number): boolean => term._tag === "Constant" && term.value === value

const isUnary = <V extends string>(term: Term<V>, ...operations: ReadonlyArray<UnaryOperation>): boolean =>
  term._tag === "Unary" && operations.includes(term.operation)

/** Never 0, whatever the variables: the only denominators that may cancel. */
const neverZero = (term: Term): boolean => {
  if (term._tag === "Constant") return term.value !== 0
  if (term._tag !== "Unary") return false
  return isUnary(term, "neg", "abs") ? neverZero(term.argument) : isUnary(term, "guard", "pexp", "psqrt")
}

const neverNegative = (term: Term): boolean => isUnary(term, "abs", "square", "sqrt", "exp", "psqrt", "pexp")

const isProduct = <V extends string>(term: Term<V>): term is Binary<Term<V>> =>
  term._tag === "Binary" && (term.operation === "mul" || term.operation === "div")

/** The constant that a product starts with: -2 in -2*x/y. */
const leading = (term: Term): number | undefined => {
  if (!isProduct(term)) return undefined
  return term.left._tag === "Constant" ? term.left.value : leading(term.left)
}

/** The same product with its leading constant negated. Exact: rounding is symmetric about 0. */
const flipLeading = <V extends string>(term: Term<V>): Term<V> => {
  if (term._tag === "Constant") return constant(-term.value)
  return isProduct(term) ? simplifyBinary(term.operation, flipLeading(term.left), term.right) : term
}

/** `u` when the term is -u on its face: -x, -3, -2*x/y. */
const negated = <V extends string>(term: Term<V>): Term<V> | undefined => {
  if (term._tag === "Unary" && term.operation === "neg") return term.argument
  const factor = term._tag === "Constant" ? term.value : leading(term)
  return factor !== undefined && factor < 0 ? flipLeading(term) : undefined
}

const neg = <V extends string>(a: Term<V>): Term<V> => simplifyUnary("neg", a)
const add = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => simplifyBinary("add", a, b)
const sub = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => simplifyBinary("sub", a, b)
const mul = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => simplifyBinary("mul", a, b)
const div = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => simplifyBinary("div", a, b)

const negRules = <V extends string>(a: Term<V>): Term<V> => {
  if (a._tag === "Unary" && a.operation === "neg") return a.argument
  if (a._tag === "Binary" && a.operation === "sub") return sub(a.right, a.left)
  // -(x + 3) is -3 - x
  if (a._tag === "Binary" && a.operation === "add" && a.right._tag === "Constant") {
    return sub(constant(-a.right.value), a.left)
  }
  return leading(a) === undefined ? unary("neg", a) : flipLeading(a)
}

const addRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (isConstant(b, 0)) return a
  if (isConstant(a, 0)) return b
  if (a._tag === "Constant" && b._tag !== "Constant") return add(b, a)
  const minusB = negated(b)
  if (minusB !== undefined) return sub(a, minusB)
  const minusA = negated(a)
  if (minusA !== undefined) return sub(b, minusA)
  return equals(a, b) ? mul(constant(2), a) : binary("add", a, b)
}

const subRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (isConstant(b, 0)) return a
  if (isConstant(a, 0)) return neg(b)
  if (equals(a, b)) return constant(0)
  const minusB = negated(b)
  if (minusB !== undefined) return add(a, minusB)
  if (a._tag === "Unary" && a.operation === "neg") {
    return b._tag === "Constant" ? sub(constant(-b.value), a.argument) : neg(add(a.argument, b))
  }
  return binary("sub", a, b)
}

const mulRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (b._tag === "Constant" && a._tag !== "Constant") return mul(b, a)
  if (a._tag !== "Constant" && leading(a) === undefined && leading(b) !== undefined) return mul(b, a)
  if (isConstant(a, 0)) return constant(0)
  if (isConstant(a, 1)) return b
  if (isConstant(a, -1)) return neg(b)
  if (b._tag === "Unary" && b.operation === "neg") {
    return a._tag === "Constant" ? mul(constant(-a.value), b.argument) : neg(mul(a, b.argument))
  }
  if (a._tag === "Unary" && a.operation === "neg") return neg(mul(a.argument, b))
  return equals(a, b) ? simplifyUnary("square", a) : binary("mul", a, b)
}

const divRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (isConstant(b, 1)) return a
  if (neverZero(b)) {
    if (isConstant(a, 0)) return constant(0)
    if (equals(a, b)) return constant(1)
  }
  const minusB = negated(b)
  if (minusB !== undefined) return neg(div(a, minusB))
  if (a._tag === "Unary" && a.operation === "neg") return neg(div(a.argument, b))
  return binary("div", a, b)
}

const powRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (isConstant(b, 0) || isConstant(a, 1)) return constant(1)
  if (isConstant(b, 1)) return a
  // `Power.pow` has the bits of these functions at these exponents.
  if (isConstant(b, 2)) return simplifyUnary("square", a)
  if (isConstant(b, -1)) return div(constant(1), a)
  if (isConstant(b, 0.5)) return simplifyUnary("sqrt", a)
  return binary("pow", a, b)
}

const pdivRules = <V extends string>(a: Term<V>, b: Term<V>): Term<V> => {
  if (isConstant(a, 0)) return constant(0)
  if (b._tag === "Constant") return div(a, constant(arithmetic.unary.guard(b.value)))
  if (a._tag === "Unary" && a.operation === "neg") return neg(simplifyBinary("pdiv", a.argument, b))
  return binary("pdiv", a, b)
}

const simplifyUnary = <V extends string>(operation: UnaryOperation, a: Term<V>): Term<V> => {
  if (a._tag === "Constant") {
    const value = numbers.unary[operation](a.value)
    if (Number.isFinite(value)) return constant(value)
  }
  switch (operation) {
    case "neg":
      return negRules(a)
    case "abs":
    case "square":
    case "psqrt":
    case "plog":
    case "cos": {
      if (operation === "abs" && neverNegative(a)) return a
      const even = negated(a) ?? (a._tag === "Unary" && a.operation === "abs" ? a.argument : undefined)
      return even === undefined ? unary(operation, a) : simplifyUnary(operation, even)
    }
    case "sin":
    case "tan":
    case "tanh":
    case "asin":
    case "atan":
    case "sign": {
      const minusA = negated(a)
      return minusA === undefined ? unary(operation, a) : neg(simplifyUnary(operation, minusA))
    }
    case "guard":
      return isUnary(a, "guard") ? a : unary("guard", a)
    default:
      return unary(operation, a)
  }
}

const simplifyBinary = <V extends string>(operation: BinaryOperation, a: Term<V>, b: Term<V>): Term<V> => {
  if (a._tag === "Constant" && b._tag === "Constant") {
    const value = numbers.binary[operation](a.value, b.value)
    if (Number.isFinite(value)) return constant(value)
  }
  switch (operation) {
    case "add":
      return addRules(a, b)
    case "sub":
      return subRules(a, b)
    case "mul":
      return mulRules(a, b)
    case "div":
      return divRules(a, b)
    case "pow":
      return powRules(a, b)
    case "pdiv":
      return pdivRules(a, b)
    case "min":
    case "max":
      return equals(a, b) ? a : binary(operation, a, b)
  }
}

/** One layer of `simplify`: an algebra that is given simplified children. */
export const simplifying = <V extends string>(layer: TermF<Term<V>, V>): Term<V> => {
  switch (layer._tag) {
    case "Constant":
    case "Variable":
      return layer
    case "Unary":
      return simplifyUnary(layer.operation, layer.argument)
    case "Binary":
      return simplifyBinary(layer.operation, layer.left, layer.right)
    case "Application":
      return layer
  }
}

/**
 * Arithmetic housekeeping: folds constants, drops 0 and 1, gathers signs, turns x*x into x^2, x + x into 2*x and
 * x - x into 0, puts a product's constant first and a sum's last. Terminates, is idempotent, never grows a term (a
 * minus sign counts as a node).
 *
 * Contract: at every point where the term and all its sub-terms are finite the value stays the same **bit for bit**
 * (the sign of a zero aside); where the last operation alone is not finite, as x/x at 0, it stays so. Below a
 * non-finite sub-term the domain may grow: 0*log(x) becomes 0, at x < 0 too. For that contract x/x is not 1, while
 * guard(x)/guard(x), never 0/0, is; nothing is regrouped (2*(3*x) rounds otherwise than 6*x); and sqrt(x^2) stays, for
 * x^2 may underflow. Collecting and cancelling like terms is the work of canonical forms, which promise less.
 *
 * *When to use*: after a term was made by a program, such as a derivative; `arrange` for a text that people read.
 */
export const simplify = <V extends string>(term: Term<V>): Term<V> =>
  fold<Term<V>, V>((layer) => simplifying(layer))(term)
