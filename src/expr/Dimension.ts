import type { TermAlgebra } from "./term/Interpret.ts"
import { alike, closeness, none, power, sameFactor, times, type Unit } from "./Unit.ts"
import { pow } from "../numeric/Power.ts"

/**
 * The unit of a value, as far as it is known, so that a sum of millimetres and metres is as inconsistent as one of metres and
 * seconds:
 *
 * - `Quantity`: a value in a unit. The factor is NaN where a fitted number is one of its factors and takes up any. Small exact
 *   numbers have their value, for exponents.
 * - `Logarithm`: the logarithm of a quantity. Another unit of the quantity adds a constant, and the exponential of the value is a
 *   quantity again.
 * - `Free`: a value whose unit is not known, or follows from where it stands: a fitted number that may have any unit.
 * - `FreeLogarithm`: the logarithm of such a value.
 */
export type Dimension =
  | { readonly _tag: "Quantity"; readonly unit: Unit; readonly value?: number | undefined }
  | { readonly _tag: "Logarithm"; readonly unit: Unit }
  | { readonly _tag: "Free" }
  | { readonly _tag: "FreeLogarithm" }

/** A dimension, or undefined for an expression that adds unlike quantities, or takes the sine of a length. */
export type Checked = Dimension | undefined

export const free: Dimension = { _tag: "Free" }
const freeLogarithm: Dimension = { _tag: "FreeLogarithm" }
export const quantity = (unit: Unit, value?: number): Dimension => ({ _tag: "Quantity", unit, value })
const logarithm = (unit: Unit): Dimension => (isNumber(unit) ? quantity(none) : { _tag: "Logarithm", unit })
const number = quantity(none)

/** The largest exact number that is remembered, and the largest denominator: exponents of laws are small. */
const remembered = { most: 12, denominator: 12 }
const exact = (value: number | undefined): number | undefined =>
  value !== undefined &&
  Math.abs(value) <= remembered.most &&
  Array.from({ length: remembered.denominator }, (_, i) => (i + 1) * value).some(
    (multiple) => Math.abs(multiple - Math.round(multiple)) <= closeness,
  )
    ? value
    : undefined

/** Whether a unit is that of a pure number. */
const isNumber = (unit: Unit): boolean => alike(unit, none) && sameFactor(unit, none)
/** Whether a value can be taken for a pure number. */
const canBeNumber = (one: Dimension): boolean =>
  one._tag !== "Logarithm" && (one._tag !== "Quantity" || isNumber(one.unit))

/** Whether values can stand for one law's term: units are alike but for a factor, which a coefficient takes up. */
export const suits = (one: Dimension, unit: Unit): boolean => {
  switch (one._tag) {
    case "Free":
      return true
    case "FreeLogarithm":
      return alike(unit, none)
    case "Quantity":
    case "Logarithm":
      return alike(one.unit, unit) && (one._tag === "Quantity" || alike(unit, none))
  }
}

const known = (one: Dimension): number | undefined => (one._tag === "Quantity" ? one.value : undefined)

