import * as Term from "../Term.ts"

/** A function of the text notation: how many arguments it takes and the term that it makes of them. */
export type TextFunction =
  | { readonly arity: 1; readonly build: (argument: Term.Term) => Term.Term }
  | { readonly arity: 2; readonly build: (left: Term.Term, right: Term.Term) => Term.Term }

const one = (build: (argument: Term.Term) => Term.Term): TextFunction => ({ arity: 1, build })
const two = (build: (left: Term.Term, right: Term.Term) => Term.Term): TextFunction => ({ arity: 2, build })

export const numbers: ReadonlyMap<string, number> = new Map([["pi", Math.PI]])

const namesOfNumbers: ReadonlyMap<number, string> = new Map(
  Array.from(numbers, ([name, value]) => [value, name]),
)

/** The name of a number; undefined for most. */
export const numberName = (value: number): string | undefined => namesOfNumbers.get(value)

/** The functions by name. Every operation without a sign of its own is here; the rest are other usual spellings. */
export const functions: ReadonlyMap<string, TextFunction> = new Map([
  ["sqrt", one(Term.sqrt)],
  ["abs", one(Term.abs)],
  ["sign", one(Term.sign)],
  ["exp", one(Term.exp)],
  ["log", one(Term.log)],
  ["sin", one(Term.sin)],
  ["cos", one(Term.cos)],
  ["tan", one(Term.tan)],
  ["tanh", one(Term.tanh)],
  ["asin", one(Term.asin)],
  ["acos", one(Term.acos)],
  ["atan", one(Term.atan)],
  ["guard", one(Term.guard)],
  ["psqrt", one(Term.psqrt)],
  ["plog", one(Term.plog)],
  ["pexp", one(Term.pexp)],
  ["pinv", one(Term.pinv)],
  ["pow", two(Term.pow)],
  ["min", two(Term.min)],
  ["max", two(Term.max)],
  ["pdiv", two(Term.pdiv)],
  ["square", one(Term.square)],
  ["inv", one(Term.inv)],
  ["ln", one(Term.log)],
  ["arcsin", one(Term.asin)],
  ["arccos", one(Term.acos)],
  ["arctan", one(Term.atan)],
])
