import type { BinaryOperation, Term, UnaryOperation } from "../term/TermF.ts"
import { key as termKey } from "../term/Compare.ts"
import * as Coefficient from "./Coefficient.ts"
import { pow } from "../../numeric/Power.ts"

// The normal form of a formula is a sum of products of powers:
//
//     sum_i c_i prod_j base_ij^e_ij
//
// with numbers c_i and real exponents e_ij. Bases are variables, functions of sums, and sums. It is an algebraic value
// without notation: the order of terms, fraction bars and signs are chosen when it is written (`write`).

/** The square root of a whole number without square factors stands as a power of it. */
export interface Whole {
  readonly _tag: "Whole"
  readonly value: number
  readonly key: string
}

export interface Pi {
  readonly _tag: "Pi"
  readonly key: string
}

export interface Variable {
  readonly _tag: "Variable"
  readonly name: string
  readonly key: string
}

export interface Call {
  readonly _tag: "Call"
  readonly operation: UnaryOperation | BinaryOperation
  readonly operands: ReadonlyArray<Sum>
  readonly key: string
}

/** An operator of a user, applied to sums. */
export interface Application {
  readonly _tag: "Application"
  readonly name: string
  /** over x, or x and y */
  readonly meaning: Term<"x" | "y">
  readonly operands: ReadonlyArray<Sum>
  readonly key: string
}

/**
 * A sum as a base. A sum of one product is a base only of a power that its factors do not have one by one: sqrt(x*y) is
 * real where both are negative.
 */
export interface Group {
  readonly _tag: "Group"
  readonly sum: Sum
  readonly key: string
}

export type Base = Whole | Pi | Variable | Call | Application | Group

/** base^exponent, the exponent not 0 */
export interface Power {
  readonly base: Base
  readonly exponent: number
}

/** A number times powers of different bases. */
export interface Product {
  readonly coefficient: Coefficient.Coefficient
  readonly powers: ReadonlyArray<Power>
  /** equal for equal powers, whatever the coefficient */
  readonly key: string
}

/** A sum of products with different powers; no product is 0. */
export interface Sum {
  readonly terms: ReadonlyArray<Product>
  /** equal for equal sums */
  readonly key: string
}

export const whole = (value: number): Whole => ({ _tag: "Whole", value, key: `#${value}` })
export const pi: Pi = { _tag: "Pi", key: "pi" }
export const variable = (name: string): Variable => ({ _tag: "Variable", name, key: JSON.stringify(name) })
export const call = (operation: Call["operation"], ...operands: ReadonlyArray<Sum>): Call => ({
  _tag: "Call",
  operation,
  operands,
  key: `${operation}[${operands.map(({ key }) => key).join(";")}]`,
})
export const application = (
  name: string,
  meaning: Application["meaning"],
  operands: ReadonlyArray<Sum>,
): Application => ({
  _tag: "Application",
  name,
  meaning,
  operands,
  key: `${JSON.stringify(name)}{${termKey(meaning)}}[${operands.map(({ key }) => key).join(";")}]`,
})
export const group = (sum: Sum): Group => ({ _tag: "Group", sum, key: `(${sum.key})` })

/** A product of powers with different bases. */
export const product = (coefficient: Coefficient.Coefficient, powers: ReadonlyArray<Power>): Product => {
  if (coefficient.over === 0) return { coefficient, powers: [], key: "" }
  const sorted = powers.toSorted((a, b) => (a.base.key < b.base.key ? -1 : 1))
  return {
    coefficient,
    powers: sorted,
    key: sorted.map(({ base, exponent }) => `${base.key}^${exponent}`).join(" "),
  }
}

/** A sum of products with different powers. */
export const sum = (terms: ReadonlyArray<Product>): Sum => {
  const sorted = terms.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return {
    terms: sorted,
    key: sorted.map(({ coefficient: { over, under }, key }) => `${over}/${under} ${key}`).join("+"),
  }
}

export const withCoefficient = (of: Product, coefficient: Coefficient.Coefficient): Product =>
  coefficient.over === 0 ? product(coefficient, []) : { ...of, coefficient }

/** A sum times a number. */
export const scale = (of: Sum, by: Coefficient.Coefficient): Sum =>
  by.over === 0
    ? sum([])
    : sum(of.terms.map((one) => withCoefficient(one, Coefficient.multiply(one.coefficient, by))))

/** Whether a base has a value without any variable. */
export const isConstant = (base: Base): boolean => base._tag === "Whole" || base._tag === "Pi"

/** The value of a sum without variables; undefined for others. */
export const valueOf = ({ terms }: Sum): number | undefined => {
  let total = 0
  for (const { coefficient, powers } of terms) {
    let value = Coefficient.value(coefficient)
    for (const { base, exponent } of powers) {
      if (base._tag === "Pi") value *= pow(Math.PI, exponent)
      else if (base._tag === "Whole") value *= pow(base.value, exponent)
      else return undefined
    }
    total += value
  }
  return total
}

/** The only product of a sum; undefined for sums of several and for 0. */
export const single = ({ terms }: Sum): Product | undefined => (terms.length === 1 ? terms[0] : undefined)
