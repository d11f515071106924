import * as Term from "../../expr/Term.ts"
import { binaryOperations, eachOperation, unaryOperations } from "../../expr/term/operations.ts"
import type { BinaryOperation, UnaryOperation } from "../../expr/term/TermF.ts"
import { extremes } from "../../numeric/extremes.ts"
import { pow } from "../../numeric/Power.ts"

/** A part of a formula on some rows: its values, or a number that has none yet. */
type Part = Float64Array | { readonly open: string }

/** The range of values that a number stands beside. */
interface Range {
  readonly low: number
  readonly high: number
  /** the largest magnitude, above 0 */
  readonly reach: number
}

const arithmetic = Term.protect(Term.arithmetic)

/** The range of the finite values of a column. */
const rangeOf = (values: Float64Array): Range => {
  const { low, high } = extremes(values) ?? { low: 0, high: 1 }
  return { low, high, reach: Math.max(Math.abs(low), Math.abs(high)) || 1 }
}

/**
 * Draws rough values of a formula's numbers by the values that they stand beside: a number that is taken from x lies about where x does,
 * one that x is multiplied with gives a product of about 1, an exponent is of size 1. So a peak is tried where there are rows, and a rate
 * at the scale of its column, whatever the units.
 *
 * @param columns the formula's other variables by name, on the rows that are looked at; of one length, at least 1
 * @returns a function of uniform draws from [0, 1): the value of each name that the formula has; a name that stands alone has 1
 */
export const roughValues = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  columns: ReadonlyMap<string, Float64Array>,
): ((next: () => number) => ReadonlyMap<string, number>) => {
  const rows = [...columns.values()][0]?.length ?? 1
  /** the numbers of a draw so far, and where it draws from */
  let [drawn, next] = [new Map<string, number>(), (): number => 0.5]
  const full = (value: number): Float64Array => new Float64Array(rows).fill(value)
  const known = (part: Part, draw: () => number): Float64Array => {
    if (part instanceof Float64Array) return part
    const value = drawn.get(part.open) ?? draw()
    drawn.set(part.open, value)
    return full(value)
  }
  const sign = (): number => (next() < 0.7 ? 1 : -1)
  const size = (low: number, high: number): number => pow(10, low + (high - low) * next())
  /** A number before or after values, by the operation. */
  const beside = (operation: BinaryOperation, first: boolean, values: Float64Array): number => {
    const { low, high, reach } = rangeOf(values)
    const inside = low + (high - low) * (1.2 * next() - 0.1)
    switch (operation) {
      case "add":
      case "sub":
        // Half of them where the sum changes its sign, half of the size of the values.
        return next() < 0.5
          ? operation === "add"
            ? -inside
            : inside
          : sign() * (operation === "add" || !first ? 1 : -1) * reach * size(-1.5, 1.5)
      case "div":
      case "pdiv":
        return sign() * reach * (first ? size(-1.5, 1.5) : size(-3, 1))
      case "pow":
        return first ? size(-1, 1) : sign() * size(-0.5, 0.7)
      default:
        return (sign() * size(-1, 1.5)) / reach
    }
  }
  const unary = (operation: UnaryOperation) => (x: Part) =>
    known(x, () => sign() * size(-1, 1)).map((value) => arithmetic.unary[operation](value))
  const binary = (operation: BinaryOperation) => (x: Part, y: Part) => {
    const left = known(x, () =>
      beside(
        operation,
        true,
        known(y, () => 1),
      ),
    )
    const right = known(y, () => beside(operation, false, left))
    return left.map((value, i) => arithmetic.binary[operation](value, right[i]!))
  }
  const run = Term.interpretWith<Part>({
    literal: full,
    unary: eachOperation(unaryOperations, unary),
    binary: eachOperation(binaryOperations, binary),
  })(formula)
  return (source) => {
    ;[drawn, next] = [new Map(), source]
    const whole = run((name) => columns.get(name) ?? { open: name })
    if (!(whole instanceof Float64Array)) drawn.set(whole.open, 1)
    return new Map(names.map((name) => [name, drawn.get(name) ?? 1]))
  }
}
