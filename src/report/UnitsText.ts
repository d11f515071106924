import * as Dimension from "../expr/Dimension.ts"
import { infix } from "../expr/text/infix.ts"
import { interpretWith } from "../expr/term/Interpret.ts"
import type { Term } from "../expr/Term.ts"
import * as Unit from "../expr/Unit.ts"
import type { Model } from "../rank/Model.ts"
import * as Table from "./Table.ts"

/** Numbers of a fitted law that are not small exact ones may have any unit. */
const fitted: typeof Dimension.algebra = {
  ...Dimension.algebra,
  literal: (value) => {
    const one = Dimension.algebra.literal(value)
    return one?._tag === "Quantity" && one.value === undefined ? Dimension.free : one
  },
}

/**
 * The unit of each coefficient of a law, intercept first: that of g(y) over that of the term. Undefined where a term may have any, as one
 * with a fitted factor has.
 */
export const ofCoefficients = (
  { link, terms }: Pick<Model, "link" | "terms">,
  target: string,
  units: Pick<Unit.Units, "columns">,
): ReadonlyArray<Unit.Unit | undefined> => {
  const unitOf = (term: Term, names: (name: string) => Unit.Unit | undefined): Unit.Unit | undefined => {
    const one = interpretWith(fitted)(term)((name) => {
      const unit = names(name)
      return unit === undefined ? Dimension.free : Dimension.quantity(unit)
    })
    return one?._tag === "Quantity" ? one.unit : undefined
  }
  const response = unitOf(link.forward, () => Unit.ofColumn(units, target))
  return [undefined, ...terms].map((term) => {
    const own = term === undefined ? Unit.none : unitOf(term, (name) => Unit.ofColumn(units, name))
    return response && own && Unit.times(response, Unit.power(own, -1)!)
  })
}

/** The units of the coefficients of a law as texts in base units, intercept first; null where a term may have any. */
export const texts = (
  model: Pick<Model, "link" | "terms">,
  target: string,
  units: Unit.Units,
): ReadonlyArray<string | null> =>
  ofCoefficients(model, target, units).map((unit) => (unit === undefined ? null : Unit.format(unit)))

/** The coefficients of a law with their units, as lines below it; none where no coefficient has a unit. */
export const lines = (
  model: Pick<Model, "link" | "terms" | "coefficients">,
  target: string,
  units: Unit.Units,
): ReadonlyArray<string> => {
  const own = texts(model, target, units)
  if (own.every((unit) => unit === null || unit === "1")) return []
  const response =
    model.link.name === "identity" ? target : infix(model.link.forward).replaceAll(/\by\b/g, target)
  return Table.render(
    [
      { title: "coefficient", align: "right" },
      { title: "unit", align: "left" },
      { title: `of ${response}`, align: "left", cut: true },
    ],
    own.map((unit, k) => [
      Table.significant(model.coefficients[k]!, 6),
      unit ?? "-",
      k === 0 ? "1" : infix(model.terms[k - 1]!, { precision: 6 }),
    ]),
  )
}
