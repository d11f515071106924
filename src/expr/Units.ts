import Quantities from "js-quantities"
import * as Result from "effect/Result"
import { UnitError } from "../errors/Errors.ts"
import { meant } from "../internal/nearest.ts"
import * as Dimension from "./Dimension.ts"
import { parse as parseTerm } from "./text/parse.ts"
import { interpretWith, type TermAlgebra } from "./term/Interpret.ts"
import * as Unit from "./Unit.ts"
import * as Real from "../numeric/Real.ts"

export { format, type Unit, type Units } from "./Unit.ts"

const symbols: Readonly<Record<string, string>> = {
  "<kilogram>": "kg",
  "<meter>": "m",
  "<second>": "s",
  "<ampere>": "A",
  "<kelvin>": "K",
  "<mole>": "mol",
  "<candela>": "cd",
  "<byte>": "byte",
  "<dollar>": "USD",
}
/** Units that count, and angles, are pure numbers. */
const pure = new Set(["<1>", "<radian>", "<steradian>", "<each>"])
/** Names of units, with the names that js-quantities has for them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["K", "degK"],
  ["lx", "lux"],
  ["Å", "angstrom"],
  ["Ω", "ohm"],
  ["kΩ", "kohm"],
  ["MΩ", "Mohm"],
  // A column of temperatures is one of points of the scale, and not of differences.
  ["degC", "tempC"],
  ["celsius", "tempC"],
  ["degF", "tempF"],
  ["fahrenheit", "tempF"],
])

const complain = (message: string): never => {
  throw new UnitError({ message })
}

/** Names that a wrong one may stand for: the units and their symbols. */
const names = (): ReadonlyArray<string> => [
  ...aliases.keys(),
  ...Quantities.getUnits().flatMap((unit) => [unit, ...Quantities.getAliases(unit)]),
]

/** One unit by its name, prefix included. */
const named = (name: string): Unit.Unit => {
  let base
  try {
    base = Quantities(1, aliases.get(name) ?? name).toBase()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return complain(`there is no unit ${JSON.stringify(name)}${meant(name, names())}`)
  }
  const powers: Record<string, number> = {}
  const count = (bases: ReadonlyArray<string>, by: 1 | -1): void => {
    for (const one of bases) {
      if (pure.has(one)) continue
      if (one.startsWith("<temp-"))
        complain(
          `the unit ${JSON.stringify(name)} has another zero than K; convert the column to K, or leave its unit out`,
        )
      const symbol = symbols[one] ?? one.slice(1, -1)
      powers[symbol] = (powers[symbol] ?? 0) + by
    }
  }
  count(base.numerator, 1)
  count(base.denominator, -1)
  for (const symbol of Object.keys(powers)) if (powers[symbol] === 0) delete powers[symbol]
  return { powers, logFactor: Real.log(base.scalar) }
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** A unit as a formula: products with signs, powers with carets. */
const formula = (text: string): string => {
  const plain = text
    .replaceAll(
      /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
      (digits) =>
        `^${Array.from(digits, (one) => (one === "⁻" ? "-" : String(superscripts.indexOf(one)))).join("")}`,
    )
    .replaceAll("μ", "µ")
    .replaceAll(/°\s*([CF])/g, "deg$1")
    .replaceAll("°", "deg")
    .replaceAll("%", "percent")
    .replaceAll(/[·⋅×∙]/g, "*")
    // m2 and s-1 are powers.
    .replaceAll(/(\p{L})(-?\d)/gu, "$1^$2")
    .replaceAll(/\s*([*/^()])\s*/g, "$1")
    .replaceAll(/(?<=[\p{L}\d)])\.(?=[\p{L}(])/gu, " ")
  if (/\/[^\s*/()]+[\s(]/.test(plain.replaceAll(/\([^()]*\)/g, (inside) => "x".repeat(inside.length))))
    return complain(
      `${JSON.stringify(text)} has two readings; write the divisor in brackets, as in "J/(mol K)"`,
    )
  return (
    plain
      .replaceAll(/\s+/g, "*")
      .replaceAll(/\)(?=[\p{L}(\d])|(?<=[\p{L}\d])\(/gu, (sign) => (sign === ")" ? ")*" : "*("))
      // In quotes "min" is a name, and no function.
      .replaceAll(/(?<![\d.])\p{L}+/gu, "`$&`")
  )
}

/**
 * A unit from its text: SI units and others in common use, with prefixes, powers and quotients. "1" and "-" are pure numbers. Angles are
 * pure numbers too, in radians.
 *
 * @throws UnitError for a text that is no unit, with the nearest known one
 *
 * @example
 * Units.parse("kg m^2/s^2") // { powers: { kg: 1, m: 2, s: -2 }, logFactor: 0 }, that of "J"
 */
export const parse = (text: string): Unit.Unit => {
  const trimmed = text.trim()
  if (trimmed === "" || trimmed === "-") return Unit.none
  const read = parseTerm(formula(trimmed))
  if (Result.isFailure(read))
    return complain(`${JSON.stringify(trimmed)} is no unit; write it as in "kg m^2/s^2"`)
  const found = interpretWith(factors)(read.success)((name) => Dimension.quantity(named(name)))
  if (found?._tag !== "Quantity")
    return complain(
      `${JSON.stringify(trimmed)} is no unit: units are multiplied, divided, and raised to powers`,
    )
  return found.unit
}

/** Units are multiplied: a number is a factor of the unit. */
const factors: TermAlgebra<Dimension.Checked> = {
  ...Dimension.algebra,
  literal: (value) =>
    value > 0
      ? Dimension.quantity({ powers: {}, logFactor: Real.log(value) }, value)
      : Dimension.algebra.literal(value),
  binary: {
    ...Dimension.algebra.binary,
    add: () => undefined,
    sub: () => undefined,
    pow: (x, y) => {
      if (x?._tag !== "Quantity" || y?._tag !== "Quantity" || y.value === undefined) return undefined
      const unit = Unit.power(x.unit, y.value)
      return unit && Dimension.quantity(unit)
    },
  },
}

/**
 * The units of columns.
 *
 * @param texts unit by name of column, features and target; columns that are not named may have any unit
 * @param numbers "dimensionless" where every constant of nature is a column, "free" where coefficients have units, "either" (the default) where the
 *   data are to say which
 * @throws UnitError with the name of the column whose unit is none
 *
 * @example
 * Units.of({ mass: "kg", velocity: "m/s", energy: "J" })
 */
export const of = (
  texts: Readonly<Record<string, string>>,
  { numbers = "either" }: { readonly numbers?: Unit.Units["numbers"] | undefined } = {},
): Unit.Units => ({
  columns: Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      try {
        return [name, parse(text)]
      } catch (error) {
        throw error instanceof UnitError
          ? new UnitError({ message: `column ${JSON.stringify(name)}: ${error.message}` })
          : error
      }
    }),
  ),
  numbers,
})
