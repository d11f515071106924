import {
  type Monomial,
  type Amount,
  type Base,
  type Factor,
  multiply,
  power as powerOf,
  pure,
  type Sum,
} from "./sum.ts"

/** The tree of a term as the grammar of laws has it: operators over features, exact constants and fitted constants. */
export type Tree =
  | { readonly _tag: "Leaf"; readonly terminal: Terminal }
  | { readonly _tag: "Node"; readonly operator: string; readonly children: ReadonlyArray<Tree> }

/** A feature by its name, an exact constant of the default grammar, or a fitted constant. */
export type Terminal = { readonly _tag: "Feature"; readonly name: string } | "1" | "2" | "pi" | Fitted

/** A fitted constant and its place in the law. */
export interface Fitted {
  readonly _tag: "Fitted"
  readonly place: Place
  /** the exact number that it stands for, where it is not one that the grammar writes briefly */
  readonly exact: number | undefined
}

/** The place of a number: a factor of an argument (rate), a summand (shift, half-saturation), an exponent. */
export type Place = "rate or scale" | "shift" | "exponent"

const leaf = (terminal: Terminal): Tree => ({ _tag: "Leaf", terminal })
const node = (operator: string, ...children: ReadonlyArray<Tree>): Tree => ({
  _tag: "Node",
  operator,
  children,
})
const fitted = (place: Place, exact?: number): Tree => leaf({ _tag: "Fitted", place, exact })

/** A whole number in terms of 1 and 2; a fitted constant for those that are not short. */
const whole = (value: number, place: Place): Tree => {
  if (value === 1) return leaf("1")
  if (value === 2) return leaf("2")
  if (value === 3) return node("add", leaf("1"), leaf("2"))
  if (value === 4) return node("square", leaf("2"))
  return fitted(place, value)
}

/** Numerators and denominators of a product. */
interface Parts {
  readonly over: ReadonlyArray<Tree>
  readonly under: ReadonlyArray<Tree>
}

/** |value| as p pi^k / q with small p and q; a fitted constant for other numbers. */
const number = (value: number, place: Place): Parts => {
  for (const [over, under] of [
    [[], []],
    [[leaf("pi")], []],
    [[], [leaf("pi")]],
  ] as const)
    for (let q = 1; q <= 16; q++) {
      const p = (Math.abs(value) * q * (under.length > 0 ? Math.PI : 1)) / (over.length > 0 ? Math.PI : 1)
      if (Math.abs(p - Math.round(p)) > 1e-12 * p || Math.round(p) > 16 || Math.round(p) === 0) continue
      return {
        over: [...(Math.round(p) === 1 ? [] : [whole(Math.round(p), place)]), ...over],
        under: [...(q === 1 ? [] : [whole(q, place)]), ...under],
      }
    }
  return { over: [fitted(place, value)], under: [] }
}

const amount = (value: Amount, place: Place): Parts =>
  value === "fitted" ? { over: [fitted(place)], under: [] } : number(value, place)

/** A product as a tree of least depth. */
const product = (trees: ReadonlyArray<Tree>): Tree | undefined => {
  let level = trees
  while (level.length > 1)
    level = level.flatMap((one, k) => {
      if (k % 2 === 1) return []
      const next = level[k + 1]
      return [next === undefined ? one : node("mul", one, next)]
    })
  return level[0]
}

const quotient = ({ over, under }: Parts): Tree => {
  const numerator = product(over) ?? leaf("1")
  const denominator = product(under)
  return denominator === undefined ? numerator : node("div", numerator, denominator)
}

/** A positive power of a tree. */
const power = (base: Tree, exponent: Amount): Tree => {
  switch (exponent) {
    case 1:
      return base
    case 2:
      return node("square", base)
    case 3:
      return node("mul", node("square", base), base)
    case 4:
      return node("square", node("square", base))
    case 0.5:
      return node("sqrt", base)
    case 1.5:
      return node("mul", base, node("sqrt", base))
    case 2.5:
      return node("mul", node("square", base), node("sqrt", base))
    case 6:
      return node("square", node("mul", node("square", base), base))
    default:
      return node("pow", base, fitted("exponent", exponent === "fitted" ? undefined : exponent))
  }
}

/** Whether all coefficients of a sum are negative numbers. */
const isNegative = ({ constant, monomials }: Sum): boolean =>
  (constant === 0 || (constant !== "fitted" && constant < 0)) &&
  monomials.every(({ coefficient }) => coefficient !== "fitted" && coefficient < 0)

const negated = ({ constant, monomials }: Sum): Sum => ({
  constant: constant === "fitted" ? constant : constant === 0 ? 0 : -constant,
  monomials: monomials.map(({ coefficient, factors }) => ({
    coefficient: coefficient === "fitted" ? coefficient : -coefficient,
    factors,
  })),
})

const ofBase = (base: Base): Tree => {
  if (base._tag === "Variable") return leaf({ _tag: "Feature", name: base.name })
  return base._tag === "Sum" ? ofSum(base.sum) : node(base.name, ofSum(base.argument))
}

