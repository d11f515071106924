import * as Term from "../expr/Term.ts"
import { untaken } from "../internal/untaken.ts"
import type * as DeclaredModel from "./DeclaredModel.ts"

/** A part of a term: a numeric factor times a function of columns, which a number does not have. */
interface Part {
  readonly factor: Term.Term
  readonly of: Term.Term | undefined
}

const one = Term.constant(1)
const isLiteral = (term: Term.Term, value: number): boolean =>
  term._tag === "Constant" && term.value === value
const number = (factor: Term.Term): Part => ({ factor, of: undefined })
const plain = (of: Term.Term): Part => ({ factor: one, of })

/** The product of two numbers, of which 1 is none. */
const times = (a: Term.Term, b: Term.Term): Term.Term =>
  isLiteral(a, 1) ? b : isLiteral(b, 1) ? a : Term.mul(a, b)
const over = (a: Term.Term, b: Term.Term): Term.Term => (isLiteral(b, 1) ? a : Term.div(a, b))

const negated = (term: Term.Term): Term.Term => {
  if (term._tag === "Constant") return Term.constant(-term.value)
  return term._tag === "Unary" && term.operation === "neg" ? term.argument : Term.neg(term)
}

const value = Term.interpret(Term.arithmetic)

/**
 * A formula with one number where several stand in each other's stead: exp(-(x - a)^2 / b^2) is exp(c (x - a)^2), and x / (2 b) is c x. It is the same function with
 * as many numbers, and the prior over trees has it as a search writes it.
 *
 * @returns undefined where it is written so already, or a number stands in two of these places
 */
export const condensed = (
  formula: DeclaredModel.Formula,
  features: ReadonlyArray<string>,
): DeclaredModel.Formula | undefined => {
  const { parts, names, values } = formula
  const at = (name: string): number => values[names.indexOf(name)] ?? Number.NaN
  /** the numbers that are written, by the terms that they stand for */
  const written = new Map<string, { readonly name: string; readonly of: Term.Term }>()
  const isFree = (term: Term.Term): boolean => Term.variables(term).length > 0
  const named = (term: Term.Term): Term.Term => {
    if (term._tag === "Unary" && term.argument._tag === "Variable" && term.operation === "neg")
      return Term.neg(named(term.argument))
    if (!isFree(term)) return Term.constant(value(term)(() => Number.NaN))
    const key = Term.key(term)
    const name =
      written.get(key)?.name ??
      (term._tag === "Variable" ? term.name : untaken(`number ${written.size}`, [...names, ...features]))
    written.set(key, { name, of: term })
    return Term.variable(name)
  }
  const whole = ({ factor, of }: Part): Term.Term => {
    if (of === undefined) return named(factor)
    if (isLiteral(factor, 1)) return of
    return isLiteral(factor, -1) ? Term.neg(of) : Term.mul(named(factor), of)
  }
  const product = (left: Part, right: Part): Part => ({
    factor: times(left.factor, right.factor),
    of: left.of === undefined || right.of === undefined ? (left.of ?? right.of) : Term.mul(left.of, right.of),
  })
  const quotient = (left: Part, right: Part): Part => {
    const factor = over(left.factor, right.factor)
    if (right.of === undefined) return { factor, of: left.of }
    return left.of === undefined
      ? plain(Term.div(named(factor), right.of))
      : { factor, of: Term.div(left.of, right.of) }
  }
  const read = Term.fold<Part>((layer) => {
    if (layer._tag === "Constant") return number(layer)
    if (layer._tag === "Variable")
      return features.includes(layer.name) ? plain(layer) : number(Term.variable(layer.name))
    if (Term.children<Part>(layer).every(({ of }) => of === undefined))
      return number(Term.mapLayer(({ factor }: Part) => factor)(layer))
    if (layer._tag === "Unary" && layer.argument.of !== undefined) {
      const { factor, of } = layer.argument
      if (layer.operation === "neg") return { factor: negated(factor), of }
      if (layer.operation === "square" && isFree(factor))
        return { factor: Term.square(factor), of: Term.square(of) }
    }
    if (layer._tag === "Binary" && layer.operation === "mul") return product(layer.left, layer.right)
    if (layer._tag === "Binary" && layer.operation === "div") return quotient(layer.left, layer.right)
    return plain(Term.mapLayer(whole)(layer))
  })
  const terms = parts.terms.map(({ coefficient, term }) => ({ coefficient, term: whole(read(term)) }))
  const changed = [...written.values()].filter(({ of }) => of._tag !== "Variable")
  const own = [...written.values()].flatMap(({ of }) => Term.variables(of))
  if (changed.length === 0 || new Set(own).size < own.length) return undefined
  return {
    parts: { ...parts, terms },
    names: [...names, ...changed.map(({ name }) => name)],
    values: Float64Array.of(...values, ...changed.map(({ of }) => value(of)(at))),
  }
}
