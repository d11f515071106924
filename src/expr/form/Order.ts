import type { Ord as OrdOf } from "fp-ts/lib/Ord.js"
import type { Ordering } from "fp-ts/lib/Ordering.js"
import * as Coefficient from "./Coefficient.ts"
import { isConstant, type Base, type Power, type Product, type Sum } from "./Form.ts"

const by = (a: number, b: number): Ordering => (a < b ? -1 : a > b ? 1 : 0)

/** The parts of a name: letters in lower case, and whole numbers. */
const parts = (name: string): ReadonlyArray<string | number> =>
  (name.toLowerCase().match(/\d+|\D+/gu) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part))

/** Alphabetical order, with numbers by value (x2 before x10), whatever the case; capitals first among equal names. */
export const compareNames = (a: string, b: string): Ordering => {
  if (a === b) return 0
  const others = parts(b)
  for (const [index, part] of parts(a).entries()) {
    const other = others[index]
    if (other === undefined) return 1
    if (part === other) continue
    if (typeof part === "number" && typeof other === "number") return by(part, other)
    return String(part) < String(other) ? -1 : 1
  }
  return others.length > parts(a).length ? -1 : a < b ? -1 : 1
}

/** Numbers, pi, variables, functions, sums: the order of factors. */
const rank = { Whole: 0, Pi: 1, Variable: 2, Call: 3, Application: 3, Group: 4 } as const

const functionOf = (base: Base): { readonly name: string; readonly operands: ReadonlyArray<Sum> } =>
  base._tag === "Call"
    ? { name: base.operation, operands: base.operands }
    : base._tag === "Application"
      ? base
      : { name: "", operands: [] }

const compareBases = (a: Base, b: Base): Ordering => {
  if (a.key === b.key) return 0
  const byRank = by(rank[a._tag], rank[b._tag])
  if (byRank !== 0) return byRank
  if (a._tag === "Variable" && b._tag === "Variable") return compareNames(a.name, b.name)
  if (a._tag === "Whole" && b._tag === "Whole") return by(a.value, b.value)
  if (a._tag === "Group" && b._tag === "Group") return compareSums(a.sum, b.sum)
  const [f, g] = [functionOf(a), functionOf(b)]
  return (
    compareNames(f.name, g.name) ||
    compareAll(f.operands, g.operands, compareSums) ||
    (a.key < b.key ? -1 : 1)
  )
}

const compareAll = <A>(
  a: ReadonlyArray<A>,
  b: ReadonlyArray<A>,
  compare: (one: A, other: A) => Ordering,
): Ordering => {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    const found = other === undefined ? 1 : compare(one, other)
    if (found !== 0) return found
  }
  return by(a.length, b.length)
}

/** The powers of a product as they are written: by base. */
export const powersOf = ({ powers }: Product): ReadonlyArray<Power> =>
  powers.toSorted((a, b) => compareBases(a.base, b.base))

const degreeOfBase = (base: Base): number => {
  if (base._tag === "Variable") return 1
  if (base._tag === "Group") return Math.max(...base.sum.terms.map(degree))
  if (base._tag === "Call" && base.operation === "abs")
    return Math.max(...base.operands[0]!.terms.map(degree), 0)
  return 0
}

/** The total degree in the variables; functions have degree 0. */
export const degree = ({ powers }: Product): number =>
  powers.reduce((total, { base, exponent }) => total + exponent * degreeOfBase(base), 0)

const isNumber = ({ powers }: Product): boolean => powers.every(({ base }) => isConstant(base))

const comparePowers = (a: Power, b: Power): Ordering =>
  // x^2 stands before x, and x before y.
  compareBases(a.base, b.base) || by(b.exponent, a.exponent)

/** The order of a sum's products: highest degree first, then alphabetical; numbers last. */
export const compareProducts = (a: Product, b: Product): Ordering => {
  if (a.key === b.key) return by(Coefficient.value(b.coefficient), Coefficient.value(a.coefficient))
  const byNumber = by(Number(isNumber(a)), Number(isNumber(b)))
  if (byNumber !== 0) return byNumber
  const variables = (one: Product) => powersOf(one).filter(({ base }) => !isConstant(base))
  return (
    by(degree(b), degree(a)) ||
    compareAll(variables(a), variables(b), comparePowers) ||
    compareAll(powersOf(a), powersOf(b), comparePowers)
  )
}

/** The products of a sum, highest degree first, numbers last, whatever their signs. */
export const termsOf = ({ terms }: Sum): ReadonlyArray<Product> => terms.toSorted(compareProducts)

/** The products as they are written: in order, but a positive one first if there is one. */
export const written = (of: Sum): ReadonlyArray<Product> => {
  const all = termsOf(of)
  const first = all.findIndex(({ coefficient }) => coefficient.over > 0)
  return first <= 0 ? all : [all[first]!, ...all.slice(0, first), ...all.slice(first + 1)]
}

const compareSums = (a: Sum, b: Sum): Ordering =>
  a.key === b.key ? 0 : compareAll(termsOf(a), termsOf(b), compareProducts)

/** The order in which factors are written. */
export const OrdBase: OrdOf<Base> = { equals: (a, b) => a.key === b.key, compare: compareBases }
