import type { Dataset } from "../data/Data.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import { compileColumn } from "../expr/evaluate.ts"
import * as Term from "../expr/Term.ts"
import { occurrences } from "../expr/term/occurrences.ts"
import { tssOf } from "../evidence/gPrior.ts"
import type { IsWritten, KnownFormula } from "../prob/KnownForms.ts"
import { choices } from "../internal/choices.ts"
import { memo } from "../internal/memo.ts"
import { once } from "../internal/once.ts"
import { thinned } from "../numeric/thinned.ts"
import { termOf } from "./knownTerm.ts"

/** Rows that a law is compared on, and columns whose orders are tried. */
const most = { rows: 60, columns: 3 } as const
/** A law is an instance where its formula leaves less than this share of its sum of squares around the mean. */
const close = 1e-6

/** Whether a number of a formula stands at two places, as that of (c0 - x) / (c0 + x). */
const tiesNumbers = memo((way: KnownFormula): boolean => {
  const term = termOf(way)
  if (term === undefined) return false
  const counts = occurrences(term)
  return way.numbers.some((name) => (counts.get(name) ?? 0) > 1)
})

/**
 * Whether a law that has the family of a known form is written in one of its ways, with some numbers. A number that stands at two places ties what a
 * family has free: (x^2 + 1) / (x^4 + x^2 + 1) is of the family of c0 (c1 - x^2) / (c1 + x^2)^2, and has other values whatever c0 and c1 are; and so
 * does an exact number: 2 - 3 exp(-x) is no c0 (1 - exp(-c1 x)). The way of most numbers is taken to have all that is free where its numbers stand
 * once each. Forms of more than three columns are not looked at.
 *
 * @param columns the columns of the law
 */
export const instances = (law: Term.Term, columns: ReadonlyArray<string>, data: Dataset): IsWritten => {
  const own = once(() =>
    columns.map((name) => data.columns[data.features.indexOf(name)]!).map(thinned(data.rows, most.rows)),
  )
  const values = once(() => {
    const y = new Float64Array(own()[0]?.length ?? 0)
    compileColumn(law, columns)(own(), y)
    return y
  })
  return (way, { formulas: [first] }, inUnits) => {
    const { numbers } = way
    const term = termOf(way)
    if (term === undefined || columns.length > most.columns) return true
    if (way === first && !tiesNumbers(way)) return true
    const y = values()
    const places = Term.variables(term).filter((name) => !numbers.includes(name))
    const features = places.map((_, k) => `x${k}`)
    const free = numbers.map((_, k) => `c${k}`)
    const placed = Term.substitute(term, (name) =>
      Term.variable(numbers.includes(name) ? free[numbers.indexOf(name)]! : features[places.indexOf(name)]!),
    )
    const scaled = inUnits ? Term.mul(Term.variable("unit"), placed) : placed
    const names = inUnits ? ["unit", ...free] : free
    return [...choices(columns, places.length)].some((chosen) => {
      const part = {
        features,
        columns: chosen.map((name) => own()[columns.indexOf(name)]!),
        target: "y",
        y,
        rows: y.length,
      }
      const fitted = FormulaFit.fit(scaled, names, part, undefined, undefined, FormulaFit.quick)
      return fitted !== undefined && fitted.rss < close * tssOf(y)
    })
  }
}