/** Like quantities: what a sum, a smaller or a larger of two has. */
const like = (a: Dimension, b: Dimension, value?: number): Checked => {
  if (a._tag === "Free") return b._tag === "Quantity" ? quantity(b.unit) : b._tag === "Logarithm" ? number : b
  if (b._tag === "Free") return like(b, a)
  if (a._tag === "Quantity" && b._tag === "Quantity")
    return alike(a.unit, b.unit) && sameFactor(a.unit, b.unit)
      ? quantity(Number.isNaN(a.unit.logFactor) ? b.unit : a.unit, exact(value))
      : undefined
  if (a._tag === "Logarithm" && b._tag === "Logarithm")
    return alike(a.unit, b.unit) && sameFactor(a.unit, b.unit) ? a : undefined
  return canBeNumber(a) && canBeNumber(b) ? freeLogarithm : undefined
}
const negative = (one: Dimension): Checked => {
  if (one._tag === "Logarithm") return logarithm(power(one.unit, -1)!)
  return one._tag === "Quantity" ? quantity(one.unit, one.value === undefined ? undefined : -one.value) : one
}
const sum = (a: Dimension, b: Dimension): Checked => {
  if (a._tag === "Logarithm" || b._tag === "Logarithm") {
    if (a._tag === "Free" || b._tag === "Free") return number
    if (a._tag === "Logarithm" && b._tag === "Logarithm") return logarithm(times(a.unit, b.unit))
    const [log, other] = a._tag === "Logarithm" ? [a, b] : [b, a]
    return other._tag === "FreeLogarithm" ? other : canBeNumber(other) ? log : undefined
  }
  const [x, y] = [known(a), known(b)]
  return like(a, b, x !== undefined && y !== undefined ? x + y : undefined)
}
const product = (a: Dimension, b: Dimension): Checked => {
  if (b._tag === "Logarithm" && a._tag !== "Logarithm") return product(b, a)
  if (a._tag === "Logarithm") {
    if (b._tag === "Free") return freeLogarithm
    const by = known(b)
    const unit = by === undefined || !canBeNumber(b) ? undefined : power(a.unit, by)
    return unit && logarithm(unit)
  }
  if (a._tag === "Free" || b._tag === "Free") return free
  if (a._tag === "FreeLogarithm") return b._tag === "FreeLogarithm" ? number : known(b) === undefined ? b : a
  if (b._tag !== "Quantity") return product(b, a)
  const [x, y] = [a.value, b.value]
  return quantity(times(a.unit, b.unit), x !== undefined && y !== undefined ? exact(x * y) : undefined)
}
const raised = (one: Dimension, by: number): Checked => {
  if (one._tag === "Free") return free
  if (one._tag === "FreeLogarithm") return number
  if (one._tag === "Logarithm") return undefined
  const unit = power(one.unit, by)
  return unit && quantity(unit, exact(one.value === undefined ? undefined : pow(one.value, by)))
}
const exponential = (one: Dimension): Checked => {
  if (one._tag === "Logarithm") return quantity(one.unit)
  if (one._tag === "FreeLogarithm") return free
  return canBeNumber(one) ? number : undefined
}
const logarithmOf = (one: Dimension): Checked => {
  if (one._tag === "Quantity") return logarithm(one.unit)
  return one._tag === "Free" ? freeLogarithm : one._tag === "FreeLogarithm" ? number : undefined
}
const ofNumbers = (one: Dimension): Checked => (canBeNumber(one) ? number : undefined)
const size = (one: Dimension): Checked =>
  one._tag === "Quantity"
    ? quantity(one.unit, one.value === undefined ? undefined : Math.abs(one.value))
    : one._tag === "Logarithm"
      ? undefined
      : one
const inverse = (one: Dimension): Checked => raised(one, -1)
const root = (one: Dimension): Checked => raised(one, 1 / 2)
const same = (one: Dimension): Checked => one

const one =
  (of: (x: Dimension) => Checked) =>
  (x: Checked): Checked =>
    x && of(x)
const two =
  (of: (x: Dimension, y: Dimension) => Checked) =>
  (x: Checked, y: Checked): Checked =>
    x && y && of(x, y)
const quotient = two((x, y) => {
  const below = inverse(y)
  return below && product(x, below)
})

/**
 * Terms in dimensions: an interpreter beside those in numbers, intervals and texts, so that the operators of a user follow too.
 * Protected operations have the dimensions of plain ones. 0 is 0 in any unit.
 */
export const algebra: TermAlgebra<Checked> = {
  literal: (value) => (value === 0 ? free : quantity(none, exact(value))),
  unary: {
    neg: one(negative),
    square: one((x) => raised(x, 2)),
    sqrt: one(root),
    psqrt: one(root),
    abs: one(size),
    sign: one((x) => (x._tag === "Logarithm" ? undefined : number)),
    exp: one(exponential),
    pexp: one(exponential),
    log: one(logarithmOf),
    plog: one(logarithmOf),
    sin: one(ofNumbers),
    cos: one(ofNumbers),
    tan: one(ofNumbers),
    tanh: one(ofNumbers),
    asin: one(ofNumbers),
    acos: one(ofNumbers),
    atan: one(ofNumbers),
    guard: one(same),
    pinv: one(inverse),
  },
  binary: {
    add: two(sum),
    sub: two((x, y) => {
      const less = negative(y)
      return less && sum(x, less)
    }),
    mul: two(product),
    div: quotient,
    pdiv: quotient,
    pow: two((x, y) => {
      const by = known(y)
      if (by !== undefined && canBeNumber(y)) return raised(x, by)
      const log = logarithmOf(x)
      const exponent = log && product(y, log)
      return exponent && exponential(exponent)
    }),
    min: two((x, y) => like(x, y)),
    max: two((x, y) => like(x, y)),
  },
}
