import * as Coefficient from "./Coefficient.ts"
import {
  call,
  group,
  isConstant,
  product,
  scale,
  single,
  sum,
  whole,
  type Power,
  type Product,
  type Sum,
} from "./Form.ts"
import { termsOf } from "./Order.ts"
import { pow } from "../../numeric/Power.ts"

/** Exponents this close to a fraction of small numbers are the fraction: sums of thirds are whole. */
const nearFraction = 4e-15

/** The exponent as the fraction with a denominator up to 12 that it is but for rounding errors, if there is one. */
const snapped = (exponent: number): number => {
  for (let q = 1; q <= 12; q++) {
    const fraction = Math.round(exponent * q) / q
    if (Math.abs(exponent - fraction) <= nearFraction * Math.max(1, Math.abs(exponent))) return fraction
  }
  return exponent
}

/** Square roots of whole numbers, as one: c sqrt(p / q) with p and q coprime without square factors, none of them in c. */
const radical = (
  coefficient: Coefficient.Coefficient,
  roots: ReadonlyArray<readonly [value: number, exponent: number]>,
): readonly [Coefficient.Coefficient, ReadonlyArray<Power>] => {
  let outside = coefficient
  let inside = 1
  for (const [value, exponent] of roots) {
    const half = Math.round(2 * exponent)
    if (half !== 2 * exponent) outside = Coefficient.multiply(outside, Coefficient.make(pow(value, exponent)))
    else {
      outside = Coefficient.multiply(
        outside,
        Coefficient.power(Coefficient.make(value), Math.floor(half / 2)),
      )
      if (half % 2 !== 0) inside *= value
    }
  }
  for (let factor = 2; factor * factor <= inside; factor++)
    while (inside % (factor * factor) === 0) {
      inside /= factor * factor
      outside = Coefficient.multiply(outside, Coefficient.make(factor))
    }
  if (inside === 1) return [outside, []]
  if (!Coefficient.isExact(outside) || inside > 1e6)
    return [Coefficient.multiply(outside, Coefficient.make(Math.sqrt(inside))), []]
  // sqrt(2)/2 is 1/sqrt(2).
  const common = Coefficient.gcd(inside, outside.under)
  const power = (value: number, exponent: number): ReadonlyArray<Power> =>
    value === 1 ? [] : [{ base: whole(value), exponent }]
  return [
    Coefficient.make(outside.over, outside.under / common),
    [...power(inside / common, 0.5), ...power(common, -0.5)],
  ]
}

/**
 * A number times powers, like bases together. Powers of exponentials are exponentials, even powers of absolute values
 * powers of their arguments, whole powers of a product those of its factors, and sin/cos is tan.
 *
 * Values are the same where all powers are finite: x^a x^b = x^(a+b) holds for whole exponents, and where an exponent is
 * not whole its power is finite only for x >= 0. The product may be defined on more: x/x is 1.
 */
export const make = (factor: Coefficient.Coefficient, powers: Iterable<Power>): Product => {
  let coefficient = factor
  const merged = new Map<string, Power>()
  const put = ({ base, exponent }: Power): void => {
    const total = snapped((merged.get(base.key)?.exponent ?? 0) + exponent)
    if (total === 0) merged.delete(base.key)
    else merged.set(base.key, { base, exponent: total })
  }
  const putProduct = (inner: Product, exponent: number): void => {
    coefficient = Coefficient.multiply(coefficient, Coefficient.power(inner.coefficient, exponent))
    for (const one of inner.powers) put({ base: one.base, exponent: one.exponent * exponent })
  }
  for (const one of powers) put(one)
  /** Replaces one power by others; false when there is none to replace. */
  const rewrite = (): boolean => {
    for (const { base, exponent } of merged.values()) {
      if (base._tag === "Group" && Number.isInteger(exponent)) {
        const inner = single(base.sum)
        if (inner === undefined) continue
        merged.delete(base.key)
        putProduct(inner, exponent)
        return true
      }
      if (base._tag !== "Call") continue
      const [operand] = base.operands
      if (base.operation === "abs" && exponent % 2 === 0) {
        merged.delete(base.key)
        putProduct(grouped(operand!), exponent)
        return true
      }
      if (base.operation === "exp" && exponent !== 1) {
        merged.delete(base.key)
        put({ base: call("exp", scale(operand!, Coefficient.make(exponent))), exponent: 1 })
        return true
      }
      const cosine = base.operation === "sin" ? merged.get(call("cos", operand!).key) : undefined
      if (cosine !== undefined && cosine.exponent === -exponent) {
        merged.delete(base.key)
        merged.delete(cosine.base.key)
        put({ base: call("tan", operand!), exponent })
        return true
      }
    }
    return false
  }
  let again = true
  while (again) again = rewrite()
  const roots: Array<readonly [number, number]> = []
  const rest: Array<Power> = []
  for (const one of merged.values()) {
    if (one.base._tag === "Whole") roots.push([one.base.value, one.exponent])
    else rest.push(one)
  }
  const [number, wholes] = radical(coefficient, roots)
  return product(number, [...wholes, ...rest])
}

/** The number of a product with only a number. */
export const number = (coefficient: Coefficient.Coefficient): Product => product(coefficient, [])

export const one = number(Coefficient.one)

/** a b */
export const multiply = (a: Product, b: Product): Product =>
  make(Coefficient.multiply(a.coefficient, b.coefficient), [...a.powers, ...b.powers])

/** a^n for a whole number n not 0 */
export const wholePower = ({ coefficient, powers }: Product, n: number): Product =>
  make(
    Coefficient.power(coefficient, n),
    powers.map(({ base, exponent }) => ({ base, exponent: exponent * n })),
  )

const equalSizes = (coefficients: ReadonlyArray<Coefficient.Coefficient>): boolean => {
  const [first, ...rest] = coefficients.map(Coefficient.absolute)
  return first !== undefined && rest.every((other) => Coefficient.equals(first, other))
}

/** A positive number that all coefficients have as a factor: the common size or divisor, 1 if there is none. */
export const content = ({ terms }: Sum): Coefficient.Coefficient => {
  const coefficients = terms.map(({ coefficient }) => coefficient)
  if (equalSizes(coefficients)) return Coefficient.absolute(coefficients[0]!)
  const divisor = coefficients.every((each) => each.under === 1 && Coefficient.isExact(each))
    ? coefficients.reduce((common, { over }) => Coefficient.gcd(common, Math.abs(over)), 0)
    : 1
  return Coefficient.make(divisor)
}

/** A sum as one product: its content times a power of the rest, whose first term is positive. */
export const grouped = (of: Sum): Product => {
  const only = single(of)
  if (only !== undefined) return only
  const [leading] = termsOf(of)
  if (leading === undefined) return number(Coefficient.make(0))
  const size = content(of)
  const factor = leading.coefficient.over < 0 ? Coefficient.negate(size) : size
  return product(factor, [{ base: group(scale(of, Coefficient.invert(factor))), exponent: 1 }])
}

export const toSum = (of: Product): Sum => sum(of.coefficient.over === 0 ? [] : [of])

export const isNumber = ({ powers }: Product): boolean => powers.every(({ base }) => isConstant(base))
