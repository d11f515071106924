import * as Term from "../../src/expr/Term.ts"

/** A number of a law: exact, or "fitted" (a number that a scientist fits; its value is not part of the law). */
export type Amount = number | "fitted"

/** A law as constant + sum_j coefficient_j product_j, with each product once. */
export interface Sum {
  readonly constant: Amount
  readonly monomials: ReadonlyArray<Monomial>
}

/** A coefficient, not 0, times powers of distinct bases. */
export interface Monomial {
  readonly coefficient: Amount
  readonly factors: ReadonlyArray<Factor>
}

/** A power of a variable, of a function, or of a sum of two or more parts. The exponent is an amount, or a sum with variables. */
export interface Factor {
  readonly base: Base
  readonly exponent: Amount | Sum
}

export type Base =
  | { readonly _tag: "Variable"; readonly name: string }
  | { readonly _tag: "Call"; readonly name: string; readonly argument: Sum }
  | { readonly _tag: "Sum"; readonly sum: Sum }

/** An amount as a sum. */
export const pure = (constant: Amount): Sum => ({ constant, monomials: [] })

/** A power of a base as a sum. */
export const ofFactor = (base: Base, exponent: Factor["exponent"] = 1): Sum => ({
  constant: 0,
  monomials: [{ coefficient: 1, factors: [{ base, exponent }] }],
})

const both =
  (operation: (a: number, b: number) => number) =>
  (a: Amount, b: Amount): Amount =>
    a === "fitted" || b === "fitted" ? "fitted" : operation(a, b)
const addAmounts = both((a, b) => a + b)
const scaleAmounts = both((a, b) => a * b)
const times = (a: Amount, b: Amount): Amount => (a === 0 || b === 0 ? 0 : scaleAmounts(a, b))
const raised = both((a, b) => a ** b)

const exponentKey = (exponent: Factor["exponent"]): string =>
  typeof exponent === "object" ? `(${key(exponent)})` : String(exponent)

const baseKey = (base: Base): string => {
  if (base._tag === "Variable") return base.name
  return base._tag === "Call" ? `${base.name}(${key(base.argument)})` : `[${key(base.sum)}]`
}

const factorsKey = (factors: ReadonlyArray<Factor>): string =>
  factors
    .map(({ base, exponent }) => `${baseKey(base)}^${exponentKey(exponent)}`)
    .sort()
    .join("*")

/** A string that is equal for sums that are equal up to order. */
export const key = ({ constant, monomials }: Sum): string =>
  [
    ...monomials.map(({ coefficient, factors }) => `${coefficient}*${factorsKey(factors)}`).sort(),
    constant,
  ].join("+")

/** The only monomial of a sum without a constant; undefined for other sums. */
export const single = ({ constant, monomials }: Sum): Monomial | undefined =>
  constant === 0 && monomials.length === 1 ? monomials[0] : undefined

/** The key of a part in a map: fitted numbers may differ, so that parts with such numbers are apart. */
const apart = (key: string, index: number): string => (key.includes("fitted") ? `${index}:${key}` : key)

/** a + b; equal products are one monomial. */
export const add = (a: Sum, b: Sum): Sum => {
  const found = new Map<string, Monomial>()
  for (const [index, monomial] of [...a.monomials, ...b.monomials].entries()) {
    const name = apart(factorsKey(monomial.factors), index)
    const before = found.get(name)
    const coefficient = addAmounts(before?.coefficient ?? 0, monomial.coefficient)
    found.set(name, { coefficient, factors: monomial.factors })
  }
  return {
    constant: addAmounts(a.constant, b.constant),
    monomials: [...found.values()].filter(({ coefficient }) => coefficient !== 0),
  }
}

/** An amount times a sum. */
export const scale = ({ constant, monomials }: Sum, by: Amount): Sum =>
  by === 0
    ? pure(0)
    : {
        constant: times(constant, by),
        monomials: monomials.map(({ coefficient, factors }) => ({
          coefficient: times(coefficient, by),
          factors,
        })),
      }

