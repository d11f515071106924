import * as Coefficient from "./Coefficient.ts"
import { call, group, sum, whole, withCoefficient, type Power, type Product } from "./Form.ts"
import * as Products from "./Product.ts"
import type { Signs } from "./Signs.ts"
import { pow } from "../../numeric/Power.ts"

/** c^e for c > 0: square roots of fractions as powers of whole numbers, other powers as decimal numbers. */
const numberPower = (coefficient: Coefficient.Coefficient, exponent: number): Product => {
  const { over, under } = coefficient
  const half = 2 * exponent
  return Coefficient.isExact(coefficient) && Number.isInteger(half) && Math.abs(half) <= 9
    ? Products.make(Coefficient.one, [
        { base: whole(over), exponent },
        { base: whole(under), exponent: -exponent },
      ])
    : Products.number(Coefficient.make(pow(Coefficient.value(coefficient), exponent)))
}

/** One power with all of its factors together; for factors of unknown sign. */
const together = (of: Product, exponent: number): Product =>
  of.powers.length === 0 && of.coefficient.over === 1 && of.coefficient.under === 1
    ? Products.one
    : Products.make(Coefficient.one, [{ base: group(sum([of])), exponent }])

const raised = ({ base, exponent }: Power, by: number): Power => ({ base, exponent: exponent * by })

/**
 * p^e for any number e. For an e that is not whole, the power is defined for p >= 0 only. A factor leaves the power if
 * its sign is known there:
 *
 * - positive factors do: sqrt(2*x) = sqrt(2) sqrt(x), sqrt(x/y^2) has y^2 > 0 where it is defined;
 * - a single other factor is >= 0, since p is: sqrt(x^3) = x^1.5, and sqrt(x^2) = |x|;
 * - several factors that are all >= 0 do; several of unknown sign stay together: sqrt(x*y) is real for x, y < 0.
 */
export const power = (of: Product, e: number, signs: Signs): Product => {
  if (e === 0) return Products.one
  if (Number.isInteger(e)) return Products.wholePower(of, e)
  const negative = of.coefficient.over < 0
  const size = numberPower(Coefficient.absolute(of.coefficient), e)
  const sign = negative ? Coefficient.make(-1) : Coefficient.one
  const out: Array<Power> = []
  const rest: Array<Power> = []
  for (const one of of.powers) {
    const needsSign = one.exponent % 2 === 0 && !signs.nonnegativeBase(one.base)
    if (signs.positive(one) && !needsSign) out.push(raised(one, e))
    else rest.push(one)
  }
  const outside = Products.multiply(size, Products.make(Coefficient.one, out))
  const inside = withCoefficient(Products.make(Coefficient.one, rest), sign)
  return Products.multiply(outside, negative ? together(inside, e) : nonnegative(rest, inside, e, signs))
}

/** The power of a product that has no sign. */
const nonnegative = (rest: ReadonlyArray<Power>, inside: Product, e: number, signs: Signs): Product => {
  const [first, ...others] = rest
  if (first === undefined) return Products.one
  if (rest.every(({ exponent }) => exponent % 2 === 0)) {
    // (x^2 y^2)^e is |x y|^(2 e).
    const root = Products.make(
      Coefficient.one,
      rest.map((one) => raised(one, 0.5)),
    )
    return Products.make(Coefficient.one, [{ base: call("abs", sum([root])), exponent: 2 * e }])
  }
  const free = ({ base, exponent }: Power): boolean => exponent % 2 !== 0 || signs.nonnegativeBase(base)
  const known = rest.every((one) => free(one) && signs.nonnegative(one))
  return (others.length === 0 && free(first)) || known
    ? Products.make(
        Coefficient.one,
        rest.map((one) => raised(one, e)),
      )
    : together(inside, e)
}
