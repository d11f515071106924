import { arithmetic, interpretWith, protect } from "../term/Interpret.ts"
import type { Application as Layer, BinaryOperation, UnaryOperation } from "../term/TermF.ts"
import * as Coefficient from "./Coefficient.ts"
import {
  application,
  call,
  group,
  scale,
  single,
  sum,
  valueOf,
  withCoefficient,
  type Application,
  type Call,
  type Power,
  type Sum,
} from "./Form.ts"
import { termsOf } from "./Order.ts"
import * as Powers from "./Power.ts"
import * as Products from "./Product.ts"
import { allNegative, onlyPower, type Signs } from "./Signs.ts"
import * as Sums from "./Sum.ts"
import * as Real from "../../numeric/Real.ts"

const numbers = protect(arithmetic)
const minusOne = Coefficient.make(-1)
const negate = (of: Sum): Sum => scale(of, minusOne)

const odd: ReadonlySet<string> = new Set(["sin", "tan", "tanh", "asin", "atan", "sign"])
const even: ReadonlySet<string> = new Set(["cos", "psqrt", "plog"])

/** The function that undoes another wherever that one is defined: sin(asin(x)) is x, asin(sin(x)) is not. */
const undone: Readonly<Record<string, string>> = {
  sin: "asin",
  cos: "acos",
  tan: "atan",
  exp: "log",
  log: "exp",
}

const asSum = (base: Call | Application): Sum =>
  Sums.fromProduct(Products.make(Coefficient.one, [{ base, exponent: 1 }]))

/** a^b for a number b. */
export const power = (a: Sum, exponent: number, signs: Signs): Sum => {
  const only = single(Sums.factored(a))
  // A sum under a root keeps its signs.
  if (only !== undefined || Number.isInteger(exponent))
    return Sums.fromProduct(
      Sums.times(Powers.power(only ?? Sums.toProduct(a), exponent, signs), Products.one),
    )
  if (a.terms.length === 0) return Sums.fromNumber(0 ** exponent)
  // Square roots of whole numbers are exact.
  const size = Math.abs(exponent) === 0.5 ? Products.content(a) : Coefficient.one
  const base = scale(a, Coefficient.invert(size))
  return Sums.fromProduct(
    Products.multiply(
      Powers.power(Products.number(size), exponent, signs),
      Products.make(Coefficient.one, [{ base: group(base), exponent }]),
    ),
  )
}

/** exp(c log(u) + v) is u^c exp(v): the logarithm is defined for u > 0 only. */
const exponential = (a: Sum, signs: Signs): Sum => {
  let result = Products.one
  let rest = a
  for (const term of a.terms) {
    const logarithm = term.powers.find(
      ({ base, exponent }) => base._tag === "Call" && base.operation === "log" && exponent === 1,
    )
    if (logarithm === undefined || logarithm.base._tag !== "Call") continue
    const [u] = logarithm.base.operands
    const others = term.powers.filter((one) => one !== logarithm)
    // exp(log(u) log(v)) has no base of its own.
    if (others.some(({ base }) => base._tag === "Call" && base.operation === "log")) continue
    const by = Products.make(term.coefficient, others)
    const exponent = Products.isNumber(by) ? valueOf(sum([by])) : undefined
    const factor = exponent === undefined ? general(u!, Sums.fromProduct(by)) : power(u!, exponent, signs)
    result = Sums.times(result, Sums.toProduct(factor))
    rest = Sums.add(rest, negate(sum([term])))
  }
  if (rest.terms.length === 0) return Sums.fromProduct(result)
  const value = valueOf(rest)
  const factor =
    value === undefined ? asSum(call("exp", Sums.factored(rest))) : Sums.fromNumber(Real.exp(value))
  return Sums.fromProduct(Sums.times(result, Sums.toProduct(factor)))
}

/** log(u^e) is e log(u), if u > 0 is known or the logarithm has no other domain. */
const logarithm = (a: Sum, signs: Signs): Sum => {
  const only = onlyPower(a)
  if (only !== undefined) {
    const { base, exponent } = only
    if (base._tag === "Call" && base.operation === "exp") return base.operands[0]!
    if (exponent !== 1 && (exponent % 2 !== 0 || signs.nonnegativeBase(base)))
      return scale(logarithm(baseOf(base), signs), Coefficient.make(exponent))
  }
  const product = single(a)
  // log(1/(x y)) is -log(x y).
  if (
    product !== undefined &&
    product.powers.every(({ exponent }) => exponent < 0) &&
    product.coefficient.over === 1
  )
    return negate(asSum(call("log", Sums.fromProduct(Products.wholePower(product, -1)))))
  return asSum(call("log", a))
}

