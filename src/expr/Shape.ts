import * as Interval from "./Interval.ts"
import * as Term from "./Term.ts"
import { pow } from "../numeric/Power.ts"

/** A property of a function, of one of its arguments where it is about one. */
export type Shape =
  | { readonly _tag: "Positive" }
  | { readonly _tag: "Increasing" | "Decreasing" | "Monotone" | "Even" | "Odd"; readonly of: string }
  | { readonly _tag: "Periodic"; readonly of: string; readonly period: number }
  | { readonly _tag: "Limit"; readonly of: string; readonly at: 0 | typeof Infinity; readonly value: number }

/** Above 0 on the whole box. *When to use*: for a rate, a density or a variance, which a negative value would make meaningless. */
export const positive: Shape = { _tag: "Positive" }
/** Nowhere falling in an argument. *When to use*: where theory has the sign, as of growth by food; `monotone` where it does not. */
export const increasing = (of: string): Shape => ({ _tag: "Increasing", of })
/** Nowhere rising in an argument. *When to use*: where theory has the sign, as of a force by distance. */
export const decreasing = (of: string): Shape => ({ _tag: "Decreasing", of })
/** Nowhere falling, or nowhere rising, in an argument. *When to use*: where the function must have an inverse, whatever the sign. */
export const monotone = (of: string): Shape => ({ _tag: "Monotone", of })
/** f(-x) = f(x). *When to use*: where directions count alike, as for drag by the size of a velocity. */
export const even = (of: string): Shape => ({ _tag: "Even", of })
/** f(-x) = -f(x). *When to use*: where the answer turns with its cause, as a restoring force. */
export const odd = (of: string): Shape => ({ _tag: "Odd", of })
/** f(x + period) = f(x). *When to use*: for angles and times of day or year. It is refuted by points, and never proved. */
export const periodic = (of: string, period: number): Shape => ({ _tag: "Periodic", of, period })
/**
 * The limit as an argument goes to 0 from above, or to infinity, whatever the others are. *When to use*: where a simpler law is known to
 * hold far out, as the ideal gas at low pressure: it rules out laws beyond the range of the rows.
 */
export const limit = (of: string, at: 0 | typeof Infinity, value: number): Shape => ({
  _tag: "Limit",
  of,
  at,
  value,
})

/**
 * The verdict on a shape: `proved`, `refuted` by an enclosure or by a point, or `open`. Proofs hold up to the rounding of elementary
 * functions.
 */
export type Verdict = "proved" | "refuted" | "open"

/** The values that arguments may have. */
export type Box = Readonly<Record<string, Interval.Interval>>

/** The most boxes that are looked at, and the relative size below which a difference is rounding. */
const [boxes, rounding] = [2000, 1e-9]

const enclosure = (term: Term.Term): ((box: Box) => Interval.Interval) => {
  const run = Term.interpret(Interval.algebra)(term)
  return (box) => run((name) => box[name] ?? Interval.whole)
}
const value = (term: Term.Term): ((at: Readonly<Record<string, number>>) => number) => {
  const run = Term.interpret(Term.arithmetic)(term)
  return (at) => run((name) => at[name] ?? Number.NaN)
}

const middle = (box: Box): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(box).map(([name, { low, high }]) => [name, (low + high) / 2]))

/** The two halves of a box along its widest side, relative to the whole box. */
const halves = (box: Box, all: Box): readonly [Box, Box] => {
  const width = (name: string): number =>
    (box[name]!.high - box[name]!.low) / (all[name]!.high - all[name]!.low || 1)
  const [first = "", ...others] = Object.keys(box)
  const side = others.reduce((widest, name) => (width(name) > width(widest) ? name : widest), first)
  const { low, high } = box[side]!
  const half = (low + high) / 2
  return [
    { ...box, [side]: { low, high: half } },
    { ...box, [side]: { low: half, high } },
  ]
}

/** Whether a term is at least 0, or above it, on a box: boxes are halved until enclosures or points decide. */
const sign = (term: Term.Term, box: Box, isStrict: boolean): Verdict => {
  const [within, at] = [enclosure(term), value(term)]
  const left: Array<Box> = [box]
  for (let looked = 0; looked < boxes; looked++) {
    const one = left.pop()
    if (one === undefined) return "proved"
    const { low } = within(one)
    if (isStrict ? low > 0 : low >= 0) continue
    const here = at(middle(one))
    if (isStrict ? here <= 0 : here < 0) return "refuted"
    left.push(...halves(one, box))
  }
  return "open"
}