/** The number of coefficients that are written out. */
const written = ({ constant, monomials }: Sum): number =>
  monomials.filter(({ coefficient }) => coefficient !== 1).length + (constant === 0 || constant === 1 ? 0 : 1)

/**
 * A sum as an amount times a sum with as few written coefficients as possible: c + c x is a fitted number times c + x. The
 * amount is free of cost where a coefficient stands before the sum.
 */
const content = (sum: Sum): readonly [Amount, Sum] => {
  const divided = (by: Amount, at: number): Sum => {
    const inverse = by === "fitted" ? "fitted" : 1 / by
    const rest = scale(sum, inverse)
    return {
      constant: at < 0 ? 1 : rest.constant,
      monomials: rest.monomials.map((monomial, j) => (j === at ? { ...monomial, coefficient: 1 } : monomial)),
    }
  }
  const choices = [
    ...sum.monomials.map(({ coefficient }, at) => ({ by: coefficient, at })),
    ...(sum.constant === 0 ? [] : [{ by: sum.constant, at: -1 }]),
  ].filter(({ by }) => by !== 1)
  return choices.reduce<readonly [Amount, Sum]>(
    (best, { by, at }) => {
      const made = divided(by, at)
      return written(made) < written(best[1]) ? [by, made] : best
    },
    [1, sum],
  )
}

/** A sum as one monomial: the sum itself becomes a factor if it has several parts. */
const asMonomial = (sum: Sum): Monomial => {
  const one = single(sum)
  if (one !== undefined) return one
  if (sum.monomials.length === 0) return { coefficient: sum.constant, factors: [] }
  const [coefficient, rest] = content(sum)
  const again = single(rest)
  return again === undefined
    ? { coefficient, factors: [{ base: { _tag: "Sum", sum: rest }, exponent: 1 }] }
    : { ...again, coefficient: times(coefficient, again.coefficient) }
}

const joined = (factors: ReadonlyArray<Factor>): ReadonlyArray<Factor> => {
  const found = new Map<string, Factor>()
  for (const [index, factor] of factors.entries()) {
    const name = apart(baseKey(factor.base), index)
    const before = found.get(name)
    found.set(
      name,
      before === undefined ? factor : { ...factor, exponent: addExponents(before.exponent, factor.exponent) },
    )
  }
  return [...found.values()].filter(({ exponent }) => exponent !== 0)
}

const asSum = (exponent: Factor["exponent"]): Sum =>
  typeof exponent === "object" ? exponent : pure(exponent)
export const asExponent = (sum: Sum): Factor["exponent"] => (sum.monomials.length === 0 ? sum.constant : sum)
export const addExponents = (a: Factor["exponent"], b: Factor["exponent"]): Factor["exponent"] =>
  asExponent(add(asSum(a), asSum(b)))

/** A monomial as a sum. */
export const ofMonomial = ({ coefficient, factors }: Monomial): Sum => {
  if (factors.length === 0) return pure(coefficient)
  // A sum alone is no factor.
  const [first] = factors
  if (factors.length === 1 && first?.base._tag === "Sum" && first.exponent === 1)
    return scale(first.base.sum, coefficient)
  return { constant: 0, monomials: [{ coefficient, factors }] }
}

/** a b, with sums as factors: no distribution. */
export const multiply = (a: Sum, b: Sum): Sum => {
  if (a.monomials.length === 0) return scale(b, a.constant)
  if (b.monomials.length === 0) return scale(a, b.constant)
  const [left, right] = [asMonomial(a), asMonomial(b)]
  return ofMonomial({
    coefficient: times(left.coefficient, right.coefficient),
    factors: joined([...left.factors, ...right.factors]),
  })
}

