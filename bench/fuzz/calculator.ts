/**
 * A second reader of formulas, which shares nothing with `expr/text/parse`: one pattern splits the text, two stacks order the operations
 * (Dijkstra's shunting yard), and numbers are computed at once instead of a term. What the two disagree on is a fault of one of them.
 */
import { pow } from "../../src/numeric/Power.ts"

/** The value of a formula; `refused` where it is none; `unclear` where the sign of a zero, or the last digit of a square, decides on it. */
export type Reading =
  | { readonly _tag: "value"; readonly value: number }
  | { readonly _tag: "refused" }
  | { readonly _tag: "unclear" }

const word =
  /\s+|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{M}\p{N}_]*)|`((?:[^`]|``)*)`|(\*\*|[-+*/^(),])|([^])/gu

const guard = (x: number): number => (x >= 0 ? Math.max(x, 1e-6) : Math.min(x, -1e-6))

/** The meanings of the reference page of formulas. */
const unary: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  exp: Math.exp,
  log: Math.log,
  ln: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  tanh: Math.tanh,
  asin: Math.asin,
  arcsin: Math.asin,
  acos: Math.acos,
  arccos: Math.acos,
  atan: Math.atan,
  arctan: Math.atan,
  guard,
  psqrt: (x) => Math.sqrt(Math.abs(x) + 1e-12),
  plog: (x) => Math.log(Math.max(Math.abs(x), 1e-6)),
  pexp: (x) => Math.exp(Math.min(Math.max(x, -20), 20)),
  pinv: (x) => 1 / guard(x),
  square: (x) => x * x,
  inv: (x) => 1 / x,
}
const binary: Readonly<Record<string, (x: number, y: number) => number>> = {
  pow,
  min: (x, y) => Math.min(x, y),
  max: (x, y) => Math.max(x, y),
  pdiv: (x, y) => x / guard(y),
}

/** The value that a variable has: a number between 0.5 and 2.5 that its name decides. */
export const valueOf = (name: string): number => {
  let mixed = 7
  for (const unit of name) mixed = (31 * mixed + (unit.codePointAt(0) ?? 0)) % 65_521
  return 0.5 + (2 * mixed) / 65_521
}

type Waiting =
  | { readonly _tag: "sign"; readonly sign: string; readonly strength: number }
  | { readonly _tag: "bracket"; readonly called: string | undefined; arguments: number }

/** Signs by how strongly they bind; those of one operand bind as products do, and to their right. */
const strengths: Readonly<Record<string, number>> = { "+": 1, "-": 1, "*": 2, "/": 2, negative: 3, "^": 4 }

class Refused extends Error {}

/** What the reader of formulas may do either way. */
interface Way {
  /** whether x^2 is x*x, or a power as others */
  readonly square: boolean
  /** which negatives of 0 are 0, and not -0: a written number has one zero, and a computed one has two */
  readonly zero: "written" | "all" | "none"
}

const compute = (text: string, { square, zero }: Way): number => {
  const values: Array<number> = []
  const waiting: Array<Waiting> = []
  let operandNext = true
  /** The function that the next bracket is of. */
  let called: string | undefined

  const refuse = (): never => {
    throw new Refused()
  }
  const take = (): number => values.pop() ?? refuse()
  const apply = (sign: string): void => {
    const right = take()
    if (sign === "negative") return void values.push(zero === "all" && right === 0 ? 0 : -right)
    const left = take()
    if (sign === "+") values.push(left + right)
    if (sign === "-") values.push(left - right)
    if (sign === "*") values.push(left * right)
    if (sign === "/") values.push(left / right)
    if (sign === "^") values.push(square && right === 2 ? left * left : pow(left, right))
  }
  /** Does what binds as strongly as `strength`, back to a bracket. */
  const settle = (strength: number): void => {
    for (
      let last = waiting.at(-1);
      last?._tag === "sign" && last.strength >= strength;
      last = waiting.at(-1)
    ) {
      waiting.pop()
      apply(last.sign)
    }
  }
  const operand = (value: number): void => {
    if (!operandNext || called !== undefined) refuse()
    values.push(value)
    operandNext = false
  }
  const open = (): void => {
    if (!operandNext) refuse()
    waiting.push({ _tag: "bracket", called, arguments: 1 })
    called = undefined
  }
  const bracket = (): Extract<Waiting, { _tag: "bracket" }> => {
    if (operandNext) refuse()
    settle(0)
    const last = waiting.at(-1)
    return last?._tag === "bracket" ? last : refuse()
  }
  const close = (): void => {
    const { called: name, arguments: count } = bracket()
    waiting.pop()
    if (name === undefined) return
    const right = take()
    const one = Object.hasOwn(unary, name) ? unary[name] : undefined
    const two = Object.hasOwn(binary, name) ? binary[name] : undefined
    if (one !== undefined && count === 1) values.push(one(right))
    else if (two !== undefined && count === 2) values.push(two(take(), right))
    else refuse()
  }
  const sign = (content: string): void => {
    const own = content === "**" ? "^" : content
    if (operandNext) {
      // A sign of one operand waits for it; what stands before it waits, too.
      if (own === "-") waiting.push({ _tag: "sign", sign: "negative", strength: strengths["negative"] ?? 0 })
      else if (own !== "+") refuse()
      return
    }
    const strength = strengths[own] ?? 0
    // A power stands at the right of another first.
    settle(own === "^" ? strength + 1 : strength)
    waiting.push({ _tag: "sign", sign: own, strength })
    operandNext = true
  }

  const words = [...text.matchAll(word)].filter(([whole]) => whole.trim() !== "")
  for (const [at, [, number, name, quoted, mark, other]] of words.entries()) {
    const before = words[at + 1]?.[4] === "("
    if (called !== undefined && mark !== "(") refuse()
    if (other !== undefined) refuse()
    if (number !== undefined) {
      if (!Number.isFinite(Number(number))) refuse()
      operand(Number(number))
    } else if (name !== undefined) {
      if (Object.hasOwn(unary, name) || Object.hasOwn(binary, name)) {
        if (!operandNext) refuse()
        called = name
      } else if (before) refuse()
      else operand(name === "pi" ? Math.PI : valueOf(name))
    } else if (quoted !== undefined) {
      if (before) refuse()
      operand(valueOf(quoted.replaceAll("``", "`")))
    } else if (mark === "(") open()
    else if (mark === ")") close()
    else if (mark === ",") {
      const last = bracket()
      if (last.called === undefined) refuse()
      last.arguments += 1
      operandNext = true
    } else if (
      operandNext &&
      mark === "-" &&
      zero === "written" &&
      Number(words[at + 1]?.[1] ?? 1) === 0 &&
      !["^", "**"].includes(words[at + 2]?.[4] ?? "")
    )
      continue
    else sign(mark ?? refuse())
  }
  if (operandNext || called !== undefined) refuse()
  settle(0)
  return waiting.length === 0 && values.length === 1 ? take() : refuse()
}

/** Whether two numbers are the same up to the order of their roundings. */
export const near = (a: number, b: number): boolean =>
  Object.is(a, b) ||
  a === b ||
  (Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)))

/** Reads a formula and computes it, its variables being `valueOf` their names. */
export const calculate = (text: string): Reading => {
  try {
    const [value = NaN, ...others] = [true, false].flatMap((square) =>
      (["written", "all", "none"] as const).map((zero) => compute(text, { square, zero })),
    )
    return others.every((other) => near(value, other)) ? { _tag: "value", value } : { _tag: "unclear" }
  } catch (error) {
    if (error instanceof Refused) return { _tag: "refused" }
    throw error
  }
}
