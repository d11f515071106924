import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { meant } from "../../internal/nearest.ts"
import * as Operator from "../Operator.ts"
import * as Term from "../Term.ts"
import { functions, numbers, type TextFunction } from "./functions.ts"
import { tokens, type Token } from "./lexer.ts"

/** A text that is not a formula. `message` has the expected words and the column, and shows the text. */
export class TermParseError extends Schema.TaggedError<TermParseError>()("TermParseError", {
  message: Schema.String,
  /** The text that was read. */
  text: Schema.String,
  /** The offset in `text`, from 0, of the unreadable word; the column in the message counts from 1. */
  position: Schema.Int,
  /** The words that would be allowed there. */
  expected: Schema.String,
}) {}

/** How deep a formula may nest: bounds the recursion, here and in every fold over the result. */
const deepest = 1000

/** The text; of a long text, the part around the position. */
const excerpt = (text: string, position: number): string => {
  const from = Math.max(0, position - 40)
  const to = position + 40
  return `${from > 0 ? "..." : ""}${text.slice(from, to)}${to < text.length ? "..." : ""}`
}

/** A recursive-descent parser over one text. It throws the error that `parse` returns. */
const read = (text: string, { operators = [], uses }: ParseOptions): Term.Term => {
  const words = tokens(text)
  const end: Token = { kind: "end", text: "", position: text.length }
  const depths = new WeakMap<Term.Term, number>()
  let index = 0
  let nesting = 0

  const word = (ahead = 0): Token => words[index + ahead] ?? end
  const sees = (sign: string, ahead = 0): boolean => word(ahead).kind === "sign" && word(ahead).text === sign
  const accept = (sign: string): boolean => {
    const seen = sees(sign)
    if (seen) index += 1
    return seen
  }
  const fail = (expected: string): never => {
    const { position } = word()
    const message = `expected ${expected} at column ${position + 1}: "${excerpt(text, position)}"`
    throw new TermParseError({ message, text, position, expected })
  }
  const expect = (sign: string, reason = ""): void => {
    if (!accept(sign)) fail(`"${sign}"${reason}`)
  }

  const bounded = (term: Term.Term): Term.Term => {
    const depth = 1 + Math.max(0, ...Term.children(term).map((child) => depths.get(child) ?? 0))
    if (depth > deepest) fail(`a formula at most ${deepest} operations deep`)
    depths.set(term, depth)
    return term
  }
  const nested = (production: () => Term.Term): Term.Term => {
    nesting += 1
    if (nesting > deepest) fail(`a formula at most ${deepest} brackets deep`)
    const term = production()
    nesting -= 1
    return term
  }

  const constant = (sign: 1 | -1): Term.Term => {
    const value = Number(word().text)
    if (!Number.isFinite(value)) fail("a number below 1.8e308")
    index += 1
    return Term.constant(sign * value)
  }

  /** -2 is a constant, while -2^x is -(2^x). */
  const seesNegativeNumber = (): boolean => sees("-") && word(1).kind === "number" && !sees("^", 2)

  const sum = (): Term.Term => {
    let left: Term.Term
    if (!seesNegativeNumber() && accept("-")) left = bounded(Term.neg(product()))
    else left = product()
    while (true) {
      if (accept("+")) left = bounded(Term.add(left, product()))
      else if (accept("-")) left = bounded(Term.sub(left, product()))
      else return left
    }
  }

  const product = (): Term.Term => {
    let left = factor()
    while (true) {
      if (accept("*")) left = bounded(Term.mul(left, factor()))
      else if (accept("/")) left = bounded(Term.div(left, factor()))
      else return left
    }
  }

  const factor = (): Term.Term => {
    if (seesNegativeNumber()) {
      index += 1
      return constant(-1)
    }
    if (accept("-")) return bounded(Term.neg(nested(factor)))
    if (accept("+")) return nested(factor)
    return power()
  }

  const power = (): Term.Term => {
    const base = primary()
    if (!accept("^")) return base
    const exponent = nested(factor)
    const square = exponent._tag === "Constant" && exponent.value === 2
    return bounded(square ? Term.square(base) : Term.pow(base, exponent))
  }

  const primary = (): Term.Term => {
    const { kind, text: content } = word()
    if (kind === "number") return constant(1)
    if (kind === "quoted" || kind === "name") {
      index += 1
      const called = (kind === "name" ? functions.get(content) : undefined) ?? operatorOf(content)
      if (called !== undefined) return bounded(call(content, called))
      if (sees("(") && uses !== undefined) return bounded(use(index - 1, uses))
      if (sees("(")) fail(`an operator ("${content}" is not a function${like(content)})`)
      const value = kind === "name" ? numbers.get(content) : undefined
      return value === undefined ? Term.variable(content) : Term.constant(value)
    }
    if (!accept("(")) return fail('a number, a name or "("')
    const inner = nested(sum)
    expect(")")
    return inner
  }

  /** The function that a name was probably meant to be, as a part of a sentence. */
  const like = (name: string): string =>
    meant(name, [...functions.keys(), ...operators.map((one) => one.name)], { quote: String })

  /** An operator as a function, where its name stands before a bracket. */
  const operatorOf = (name: string): TextFunction | undefined => {
    const operator = sees("(") ? operators.find((one) => one.name === name) : undefined
    if (operator === undefined) return undefined
    return operator.arity === 1
      ? { arity: 1, build: (x) => Operator.applyByName(operator, [x]) }
      : { arity: 2, build: (x, y) => Operator.applyByName(operator, [x, y]) }
  }

  /** A function of unknown form before a bracket: `f`, or its derivative `D(f)` or `D(f, 2)`. */
  const head = (): Pick<FunctionUse, "name" | "by"> => {
    const { kind, text: name } = word()
    if (kind !== "name" && kind !== "quoted") fail("the name of a function of unknown form, as in D(f)(t)")
    index += 1
    if (!(kind === "name" && name === derivative && accept("("))) return { name, by: [] }
    const of = head()
    const { text: digits } = word()
    const place = accept(",") ? Number(word().text) : 1
    if (digits === "," && !(word().kind === "number" && Number.isInteger(place) && place >= 1))
      fail("the number of the argument that it is derived by, as in D(f, 2)(t, x)")
    if (digits === ",") index += 1
    expect(")")
    return { name: of.name, by: [...of.by, place] }
  }

  /** @param start the index of its first word */
  const use = (start: number, build: NonNullable<ParseOptions["uses"]>): Term.Term => {
    index = start
    const { name, by } = head()
    expect("(", by.length > 0 ? ` (a derivative has arguments, as in D(${name})(t))` : "")
    const of = [nested(sum)]
    while (accept(",")) of.push(nested(sum))
    expect(")")
    const built = build({ name, by, of })
    if (Result.isSuccess(built)) return built.success
    index = start
    return fail(built.failure)
  }

  const call = (name: string, { arity, build }: TextFunction): Term.Term => {
    expect("(", ` (${name} is a function; a variable of that name is written \`${name}\`)`)
    const first = nested(sum)
    if (arity === 1) {
      expect(")", ` (${name} takes one argument)`)
      return build(first)
    }
    expect(",", ` (${name} takes two arguments)`)
    const second = nested(sum)
    expect(")", ` (${name} takes two arguments)`)
    return build(first, second)
  }

  const term = sum()
  return word().kind === "end" ? term : fail("an operator or the end")
}

