import * as Real from "../numeric/Real.ts"

/**
 * Units as data: base units to powers. `Units` reads them from texts.
 */

/** The unit of a quantity: base units to rational powers, times a factor. */
export interface Unit {
  /** The power of each base unit by its symbol, such as `{ kg: 1, m: 1, s: -2 }`; powers of 0 are left out. */
  readonly powers: Readonly<Record<string, number>>
  /** The natural logarithm of the factor: 0 for a newton, log 0.001 for a millimetre. */
  readonly logFactor: number
}

/** The unit of a pure number. */
export const none: Unit = { powers: {}, logFactor: 0 }

/** The units of a table, plain data. */
export interface Units {
  /** By the name of the column. A column without a unit may have any. */
  readonly columns: Readonly<Record<string, Unit>>
  /**
   * Whether coefficients and fitted numbers have units of their own, or are pure numbers, or which of both is not known: then a law has
   * either with probability 1/2 (`PureNumbers`). Exact numbers inside of terms, such as 2 and pi, are always pure.
   */
  readonly numbers: "free" | "dimensionless" | "either"
  /** the column that the law explains, where it is known */
  readonly target?: string | undefined
}

/** The unit of a column; undefined for one without a unit, whatever its name is. */
export const ofColumn = ({ columns }: Pick<Units, "columns">, name: string): Unit | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined

/** Base units in the order of texts; others come last. */
const order: ReadonlyArray<string> = ["kg", "m", "s", "A", "K", "mol", "cd"]

/** The power of a unit has a denominator that divides this one; an irrational power is none. */
const denominator = 20_160
const rational = (power: number): number | undefined => {
  const whole = Math.round(power * denominator)
  return Math.abs(power * denominator - whole) <= 1e-6 ? whole / denominator : undefined
}
/** Factors are equal if their logarithms differ by less. */
export const closeness = 1e-9

/** A unit to a power; undefined for a power that is not rational. */
export const power = ({ powers, logFactor }: Unit, by: number): Unit | undefined => {
  const found: Record<string, number> = {}
  for (const [base, own] of Object.entries(powers)) {
    const next = rational(own * by)
    if (next === undefined) return undefined
    if (next !== 0) found[base] = next
  }
  return { powers: found, logFactor: logFactor * by }
}

/** The product of units. */
export const times = (a: Unit, b: Unit): Unit => {
  const powers: Record<string, number> = { ...a.powers }
  for (const [base, own] of Object.entries(b.powers)) {
    const sum = rational((powers[base] ?? 0) + own) ?? 0
    if (sum === 0) delete powers[base]
    else powers[base] = sum
  }
  return { powers, logFactor: a.logFactor + b.logFactor }
}

/** Whether two units are of one dimension, whatever their factors. */
export const alike = (a: Unit, b: Unit): boolean => {
  for (const base in a.powers) if (a.powers[base] !== b.powers[base]) return false
  for (const base in b.powers) if (a.powers[base] === undefined) return false
  return true
}
/** Whether the factors of two units are equal, or one of them is any. */
export const sameFactor = (a: Unit, b: Unit): boolean => !(Math.abs(a.logFactor - b.logFactor) > closeness)
/** Whether a unit is another one to some power but 0, up to factors. */
export const parallel = (a: Unit, b: Unit): boolean => {
  const [base] = Object.keys(b.powers)
  const by = base === undefined ? undefined : (a.powers[base] ?? 0) / b.powers[base]!
  return (
    by !== undefined &&
    by !== 0 &&
    Object.keys({ ...a.powers, ...b.powers }).every(
      (one) => Math.abs((a.powers[one] ?? 0) - by * (b.powers[one] ?? 0)) <= closeness,
    )
  )
}

/**
 * A unit as text, in base units: "kg m^2 s^-2"; "1" for pure numbers. A factor stands before them.
 *
 * @example
 * Units.format(Units.parse("N/mm")) // "1000 kg s^-2"
 */
export const format = ({ powers, logFactor }: Unit): string => {
  const factor = Number(Real.exp(logFactor).toPrecision(9))
  const place = (symbol: string): number => (order.includes(symbol) ? order.indexOf(symbol) : order.length)
  const bases = Object.entries(powers)
    .sort(([a], [b]) => place(a) - place(b))
    .map(([symbol, by]) => (by === 1 ? symbol : `${symbol}^${Number(by.toPrecision(6))}`))
  return [...(factor === 1 && bases.length > 0 ? [] : [String(factor)]), ...bases].join(" ")
}

/** Whether a unit is a product of powers of others, up to a factor: by elimination, one base unit after the other. */
export const spans = (units: ReadonlyArray<Unit>, unit: Unit): boolean => {
  const bases = [...new Set([...units, unit].flatMap(({ powers }) => Object.keys(powers)))]
  let rows = units.map(({ powers }) => bases.map((base) => powers[base] ?? 0))
  let rest = bases.map((base) => unit.powers[base] ?? 0)
  const less = (row: ReadonlyArray<number>, pivot: ReadonlyArray<number>, j: number): Array<number> =>
    row.map((value, k) => (k === j ? 0 : value - (row[j]! / pivot[j]!) * pivot[k]!))
  for (const j of bases.keys()) {
    const pivot = rows.reduce<ReadonlyArray<number>>(
      (most, row) => (Math.abs(row[j]!) > Math.abs(most[j] ?? 0) ? row : most),
      [],
    )
    if (!(Math.abs(pivot[j] ?? 0) > closeness)) continue
    rows = rows.filter((row) => row !== pivot).map((row) => less(row, pivot, j))
    rest = less(rest, pivot, j)
  }
  return rest.every((value) => Math.abs(value) <= closeness)
}
