import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import { compileColumn } from "../expr/evaluate.ts"
import * as Term from "../expr/Term.ts"
import { occurrences } from "../expr/term/occurrences.ts"
import { parse } from "../expr/text/parse.ts"
import { tssOf } from "../evidence/gPrior.ts"
import type { KnownForm } from "../prob/KnownForms.ts"
import { choices } from "../internal/choices.ts"

/** Rows that a law is compared on, and columns whose orders are tried. */
const most = { rows: 60, columns: 3 } as const
/** A law is an instance where its formula leaves less than this share of its sum of squares around the mean. */
const close = 1e-6

/**
 * Whether a law that has the family of a known form is that form with some numbers. A number that stands at two places ties what a family has free:
 * (x^2 + 1) / (x^4 + x^2 + 1) is of the family of c0 (c1 - x^2) / (c1 + x^2)^2, and has other values whatever c0 and c1 are. Forms of numbers that stand
 * once each, and of more than three columns, are not looked at.
 *
 * @param columns the columns of the law
 */
export const isInstance = (
  law: Term.Term,
  columns: ReadonlyArray<string>,
  { formula, numbers }: KnownForm,
  data: Dataset,
): boolean => {
  const read = parse(formula)
  if (Result.isFailure(read) || columns.length > most.columns) return true
  const term = Term.meaning(read.success)
  const counts = occurrences(term)
  if (numbers.every((name) => (counts.get(name) ?? 0) < 2)) return true
  const every = Math.max(1, Math.floor(data.rows / most.rows))
  const some = (column: Float64Array): Float64Array => column.filter((_, i) => i % every === 0)
  const own = columns.map((name) => some(data.columns[data.features.indexOf(name)]!))
  const rows = own[0]?.length ?? 0
  const y = new Float64Array(rows)
  compileColumn(law, columns)(own, y)
  const places = Term.variables(term).filter((name) => !numbers.includes(name))
  return [...choices(columns, places.length)].some((chosen) => {
    const features = places.map((_, k) => `x${k}`)
    const free = numbers.map((_, k) => `c${k}`)
    const scaled = Term.mul(
      Term.variable("unit"),
      Term.substitute(term, (name) =>
        Term.variable(
          numbers.includes(name) ? free[numbers.indexOf(name)]! : features[places.indexOf(name)]!,
        ),
      ),
    )
    const part = {
      features,
      columns: chosen.map((name) => own[columns.indexOf(name)]!),
      target: "y",
      y,
      rows,
    }
    const fitted = FormulaFit.fit(scaled, ["unit", ...free], part, undefined, undefined, FormulaFit.quick)
    return fitted !== undefined && fitted.rss < close * tssOf(y)
  })
}
