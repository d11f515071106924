import * as Form from "./Form.ts"

// The family of a formula is a quotient of sums of products of powers, whatever the numbers:
//
//     sum_i prod_j a_ij^e_ij / sum_k prod_l a_kl^e_kl
//
// Atoms a are variables, functions of such quotients, and powers of them that are not whole.

/** Exponents by atom. */
type Monomial = ReadonlyMap<string, number>

interface Quotient {
  readonly over: ReadonlyArray<Monomial>
  readonly under: ReadonlyArray<Monomial>
}

/** Sums are multiplied out up to this power. */
const multiplied = 4
/** Products of sums with more parts stay products: those of a long law would be thousands. */
const longest = 64

/** Multiples of 1/4 are part of a family; every other exponent is a fitted number. */
const isWritten = (exponent: number): boolean => Number.isInteger(4 * exponent)

/** An exponent whose distance to a multiple of 1/4 is rounding. */
const rounded = (exponent: number): number => {
  const near = Math.round(4 * exponent) / 4
  return Math.abs(exponent - near) < 1e-9 ? near : exponent
}

const product = (a: Monomial, b: Monomial): Monomial => {
  const out = new Map(a)
  for (const [atom, exponent] of b) {
    const sum = rounded((out.get(atom) ?? 0) + exponent)
    if (sum === 0) out.delete(atom)
    else out.set(atom, sum)
  }
  return out
}

const nothing: Monomial = new Map()
const one: Quotient = { over: [nothing], under: [nothing] }
const atom = (name: string, exponent: number): Quotient => ({
  over: [new Map([[name, rounded(exponent)]])],
  under: [nothing],
})

const inverse = (monomial: Monomial): Monomial =>
  new Map([...monomial].map(([atom, exponent]) => [atom, -exponent]))

const isOne = (monomial: Monomial): boolean => monomial.size === 0

const isWhole = ({ under }: Quotient): boolean => under.length === 1 && isOne(under[0]!)

/** Whether products of sums have more parts than are multiplied out. */
const isLong = (
  ...pairs: ReadonlyArray<readonly [ReadonlyArray<Monomial>, ReadonlyArray<Monomial>]>
): boolean => pairs.some(([a, b]) => a.length > 1 && b.length > 1 && a.length * b.length > longest)

const degree = (monomial: Monomial): number =>
  [...monomial.values()].reduce((sum, exponent) => sum + (isWritten(exponent) ? Math.abs(exponent) : 1), 0)

/**
 * Tells apart what differs in numbers alone: of exp(-a x) + exp(-b x) the second exponential, of x^a + x^b the second exponent.
 *
 * @param text a function or an exponent without its numbers
 * @param numbers the same with them
 * @returns a mark that follows the text; empty for the first
 */
type Mark = (text: string, numbers: string) => string

/** Terms without those that are numbers. */
const withoutNumber = ({ terms }: Form.Sum): Form.Sum =>
  Form.sum(terms.filter(({ powers }) => powers.some(({ base }) => !Form.isConstant(base))))