/** a^e for a constant or variable exponent. */
export const power = (a: Sum, exponent: Factor["exponent"]): Sum => {
  const { coefficient, factors } = asMonomial(a)
  if (typeof exponent === "object") {
    // A number to a variable power is an exponential.
    const exponential = coefficient === 1 ? undefined : call("exp", scale(exponent, "fitted"))
    const rest = ofMonomial({
      coefficient: 1,
      factors: factors.map(({ base, exponent: inner }) => ({
        base,
        exponent: asExponent(multiply(asSum(inner), exponent)),
      })),
    })
    return exponential === undefined ? rest : multiply(exponential, rest)
  }
  if (exponent === 0) return pure(1)
  return ofMonomial({
    coefficient: coefficient === 1 ? 1 : raised(coefficient, exponent),
    factors: joined(
      factors.map(({ base, exponent: inner }) => ({
        base,
        exponent: asExponent(scale(asSum(inner), exponent)),
      })),
    ),
  })
}

const inverses: Readonly<Record<string, string>> = {
  sin: "asin",
  cos: "acos",
  tan: "atan",
  asin: "sin",
  acos: "cos",
  atan: "tan",
}

/** The logarithm of a monomial: a sum of logarithms. */
const logarithm = ({ coefficient, factors }: Monomial): Sum =>
  factors.reduce<Sum>(
    (sum, { base, exponent }) => {
      const inside =
        base._tag === "Call" && base.name === "exp"
          ? base.argument
          : ofFactor({ _tag: "Call", name: "log", argument: base._tag === "Sum" ? base.sum : ofFactor(base) })
      return add(sum, multiply(asSum(exponent), inside))
    },
    pure(coefficient === 1 ? 0 : coefficient === "fitted" ? "fitted" : Math.log(coefficient)),
  )

/** A function of a sum. Exponentials and logarithms of products are taken apart; inverse functions undo each other. */
export const call = (name: string, argument: Sum): Sum => {
  if (argument.monomials.length === 0)
    return pure(argument.constant === "fitted" ? "fitted" : constantCall(name, argument.constant))
  const one = single(argument)
  const [inner] = one?.factors ?? []
  if (
    one?.coefficient === 1 &&
    one.factors.length === 1 &&
    inner?.exponent === 1 &&
    inner.base._tag === "Call"
  )
    if (inverses[name] === inner.base.name) return inner.base.argument
  if (name === "log") {
    const product = asMonomial(argument)
    const alone =
      product.factors.length === 1 && product.factors[0]?.exponent === 1 && product.coefficient === 1
    if (!alone || product.factors[0]?.base._tag === "Call") {
      const [factor] = product.factors
      if (!(alone && factor?.base._tag === "Call" && factor.base.name !== "exp")) return logarithm(product)
    }
  }
  if (name === "exp") {
    const factor =
      argument.constant === 0 ? 1 : argument.constant === "fitted" ? "fitted" : Math.exp(argument.constant)
    const rest = { constant: 0, monomials: argument.monomials }
    // exp(k log x + z) is x^k exp(z).
    const powers = rest.monomials.flatMap((monomial) => {
      const [log] = monomial.factors
      return monomial.factors.length === 1 &&
        log?.exponent === 1 &&
        log.base._tag === "Call" &&
        log.base.name === "log"
        ? [{ monomial, base: log.base.argument }]
        : []
    })
    if (powers.length > 0) {
      const left = rest.monomials.filter((monomial) => powers.every((one) => one.monomial !== monomial))
      const product = powers.reduce<Sum>(
        (product, { base, monomial }) => multiply(product, power(base, monomial.coefficient)),
        pure(factor),
      )
      return left.length === 0 ? product : multiply(product, call(name, { constant: 0, monomials: left }))
    }
    return scale(ofFactor({ _tag: "Call", name, argument: rest }), factor)
  }
  return ofFactor({ _tag: "Call", name, argument })
}

const constantCall = (name: string, value: number): number =>
  Term.interpret(Term.arithmetic)(Term.unary(name as Term.UnaryOperation, Term.constant(value)))(() => 0)