/** The powers of a product that have the same exponent, up to its sign: x^2 / y^2 is (x / y)^2. */
const ofPowers = (exponent: Amount, factors: ReadonlyArray<Factor>): Parts => {
  const isBelow = ({ exponent }: Factor): boolean => typeof exponent === "number" && exponent < 0
  const over = factors.filter((factor) => !isBelow(factor)).map(({ base }) => ofBase(base))
  const under = factors.filter(isBelow).map(({ base }) => ofBase(base))
  if (exponent === 1) return { over, under }
  if (over.length === 0) return { over: [], under: [power(quotient({ over: under, under: [] }), exponent)] }
  return { over: [power(quotient({ over, under }), exponent)], under: [] }
}

/** A factor with an exponent of its own; undefined for numeric powers. */
const alone = ({ base, exponent }: Factor): Parts | undefined => {
  // The grammar has no negation: exp(-x) is 1 / exp(x).
  if (base._tag === "Call" && base.name === "exp" && exponent === 1 && isNegative(base.argument))
    return { over: [], under: [node("exp", ofSum(negated(base.argument)))] }
  if (typeof exponent === "object") return { over: [node("pow", ofBase(base), ofSum(exponent))], under: [] }
  return exponent === "fitted" ? { over: [power(ofBase(base), exponent)], under: [] } : undefined
}

/** A monomial without the sign of its coefficient. */
const ofMonomial = (coefficient: Amount, factors: ReadonlyArray<Factor>): Tree => {
  const powers = new Map<number, Array<Factor>>()
  const parts: Array<Parts> = [
    coefficient === 1 || coefficient === -1 ? { over: [], under: [] } : amount(coefficient, "rate or scale"),
  ]
  for (const factor of factors) {
    const part = alone(factor)
    if (part !== undefined) parts.push(part)
    else if (typeof factor.exponent === "number") {
      const size = Math.abs(factor.exponent)
      powers.set(size, [...(powers.get(size) ?? []), factor])
    }
  }
  for (const [exponent, group] of powers) parts.push(ofPowers(exponent, group))
  return quotient({ over: parts.flatMap(({ over }) => over), under: parts.flatMap(({ under }) => under) })
}

/** The logarithm that a monomial is, if it is one with the coefficient 1 or -1. */
const plainLog = ({ coefficient, factors }: Monomial): Sum | undefined => {
  const [factor] = factors
  const isLog =
    factors.length === 1 &&
    factor?.exponent === 1 &&
    factor.base._tag === "Call" &&
    factor.base.name === "log"
  return isLog && (coefficient === 1 || coefficient === -1) && factor.base._tag === "Call"
    ? factor.base.argument
    : undefined
}

/** Differences of logarithms as one logarithm: log(x) - log(y) is log(x / y). */
const withJoinedLogs = ({ constant, monomials }: Sum): Sum => {
  const logs = monomials.filter((monomial) => plainLog(monomial) !== undefined)
  if (logs.length < 2) return { constant, monomials }
  const inside = logs.reduce<Sum>((product, monomial) => {
    const argument = plainLog(monomial) ?? pure(1)
    return multiply(product, monomial.coefficient === 1 ? argument : powerOf(argument, -1))
  }, pure(1))
  const joined: Monomial = {
    coefficient: 1,
    factors: [{ base: { _tag: "Call", name: "log", argument: inside }, exponent: 1 }],
  }
  return { constant, monomials: [joined, ...monomials.filter((monomial) => !logs.includes(monomial))] }
}

const ofSum = (sum: Sum): Tree => {
  const { constant, monomials } = withJoinedLogs(sum)
  const parts = [
    ...monomials.map(({ coefficient, factors }) => ({
      negative: coefficient !== "fitted" && coefficient < 0,
      tree: ofMonomial(coefficient, factors),
    })),
    ...(constant === 0
      ? []
      : [{ negative: constant !== "fitted" && constant < 0, tree: quotient(amount(constant, "shift")) }]),
  ]
  const order = parts.toSorted((a, b) => Number(a.negative) - Number(b.negative))
  return order
    .slice(1)
    .reduce<Tree>(
      (left, { negative, tree }) => node(negative ? "sub" : "add", left, tree),
      order[0] === undefined ? leaf("1") : order[0].negative ? node("neg", order[0].tree) : order[0].tree,
    )
}

/** The tree of a term; its coefficient is one of the linear model. */
export const ofTerm = ({ factors }: Monomial): Tree => ofMonomial(1, factors)

/** Every node of a tree with its depth. */
export const nodes = (
  tree: Tree,
  depth = 0,
): ReadonlyArray<{ readonly tree: Tree; readonly depth: number }> =>
  tree._tag === "Leaf"
    ? [{ tree, depth }]
    : [{ tree, depth }, ...tree.children.flatMap((child) => nodes(child, depth + 1))]

/** A tree as text, for people. */
export const text = (tree: Tree): string => {
  if (tree._tag === "Node") return `${tree.operator}(${tree.children.map(text).join(", ")})`
  if (typeof tree.terminal === "string") return tree.terminal
  return tree.terminal._tag === "Feature" ? tree.terminal.name : "c"
}
