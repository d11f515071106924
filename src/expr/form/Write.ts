import * as make from "../term/Constructors.ts"
import type { Term } from "../term/TermF.ts"
import * as Coefficient from "./Coefficient.ts"
import {
  group,
  isConstant,
  product,
  scale,
  sum,
  type Base,
  type Power,
  type Product,
  type Sum,
} from "./Form.ts"
import { compareNames, OrdBase, written } from "./Order.ts"
import * as Products from "./Product.ts"

/** A factor as it is written, with the data that decide its place. */
interface Factor {
  readonly term: Term
  /** 0 numbers, 1 named constants, 2 powers of variables, 3 functions, 4 sums */
  readonly place: 0 | 1 | 2 | 3 | 4
  /** the name of a variable or function */
  readonly name: string
  readonly base: Base
}

/** A number that may be NaN, where numbers overflowed: `arrange` then drops the result. */
const number = (value: number): Term => ({ _tag: "Constant", value: value === 0 ? 0 : value })

/** The denominators of exponents that are written as fractions: x^(1/3), but x^0.25. */
const fractions = [3, 6, 7, 9, 11, 12]

/** base^exponent for a positive exponent: x, x^2, sqrt(x), x^1.5, x^(1/3). */
const powerOf = (base: Term, exponent: number): Term => {
  if (exponent === 1) return base
  if (exponent === 2) return make.square(base)
  if (exponent === 0.5) return make.sqrt(base)
  const q = fractions.find((each) => Math.round(exponent * each) / each === exponent)
  return make.pow(
    base,
    q === undefined || !Number.isFinite(exponent) || Number.isInteger(exponent) || String(exponent).length < 8
      ? number(exponent)
      : make.div(Math.round(exponent * q), q),
  )
}

const baseTerm = (base: Base): Term => {
  switch (base._tag) {
    case "Whole":
      return make.constant(base.value)
    case "Pi":
      return make.constant(Math.PI)
    case "Variable":
      return make.variable(base.name)
    case "Group":
      return write(base.sum)
    case "Application":
      return make.application(base.name, base.meaning, base.operands.map(write))
    case "Call": {
      const [x, y] = base.operands.map(write)
      return y === undefined
        ? { _tag: "Unary", operation: unaryOf(base.operation), argument: x! }
        : { _tag: "Binary", operation: binaryOf(base.operation), left: x!, right: y }
    }
  }
}

type UnaryOf = Extract<Term, { readonly _tag: "Unary" }>["operation"]
type BinaryOf = Extract<Term, { readonly _tag: "Binary" }>["operation"]
// A call of one operand has a unary operation: `Functions` makes no other.
const unaryOf = (operation: UnaryOf | BinaryOf): UnaryOf => operation as UnaryOf
// A call of two operands has a binary operation.
const binaryOf = (operation: UnaryOf | BinaryOf): BinaryOf => operation as BinaryOf

const places = { Whole: 0, Pi: 1, Variable: 2, Call: 3, Application: 3, Group: 4 } as const

const factorOf = (base: Base, exponent: number): Factor => {
  const place = places[base._tag]
  return {
    term: powerOf(baseTerm(base), exponent),
    // The root of a variable or a sum is a function.
    place: exponent === 0.5 && place >= 2 ? 3 : place,
    name:
      exponent === 0.5 && place >= 2
        ? "sqrt"
        : base._tag === "Variable" || base._tag === "Application"
          ? base.name
          : base._tag === "Call"
            ? base.operation
            : "",
    base,
  }
}

/**
 * The factors above and below the fraction bar. Whole powers belong to each factor, x^2*y^2/z^2; a power that is not whole
 * is written once, over all that it is taken of: sqrt(x*y/z), (x/y)^1.5.
 */
const sides = ({ powers }: Product): readonly [ReadonlyArray<Factor>, ReadonlyArray<Factor>] => {
  const over: Array<Factor> = []
  const under: Array<Factor> = []
  const roots = new Map<number, Array<Power>>()
  for (const one of powers) {
    const size = Math.abs(one.exponent)
    if (Number.isInteger(size)) (one.exponent > 0 ? over : under).push(factorOf(one.base, size))
    else roots.set(size, [...(roots.get(size) ?? []), one])
  }
  for (const [size, list] of roots) {
    const above = list.some(({ exponent }) => exponent > 0)
    const side = above ? over : under
    const [only] = list
    if (list.length === 1 && only !== undefined) side.push(factorOf(only.base, size))
    else {
      const inside = Products.make(
        Coefficient.one,
        list.map(({ base, exponent }) => ({ base, exponent: above === exponent > 0 ? 1 : -1 })),
      )
      if (inside.powers.every(({ base }) => isConstant(base)))
        side.push({ ...factorOf(group(sum([inside])), size), place: 0 })
      else side.push(factorOf(group(sum([inside])), size))
    }
  }
  return [over.sort(compare), under.sort(compare)]
}

const compare = (a: Factor, b: Factor): number =>
  a.place - b.place || compareNames(a.name, b.name) || OrdBase.compare(a.base, b.base)

const multiplied = (factors: ReadonlyArray<Term>): Term | undefined =>
  factors.length === 0 ? undefined : factors.reduce((left, right) => make.mul(left, right))

/** A product without its sign: one fraction with a number first. */
const magnitude = (of: Product, sign: 1 | -1): Term => {
  const [above, below] = sides(of)
  const { over, under } = Coefficient.absolute(of.coefficient)
  // A minus sign belongs to the number in front, if there is one.
  const inFront = over !== 1 || above.length === 0
  const numerator = multiplied([...(inFront ? [number(sign * over)] : []), ...above.map(({ term }) => term)])!
  const denominator = multiplied([...(under === 1 ? [] : [number(under)]), ...below.map(({ term }) => term)])
  const whole = denominator === undefined ? numerator : make.div(numerator, denominator)
  return sign < 0 && !inFront ? make.neg(whole) : whole
}

/** A product with a minus sign and a difference as a factor takes the sign into the difference: z*(y - x) for -z*(x - y). */
const oriented = (of: Product): Product => {
  if (of.coefficient.over > 0) return of
  const index = of.powers.findIndex(
    ({ base, exponent }) =>
      base._tag === "Group" &&
      Math.abs(exponent) === 1 &&
      base.sum.terms.some(({ coefficient }) => coefficient.over < 0),
  )
  const found = of.powers[index]
  if (found?.base._tag !== "Group") return of
  const flipped = { ...found, base: group(scale(found.base.sum, Coefficient.make(-1))) }
  return product(
    Coefficient.negate(of.coefficient),
    of.powers.map((one, j) => (j === index ? flipped : one)),
  )
}

/** A sum as a term in the notation of physics; the normal form of the term is the sum. */
export const write = (of: Sum): Term => {
  const [first, ...others] = written(sum(of.terms.map(oriented)))
  if (first === undefined) return make.constant(0)
  return others.reduce<Term>(
    (left, one) =>
      one.coefficient.over < 0 ? make.sub(left, magnitude(one, 1)) : make.add(left, magnitude(one, 1)),
    magnitude(first, first.coefficient.over < 0 ? -1 : 1),
  )
}