/** The name before a bracket of a derivative: `D(f)(t)`. */
const derivative = "D"

/** A function of unknown form at its arguments. */
export interface FunctionUse {
  readonly name: string
  /** the places of the arguments that it is derived by, from 1, in order; empty for the function itself */
  readonly by: ReadonlyArray<number>
  readonly of: ReadonlyArray<Term.Term>
}

export interface ParseOptions {
  /** Operators that the formula may have by their names, as functions: `softplus(x)`; none by default. */
  readonly operators?: ReadonlyArray<Operator.Operator>
  /**
   * What a name before a bracket stands for that is no function: a term, or a failure with the text that was expected in its place. `D(f)(t)` is the derivative of f
   * by its first argument, `D(f, 2)(t, x)` by its second. Without it such a name is an error.
   */
  readonly uses?: ((use: FunctionUse) => Result.Result<Term.Term, string>) | undefined
}

/**
 * Reads a formula: numbers (`2`, `.5`, `1e-7`), names, `+ - * /`, powers as `^` or `**`, brackets, and the functions
 * that `infix` writes, with `ln`, `arcsin`, `arccos`, `arctan`, `square` and `inv` besides. Any text is a name in
 * backticks; `pi` is the number, and a variable of that name stands in them. Nothing is implied: `2x` is an error.
 * `-x^2` is -(x^2), `x^y^z` is x^(y^z), `x^2` is `square(x)`.
 *
 * Fails with a `TermParseError`: `expected a number, a name or "(" at column 5: "sin()"`.
 *
 * @example
 * parse("2*sin(omega*t)") // Result.succeed(mul(2, sin(mul(omega, t))))
 */
export const parse = (text: string, options: ParseOptions = {}): Result.Result<Term.Term, TermParseError> => {
  try {
    return Result.succeed(read(text, options))
  } catch (error) {
    if (error instanceof TermParseError) return Result.fail(error)
    throw error
  }
}
