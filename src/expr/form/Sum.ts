import { concatAll, type Monoid as MonoidOf } from "fp-ts/lib/Monoid.js"
import * as Coefficient from "./Coefficient.ts"
import { call, pi, scale, sum, withCoefficient, type Power, type Product, type Sum } from "./Form.ts"
import * as Products from "./Product.ts"
import * as Square from "./Square.ts"
import * as Real from "../../numeric/Real.ts"

const zero: Sum = sum([])

/** A product that is plus or minus a sum, as that sum. */
const opened = (of: Product): ReadonlyArray<Product> => {
  const [only, ...others] = of.powers
  const { over, under } = of.coefficient
  if (only === undefined || others.length > 0 || Math.abs(over) !== 1 || under !== 1) return [of]
  if (only.base._tag !== "Group" || only.exponent !== 1) return [of]
  return scale(only.base.sum, of.coefficient).terms
}

/** a + b, like products together */
export const add = (a: Sum, b: Sum): Sum => {
  const merged = new Map<string, Product>()
  for (const one of [...a.terms, ...b.terms].flatMap(opened)) {
    const before = merged.get(one.key)
    const coefficient =
      before === undefined ? one.coefficient : Coefficient.add(before.coefficient, one.coefficient)
    if (coefficient.over === 0) merged.delete(one.key)
    else merged.set(one.key, withCoefficient(one, coefficient))
  }
  const terms = [...merged.values()]
  const without = Square.withoutSquare(terms)
  return without === undefined ? sum(terms) : add(zero, sum(without))
}

/** Sums with like products together. */
const Monoid: MonoidOf<Sum> = { empty: zero, concat: add }

const total = concatAll(Monoid)

const common = (terms: ReadonlyArray<Product>): ReadonlyArray<Power> =>
  (terms[0]?.powers ?? []).filter((power) =>
    terms.every(({ powers }) =>
      powers.some(({ base, exponent }) => base.key === power.base.key && exponent === power.exponent),
    ),
  )

/**
 * The sum as an operand: factors that all of its products have, stand before it. A factor is common if it has the same
 * power everywhere: q*E + q*v*B is q*(E + v*B), while a*t^2 + b*t stays. Numbers are factors where no term is a number:
 * x/2 + y/2 is (x + y)/2, and 2*x + 2 stays.
 */
export const factored = (of: Sum): Sum => {
  const { terms } = of
  if (terms.length < 2 || terms.some(Products.isNumber))
    return terms.length === 1 ? sum(opened(terms[0]!)) : of
  const shared = common(terms)
  const size = Products.content(of)
  const equal = terms.every(({ coefficient }) =>
    Coefficient.equals(Coefficient.absolute(coefficient), Coefficient.absolute(terms[0]!.coefficient)),
  )
  if (shared.length === 0 && (!equal || Coefficient.equals(size, Coefficient.one))) return of
  const keys = new Set(shared.map(({ base }) => base.key))
  const rest = terms.map(({ coefficient, powers }) =>
    Products.toSum(
      Products.make(
        Coefficient.multiply(coefficient, Coefficient.invert(size)),
        powers.filter(({ base }) => !keys.has(base.key)),
      ),
    ),
  )
  const factor = Products.make(size, shared)
  return Products.toSum(Products.multiply(factor, Products.grouped(factored(total(rest)))))
}

export const toProduct = (of: Sum): Product => Products.grouped(factored(of))

/** The numbers of the sums in exponentials that stand with another number, e^b in a exp(b + x), are part of that number. */
const withoutOffset = (of: Product): Product => {
  const { coefficient, powers } = of
  const numbers = Math.abs(coefficient.over) === 1 && coefficient.under === 1
  for (const { base } of numbers ? [] : powers) {
    if (base._tag !== "Call" || base.operation !== "exp") continue
    const { terms } = base.operands[0]!
    const offset = terms.find(({ powers: of }) => of.length === 0)
    if (offset === undefined || terms.length === 1) continue
    // Whole numbers stay: 2*exp(x + 1) has no decimal number.
    if (Coefficient.isExact(coefficient) && Coefficient.isExact(offset.coefficient)) continue
    const factor = Coefficient.make(Real.exp(Coefficient.value(offset.coefficient)))
    if (Number.isNaN(factor.over)) continue
    const exponent = factored(sum(terms.filter((one) => one !== offset)))
    return Products.make(Coefficient.multiply(coefficient, factor), [
      ...powers.filter((one) => one.base !== base),
      { base: call("exp", exponent), exponent: 1 },
    ])
  }
  return of
}

/** a b, with one exponential: exp(u) exp(v) is exp(u + v). */
export const times = (a: Product, b: Product): Product => oneExponential(Products.multiply(a, b))

const oneExponential = (of: Product): Product => {
  const exponents = of.powers.flatMap(({ base }) =>
    base._tag === "Call" && base.operation === "exp" ? [base.operands[0]!] : [],
  )
  if (exponents.length === 0) return of
  const exponent = factored(total(exponents))
  const rest = of.powers.filter(({ base }) => !(base._tag === "Call" && base.operation === "exp"))
  const powers = exponent.terms.length === 0 ? rest : [...rest, { base: call("exp", exponent), exponent: 1 }]
  return withoutOffset(Products.make(of.coefficient, powers))
}

export const fromProduct = (of: Product): Sum => sum(of.coefficient.over === 0 ? [] : opened(of))

/** A number; the constant pi by its name. */
export const fromNumber = (value: number): Sum => {
  const size = Math.abs(value)
  return Products.toSum(
    size === Math.PI
      ? Products.make(Coefficient.make(Math.sign(value)), [{ base: pi, exponent: 1 }])
      : Products.number(Coefficient.make(value)),
  )
}
