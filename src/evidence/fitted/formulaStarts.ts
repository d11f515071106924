import type { Dataset } from "../../data/Data.ts"
import type * as Term from "../../expr/Term.ts"
import { allBelow, allFinite } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { pow } from "../../numeric/Power.ts"
import * as Rng from "../../random/Rng.ts"
import * as FormulaRows from "./FormulaRows.ts"
import { quotientStarts } from "./quotientStarts.ts"
import { roughValues } from "./roughValues.ts"

/** The points from which a fit begins. */
export interface Thoroughness {
  /** points for each number inside of a function, and at most */
  readonly tries: number
  readonly most: number
  readonly slopes: FormulaRows.Slopes
}

/** A place to begin from, its linear numbers by least squares. */
export type Start = Omit<FormulaRows.Followed, "slopes">

/** Points from which the fit of a formula may begin, compared on some of the rows. */
export interface Starts {
  /** whether regressions give points, as of a quotient whose parts are linear in their numbers */
  readonly isQuotient: boolean
  /** Points with values of all numbers, best first. */
  readonly all: () => ReadonlyArray<Start>
  /** Points with other values of some numbers, and the given values of the others that are not linear, best first. */
  readonly around: (values: Float64Array, others: ReadonlyArray<string>) => ReadonlyArray<Start>
}

/** The rows on which points are compared, and those by which rough values are drawn. */
const [looked, ranged] = [400, 40]

/**
 * @param names the free numbers among the formula's variables
 * @param linear those by which it is linear, given the others
 * @param by roots of weights, 0 for rows that do not count; 1 if left out
 */
export const make = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  linear: ReadonlyArray<string>,
  data: Dataset,
  by: Float64Array | undefined,
  { tries, most, slopes: kind }: Thoroughness,
): Starts => {
  const every = Math.max(1, Math.floor(data.rows / looked))
  const places = Array.from({ length: Math.ceil(data.rows / every) }, (_, i) => i * every)
  const some = (column: Float64Array): Float64Array => Float64Array.from(places, (i) => column[i]!)
  const part = {
    ...data,
    columns: data.columns.map(some),
    y: some(data.y),
    rows: places.length,
  }
  const weights = by && some(by)
  const { residual, slopes } = FormulaRows.make(formula, names, part, weights, kind)
  const scales = [
    1,
    ...data.columns.flatMap((column) => {
      const size = Math.sqrt(FormulaRows.square(column) / column.length)
      return size > 0 ? [size, 1 / size] : []
    }),
  ]
  const source = Rng.generator(Rng.fold(Rng.key(0), "formula"))
  const drawn = (): number => {
    const scale = scales[Math.floor(source.next() * scales.length)]!
    return (source.next() < 0.7 ? 1 : -1) * scale * pow(10, 2 * source.next() - 1)
  }
  const spread = Math.max(1, Math.floor(places.length / ranged))
  const few = new Map(
    data.features.map((name, j) => [name, part.columns[j]!.filter((_, i) => i % spread === 0)]),
  )
  /** Values with the linear ones by least squares. */
  const completed = (values: Float64Array): Start => {
    for (const name of linear) values[names.indexOf(name)] = 0
    const rest = residual(values)
    const design = slopes(values, linear)
    if (!allFinite(rest) || !design.every((one) => allBelow(one, 1e150))) return { values, rss: Infinity }
    const { coefficients, rss } = leastSquares(design, rest)
    linear.forEach((name, j) => (values[names.indexOf(name)] = coefficients[j]!))
    return { values, rss }
  }
  const roughly = roughValues(formula, names, few)
  const countOf = (numbers: number): number => Math.min(most, Math.max(1, tries * numbers))
  const ordered = (points: ReadonlyArray<Float64Array>): ReadonlyArray<Start> =>
    points
      .map(completed)
      .filter(({ rss }) => rss < Infinity)
      .sort((a, b) => a.rss - b.rss)
  /** Points with other values of some numbers, from the `first`-th draw on. */
  const varied = (
    values: Float64Array,
    others: ReadonlyArray<string>,
    first = 0,
  ): ReadonlyArray<Float64Array> =>
    Array.from({ length: countOf(others.length) - first }, (_, i) => {
      const rough = (first + i) % 2 === 1 ? roughly(source.next) : undefined
      return values.map((value, j) =>
        others.includes(names[j]!) ? (rough?.get(names[j]!) ?? drawn()) : value,
      )
    })
  const inside = names.filter((name) => !linear.includes(name))
  const ones = new Float64Array(names.length).fill(1)
  const regressed = quotientStarts(formula, names, part, weights)
  return {
    isQuotient: regressed.length > 0,
    all: () => ordered([...regressed, ones.slice(), ...varied(ones, inside, 1)]),
    around: (values, others) => ordered(varied(values, others)),
  }
}
