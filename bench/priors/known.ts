import * as KnownForms from "../../src/prob/KnownForms.ts"
import { isNumber, type Law } from "./corpus.ts"

/** The log probability of each law's form, or of its being new, after all other laws: the known part of a held-out likelihood. */
const heldOut = (counts: ReadonlyArray<number>, discount: number, concentration: number): number => {
  const laws = counts.reduce((sum, count) => sum + count, 0)
  const total = laws - 1 + concentration
  return counts.reduce(
    (sum, count) =>
      sum +
      count *
        Math.log(
          (count === 1 ? concentration + discount * (counts.length - 1) : count - 1 - discount) / total,
        ),
    0,
  )
}

const grid = {
  discounts: Array.from({ length: 19 }, (_, k) => (k + 1) / 20),
  concentrations: [1, 2, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150],
}

/** The known forms of laws, with the discount and the concentration of highest likelihood of held-out laws. */
export const known = (laws: ReadonlyArray<Law>): KnownForms.KnownForms => {
  const { forms } = KnownForms.of(laws, { isNumber })
  const counts = forms.map(KnownForms.count)
  const [best] = grid.discounts
    .flatMap((discount) => grid.concentrations.map((concentration) => ({ discount, concentration })))
    .map((one) => ({ ...one, log: heldOut(counts, one.discount, one.concentration) }))
    .toSorted((a, b) => b.log - a.log)
  return { forms, discount: best!.discount, concentration: best!.concentration }
}

/**
 * A law of each form, that which shows it. The prior of trees is that of new forms: as in adaptor grammars it is fitted on each form once, however
 * many laws have it.
 */
export const distinct = (laws: ReadonlyArray<Law>): ReadonlyArray<Law> => {
  const shown = new Set(KnownForms.of(laws, { isNumber }).forms.map(({ formulas: [{ formula }] }) => formula))
  return laws.filter(({ formula }) => shown.delete(formula))
}

/** The text of the module that has them. */
export const source = ({ forms, discount, concentration }: KnownForms.KnownForms): string => `
import type { KnownFormula, KnownForms } from "../prob/KnownForms.ts"

/** [formula, its fitted numbers, the names of laws] */
type Formula = readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]

/** [formulas, key, columns, symmetries] */
// prettier-ignore
const forms: ReadonlyArray<
  readonly [readonly [Formula, ...ReadonlyArray<Formula>], string, number, number]
> = ${JSON.stringify(
  forms.map(({ formulas, key, columns, symmetries }) => [
    formulas.map(({ formula, numbers, laws }) => [formula, numbers, laws]),
    key,
    columns,
    symmetries,
  ]),
)}

const formulaOf = ([formula, numbers, laws]: Formula): KnownFormula => ({ formula, numbers, laws })

/**
 * The forms of named laws of science (docs/adr/0058). Written by \`bench/priors/run.ts\`; a test checks that these are those of its corpus.
 */
export const named: KnownForms = {
  discount: ${discount},
  concentration: ${concentration},
  forms: forms.map(([[first, ...others], key, columns, symmetries]) => ({
    formulas: [formulaOf(first), ...others.map(formulaOf)],
    key,
    columns,
    symmetries,
  })),
}
`
