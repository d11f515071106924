import * as Setting from "../../errors/Setting.ts"
import * as Term from "../../expr/Term.ts"
import type { Grammar } from "../Grammar.ts"
import type { Parts, Restriction } from "./Restriction.ts"
import { pow } from "../../numeric/Power.ts"

/**
 * A tree as far as its exponents go: a number, or a product of powers. Features have their names there; any other base has
 * none, and loses its power in products.
 */
type Value =
  | { readonly _tag: "Number"; readonly value: number }
  | { readonly _tag: "Powers"; readonly of: ReadonlyMap<string, number> }

const nameless = ""
const other: Value = { _tag: "Powers", of: new Map([[nameless, 1]]) }

const raised = (value: Value, by: number): Value =>
  value._tag === "Number"
    ? { _tag: "Number", value: pow(value.value, by) }
    : { _tag: "Powers", of: new Map([...value.of].map(([base, power]) => [base, power * by])) }

const times = (left: Value, right: Value): Value => {
  if (left._tag === "Number") return right
  if (right._tag === "Number") return left
  const of = new Map(left.of)
  for (const [base, power] of right.of) of.set(base, base === nameless ? 1 : (of.get(base) ?? 0) + power)
  return { _tag: "Powers", of: of.has(nameless) ? of.set(nameless, 1) : of }
}

/** The value of a term over the values of an operator's operands. */
const evaluate = (term: Term.Term, of: (name: string) => Value): Value => {
  switch (term._tag) {
    case "Constant":
      return { _tag: "Number", value: term.value }
    case "Variable":
      return of(term.name)
    case "Application":
      return other
    case "Unary": {
      const argument = evaluate(term.argument, of)
      if (argument._tag === "Number")
        return numeric(Term.unary(term.operation, Term.constant(argument.value)))
      if (term.operation === "square") return raised(argument, 2)
      if (term.operation === "sqrt") return raised(argument, 1 / 2)
      return term.operation === "neg" ? argument : other
    }
    case "Binary": {
      const [left, right] = [evaluate(term.left, of), evaluate(term.right, of)]
      if (left._tag === "Number" && right._tag === "Number")
        return numeric(Term.binary(term.operation, Term.constant(left.value), Term.constant(right.value)))
      if (term.operation === "mul") return times(left, right)
      if (term.operation === "div") return times(left, raised(right, -1))
      if (term.operation === "pow" && right._tag === "Number") return raised(left, right.value)
      return other
    }
  }
}

const numeric = (term: Term.Term<never>): Value => {
  const value = Term.interpret(Term.arithmetic)(term)(() => Number.NaN)
  return Number.isFinite(value) ? { _tag: "Number", value } : other
}

const keyOf = (value: Value): string =>
  value._tag === "Number"
    ? `n${value.value}`
    : [...value.of]
        .map(([base, power]) => `${base}^${power}`)
        .sort()
        .join(" ")

/** Powers are products of floating-point numbers. */
const rounding = 1e-9

const rule = ({ operators, terminals, features }: Grammar, isAllowed: (value: Value) => boolean): Parts => {
  const values: Array<Value> = []
  const states = new Map<string, number>()
  /** The states of results that are known, by operator, then by operands. */
  const results = operators.map(() => new Map<number, Map<number, number>>())
  const stateOf = (value: Value): number => {
    if (!isAllowed(value)) return Infinity
    const key = keyOf(value)
    const known = states.get(key)
    if (known !== undefined) return known
    states.set(key, values.length)
    return values.push(value) - 1
  }
  return {
    _tag: "Parts",
    leaf: (terminal, value) => {
      const { name, term, fitted } = terminals[terminal]!
      if (terminal < features.length) return stateOf({ _tag: "Powers", of: new Map([[name, 1]]) })
      // A fitted number without its value may have any.
      if (fitted !== undefined) return stateOf(value === undefined ? other : { _tag: "Number", value })
      return stateOf(evaluate(term, () => other))
    },
    over: (operator, left, right) => {
      const own = results[operator]!
      let row = own.get(left)
      if (row === undefined) own.set(left, (row = new Map()))
      const known = row.get(right)
      if (known !== undefined) return known
      const { term, number } = operators[operator]!
      const [x, y] = [values[left] ?? other, values[right] ?? other]
      const made = stateOf(
        // An operator over a number is a power, whatever its term.
        number === "y" && y._tag === "Number"
          ? raised(x, y.value)
          : evaluate(term, (name) => (name === "x" ? x : y)),
      )
      row.set(right, made)
      return made
    },
  }
}

/**
 * Excludes trees with a power outside of an interval, be its exponent fitted or exact: x^c, and x x x, (x^2)^2, 1 / x^4. Powers of features
 * are added up in products; those of other bases, as of a sine, are not. *When to use*: where large powers are implausible.
 *
 * @param least at most 1, the exponent of a feature that stands alone
 * @param most at least 1
 * @throws SettingError for an interval without 1
 */
export const exponents = (least: number, most: number): Restriction<never> => {
  if (!(least <= 1 && most >= 1))
    throw new Setting.SettingError({
      message: `exponents from ${least} to ${most}: the interval must have 1 in it, the exponent of a feature alone`,
    })
  const isAllowed = (value: Value): boolean =>
    value._tag === "Number" ||
    [...value.of.values()].every(
      (power) => Math.abs(power) <= rounding || (power >= least - rounding && power <= most + rounding),
    )
  return { name: `exponents from ${least} to ${most}`, rule: (grammar) => rule(grammar, isAllowed) }
}