/** Texts of sums without their numbers, functions that differ in numbers alone being marked. */
export const writer = (mark: Mark) => {
  const exponentText = (exponent: number): string =>
    isWritten(exponent) ? `${exponent}` : `c${mark("^c", exponent.toPrecision(9))}`

  const text = (monomial: Monomial): string =>
    [...monomial]
      .map(([atom, exponent]) => (exponent === 1 ? atom : `${atom}^${exponentText(exponent)}`))
      .sort()
      .join("*")

  const distinct = (monomials: ReadonlyArray<Monomial>): ReadonlyArray<Monomial> => [
    ...new Map(monomials.map((one) => [text(one), one])).values(),
  ]

  const products = (a: ReadonlyArray<Monomial>, b: ReadonlyArray<Monomial>): ReadonlyArray<Monomial> =>
    distinct(a.flatMap((x) => b.map((y) => product(x, y))))

  const texts = (monomials: ReadonlyArray<Monomial>): string => monomials.map(text).sort().join("+")

  /** A quotient as one atom. */
  const whole = (of: Quotient): Quotient =>
    of.over.length === 1 && of.under.length === 1
      ? of
      : { over: [new Map([[`{${texts(of.over)}}/{${texts(of.under)}}`, 1]])], under: [nothing] }

  const times = (a: Quotient, b: Quotient): Quotient =>
    isLong([a.over, b.over], [a.under, b.under])
      ? times(whole(a), whole(b))
      : { over: products(a.over, b.over), under: products(a.under, b.under) }

  const add = (a: Quotient, b: Quotient): Quotient => {
    if (texts(a.under) === texts(b.under)) return { over: distinct([...a.over, ...b.over]), under: a.under }
    if (isLong([a.over, b.under], [b.over, a.under], [a.under, b.under])) return add(whole(a), whole(b))
    return {
      over: distinct([...products(a.over, b.under), ...products(b.over, a.under)]),
      under: products(a.under, b.under),
    }
  }

  /** The quotient without powers that all of its monomials have: x / (x y) is 1 / y. One over a product is a sum: (x + 1) / x is 1 + 1 / x. */
  const reduced = ({ over, under }: Quotient): Quotient => {
    if (under.length === 1) return { over: products(over, [inverse(under[0]!)]), under: [nothing] }
    const all = [...over, ...under]
    const least = new Map<string, number>()
    for (const name of new Set(all.flatMap((monomial) => [...monomial.keys()]))) {
      const smallest = Math.min(...all.map((monomial) => monomial.get(name) ?? 0))
      if (smallest !== 0) least.set(name, -smallest)
    }
    return { over: products(over, [least]), under: products(under, [least]) }
  }

  const textOf = (of: Quotient): string =>
    isWhole(of) ? texts(of.over) : `(${texts(of.over)})/(${texts(of.under)})`

  const ofSum = (sum: Form.Sum): string => textOf(reduced(quotientOf(sum)))

  const marked = (name: string, numbers: string): string => `${name}${mark(name, numbers)}`

  /** A logarithm of a product is a sum of logarithms, with a number where the product has one. */
  const ofLogarithm = (operand: Form.Sum): Quotient => {
    const { over, under } = reduced(quotientOf(operand))
    const only = Form.single(operand)
    const parts = [over, under].map((side) =>
      side.length === 1 ? [...side[0]!.keys()] : [marked(`[${texts(side)}]`, operand.key)],
    )
    const isScaled =
      only !== undefined &&
      (only.coefficient.over !== 1 || only.coefficient.under !== 1) &&
      parts.flat().length > 0
    const logarithms = parts.flat().map((name): Monomial => new Map([[`log(${name})`, 1]]))
    return { over: distinct([...(isScaled ? [nothing] : []), ...logarithms]), under: [nothing] }
  }

  /** The monomial of the highest degree, the last of these in the alphabet. */
  const leading = (monomials: ReadonlyArray<Monomial>): Monomial =>
    monomials.reduce((most, one) => {
      const more = degree(one) - degree(most)
      return more > 0 || (more === 0 && text(one) > text(most)) ? one : most
    })

  /**
   * A quotient less a number: p + 2 without its 2, and of x / (x + 1) and (2 x + 3) / (x + 1) alike 1 / (x + 1). A longer denominator is taken from
   * numerators that have all of its parts, as the difference would have fewer numbers than parts else.
   */
  const unshifted = (of: Quotient): Quotient => {
    const { over, under } = of
    if (isWhole(of)) return { over: over.filter((one) => !isOne(one)), under }
    const has = (one: Monomial): boolean => over.some((other) => text(other) === text(one))
    const lead = leading(under)
    if (!has(lead) || (under.length > 2 && !under.every(has))) return of
    return reduced({
      over: distinct([...over, ...under]).filter((one) => text(one) !== text(lead)),
      under,
    })
  }

  /** A function of a sum. Numbers that its coefficient or phase has are no part of it: exp(x + 2) is e^2 exp(x), cos(x + 2) a sine. */
  const ofCall = ({ operation, operands }: Form.Call): string => {
    const inside = operands.map((operand) => reduced(quotientOf(operand)))
    const [first] = inside
    const numbers = operands.map(({ key }) => key).join(";")
    if (operation === "exp" && first !== undefined)
      return marked(`exp(${textOf(unshifted(first))})`, withoutNumber(operands[0]!).key)
    const isShifted = first !== undefined && isWhole(first) && first.over.some(isOne)
    if (operation === "cos" && isShifted) return marked(`sin(${textOf(first)})`, numbers)
    return marked(`${operation}(${inside.map(textOf).join(";")})`, numbers)
  }

  const ofPower = ({ base, exponent }: Form.Power): Quotient => {
    switch (base._tag) {
      case "Whole":
      case "Pi":
        return one
      case "Variable":
        return atom(base.name, exponent)
      case "Call":
        return base.operation === "log" && exponent === 1
          ? ofLogarithm(base.operands[0]!)
          : atom(ofCall(base), exponent)
      case "Application":
        return atom(
          marked(`${JSON.stringify(base.name)}(${base.operands.map(ofSum).join(";")})`, base.key),
          exponent,
        )
      case "Group": {
        const size = Math.abs(exponent)
        if (!Number.isInteger(size) || size > multiplied)
          return atom(marked(`[${ofSum(base.sum)}]`, base.sum.key), exponent)
        const { over, under } = quotientOf(base.sum)
        const turned = exponent < 0 ? { over: under, under: over } : { over, under }
        return Array.from({ length: size }, () => turned).reduce(times, one)
      }
    }
  }

  const quotientOf = ({ terms }: Form.Sum): Quotient =>
    terms.length === 0 ? one : terms.map(({ powers }) => powers.map(ofPower).reduce(times, one)).reduce(add)

  return ofSum
}
