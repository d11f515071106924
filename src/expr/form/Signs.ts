import { single, type Base, type Power, type Product, type Sum } from "./Form.ts"

// Signs where the formula is defined: a power with an exponent that is not whole has a base >= 0, and a
// denominator is not 0.

/** The variables that are positive wherever the formula is used. */
export type Positive = (variable: string) => boolean

/** Signs of bases, powers, products and sums, given the variables that are positive. */
export interface Signs {
  readonly positive: (power: Power) => boolean
  readonly nonnegative: (power: Power) => boolean
  readonly nonnegativeBase: (base: Base) => boolean
}

export const of = (isPositive: Positive): Signs => {
  const positiveBase = (base: Base): boolean => {
    switch (base._tag) {
      case "Whole":
      case "Pi":
        return true
      case "Variable":
        return isPositive(base.name)
      case "Call":
        return base.operation === "exp" || base.operation === "pexp" || base.operation === "psqrt"
      case "Application":
        return false
      case "Group":
        return base.sum.terms.every(nonnegativeProduct) && base.sum.terms.some(positiveProduct)
    }
  }
  const nonnegativeBase = (base: Base): boolean =>
    positiveBase(base) ||
    (base._tag === "Call" && base.operation === "abs") ||
    (base._tag === "Group" && base.sum.terms.every(nonnegativeProduct))
  const nonnegative = ({ base, exponent }: Power): boolean =>
    !Number.isInteger(exponent) || exponent % 2 === 0 || nonnegativeBase(base)
  const positive = (power: Power): boolean =>
    positiveBase(power.base) || (power.exponent < 0 && nonnegative(power))
  const nonnegativeProduct = ({ coefficient, powers }: Product): boolean =>
    coefficient.over > 0 && powers.every(nonnegative)
  const positiveProduct = ({ coefficient, powers }: Product): boolean =>
    coefficient.over > 0 && powers.every(positive)
  return { positive, nonnegative, nonnegativeBase }
}

/** Whether every product of a sum has a minus sign. */
export const allNegative = ({ terms }: Sum): boolean =>
  terms.length > 0 && terms.every(({ coefficient }) => coefficient.over < 0)

/** The only power of a sum that is 1 times it; undefined for others. */
export const onlyPower = (of: Sum): Power | undefined => {
  const product = single(of)
  return product?.powers.length === 1 && product.coefficient.over === 1 && product.coefficient.under === 1
    ? product.powers[0]
    : undefined
}