type Parity = "even" | "odd" | "constant" | "none"

/** The parity of a term in one variable, as far as that of its parts says it. */
const parity = (of: string): ((term: Term.Term) => Parity) =>
  Term.fold<Parity>((layer) => {
    switch (layer._tag) {
      case "Constant":
        return "constant"
      case "Variable":
        return layer.name === of ? "odd" : "constant"
      case "Application":
        return layer.operands.every((one) => one === "constant")
          ? "constant"
          : layer.operands.includes("none") || layer.operands.includes("odd")
            ? "none"
            : "even"
      case "Unary": {
        const { argument, operation } = layer
        if (argument !== "odd") return argument
        if (["square", "abs", "cos"].includes(operation)) return "even"
        return ["neg", "sin", "tan", "tanh", "asin", "atan", "sign"].includes(operation) ? "odd" : "none"
      }
      case "Binary": {
        const { left, right, operation } = layer
        if (left === "none" || right === "none") return "none"
        if (operation === "mul" || operation === "div") {
          if (left === "constant") return right
          if (right === "constant") return left
          return left === right ? "even" : "odd"
        }
        if (left === right && (left !== "odd" || operation === "add" || operation === "sub")) return left
        // A constant is even.
        return left !== "odd" && right !== "odd" ? "even" : "none"
      }
    }
  })

/** Whether two functions of points agree on a grid of the box: refuted where they do not. */
const agree = (
  first: (at: Readonly<Record<string, number>>) => number,
  second: (at: Readonly<Record<string, number>>) => number,
  box: Box,
): boolean =>
  Array.from({ length: 9 }, (_, i) => (i + 0.5) / 9).every((share) => {
    const at = Object.fromEntries(
      Object.entries(box).map(([name, { low, high }]) => [name, low + share * (high - low)]),
    )
    const [a, b] = [first(at), second(at)]
    // A point where one of them has no value says nothing.
    return !(Math.abs(a - b) > rounding * (Math.abs(a) + Math.abs(b)))
  })

/** Exponents of ten that arguments go to on their way to a limit. */
const way = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const limits = (
  term: Term.Term,
  { of, at, value: goal }: Extract<Shape, { _tag: "Limit" }>,
  box: Box,
): Verdict => {
  const within = enclosure(term)
  for (const exponent of way) {
    const far = pow(10, exponent)
    const end = at === 0 ? { low: 0, high: 1 / far } : { low: far, high: Infinity }
    const { low, high } = within({ ...box, [of]: end })
    if (low > goal || high < goal) return "refuted"
    if (high - low <= rounding * Math.max(1, Math.abs(goal))) return "proved"
  }
  return "open"
}

/**
 * Whether a term has a shape on a box of its arguments. By interval arithmetic: `Positive`, and `Increasing`, `Decreasing` and `Monotone` of its
 * derivative, on all of the box; `Limit`, on a neighbourhood of the limit, to a relative 1e-9. By the parity of its parts: `Even` and `Odd`. `Periodic` is
 * never proved. A shape that is not proved is refuted by a point of the box, or open.
 */
export const test = (term: Term.Term, shape: Shape, box: Box): Verdict => {
  switch (shape._tag) {
    case "Positive":
      return sign(term, box, true)
    case "Increasing":
      return sign(Term.simplify(Term.derivative(term, shape.of)), box, false)
    case "Decreasing":
      return sign(Term.simplify(Term.neg(Term.derivative(term, shape.of))), box, false)
    case "Monotone": {
      const both = [increasing(shape.of), decreasing(shape.of)].map((one) => test(term, one, box))
      return both.includes("proved") ? "proved" : both.every((one) => one === "refuted") ? "refuted" : "open"
    }
    case "Limit":
      return limits(term, shape, box)
    case "Even":
    case "Odd": {
      const own = parity(shape.of)(term)
      if (own === (shape._tag === "Even" ? "even" : "odd") || (own === "constant" && shape._tag === "Even"))
        return "proved"
      const here = value(term)
      const other = shape._tag === "Even" ? 1 : -1
      const mirrored = (at: Readonly<Record<string, number>>): number =>
        other * here({ ...at, [shape.of]: -at[shape.of]! })
      return agree(here, mirrored, box) ? "open" : "refuted"
    }
    case "Periodic": {
      const here = value(term)
      const later = (at: Readonly<Record<string, number>>): number =>
        here({ ...at, [shape.of]: at[shape.of]! + shape.period })
      return agree(here, later, box) ? "open" : "refuted"
    }
  }
}