const baseOf = (base: Power["base"]): Sum =>
  Sums.fromProduct(Products.make(Coefficient.one, [{ base, exponent: 1 }]))

/** |c u v| is |c| u |v| where u >= 0 */
const absolute = (a: Sum, signs: Signs): Sum => {
  const product = single(a)
  if (product === undefined) {
    const [leading] = termsOf(a)
    const size = Products.content(a)
    const base = scale(a, Coefficient.invert(leading!.coefficient.over < 0 ? Coefficient.negate(size) : size))
    const inner = Sums.toProduct(base)
    const [only] = inner.powers
    return inner.powers.length === 1 && only !== undefined && signs.nonnegative(only)
      ? Sums.fromProduct(withCoefficient(inner, size))
      : Sums.fromProduct(Products.make(size, [{ base: call("abs", base), exponent: 1 }]))
  }
  const out = product.powers.filter(signs.nonnegative)
  const rest = product.powers.filter((one) => !signs.nonnegative(one))
  const inside = Products.make(Coefficient.one, rest)
  return Sums.fromProduct(
    Products.make(Coefficient.absolute(product.coefficient), [
      ...out,
      ...(rest.length === 0 ? [] : [{ base: call("abs", sum([inside])), exponent: 1 }]),
    ]),
  )
}

export const unary = (operation: UnaryOperation, argument: Sum, signs: Signs): Sum => {
  switch (operation) {
    case "neg":
      return negate(argument)
    case "square":
      return power(argument, 2, signs)
    case "sqrt":
      return power(argument, 0.5, signs)
    default:
      break
  }
  const a = Sums.factored(argument)
  const value = valueOf(a)
  if (value !== undefined) return Sums.fromNumber(numbers.unary[operation](value))
  const only = onlyPower(a)
  if (
    only?.exponent === 1 &&
    only.base._tag === "Call" &&
    only.base.operation === undone[operation] &&
    operation !== "log"
  )
    return only.base.operands[0]!
  if (operation === "exp") return exponential(argument, signs)
  if (operation === "log") return logarithm(a, signs)
  if (operation === "abs") return absolute(a, signs)
  if (odd.has(operation) && allNegative(a)) return negate(unary(operation, negate(a), signs))
  if (even.has(operation) && termsOf(a)[0]!.coefficient.over < 0) return unary(operation, negate(a), signs)
  return asSum(call(operation, a))
}

const general = (a: Sum, b: Sum): Sum => asSum(call("pow", Sums.factored(a), Sums.factored(b)))

/** An operator of a user applied to sums. */
export const applied = ({ name, meaning, operands }: Layer<Sum>): Sum => {
  const sums = operands.map(Sums.factored)
  const known = sums.map(valueOf).filter((value) => value !== undefined)
  const value =
    known.length === sums.length
      ? interpretWith(numbers)(meaning)((argument) => known[argument === "x" ? 0 : 1] ?? NaN)
      : NaN
  return Number.isFinite(value) ? Sums.fromNumber(value) : asSum(application(name, meaning, sums))
}

export const binary = (operation: BinaryOperation, left: Sum, right: Sum, signs: Signs): Sum => {
  switch (operation) {
    case "add":
      return Sums.add(left, right)
    case "sub":
      return Sums.add(left, negate(right))
    case "mul":
      return Sums.fromProduct(Sums.times(Sums.toProduct(left), Sums.toProduct(right)))
    case "div":
      return Sums.fromProduct(
        Sums.times(Sums.toProduct(left), Products.wholePower(Sums.toProduct(right), -1)),
      )
    default:
      break
  }
  const [a, b] = [Sums.factored(left), Sums.factored(right)]
  const [p, q] = [valueOf(a), valueOf(b)]
  if (p !== undefined && q !== undefined) return Sums.fromNumber(numbers.binary[operation](p, q))
  if (operation === "pow") return q === undefined ? general(a, b) : power(left, q, signs)
  return a.key === b.key && operation !== "pdiv" ? a : asSum(call(operation, a, b))
}
