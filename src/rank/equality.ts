import * as Term from "../expr/Term.ts"

/**
 * How two laws of one class are equal: proved to be one function by their normal form, of one form with numbers that differ a little, or
 * of different forms with the same values on the rows of the table.
 */
export type Equality = "normal form" | "form" | "rows"

/** Digits of numbers that are compared: others are rounding. */
const digits = 9

const rounded: (term: Term.Term) => Term.Term = Term.fold<Term.Term>((layer) =>
  layer._tag === "Constant" ? Term.constant(Number(layer.value.toPrecision(digits))) : layer,
)

/**
 * How two laws that are equal on a table are equal (`Rank.groupEquivalent`, `Rank.groupForms`). Laws with one normal form (`Term.arrange`) and
 * numbers that agree to nine digits are one function. Laws of different forms may be equal on the rows only, or everywhere by an
 * identity that the normal form does not know.
 */
export const equality = (a: Term.Term, b: Term.Term): Equality => {
  if (Term.equals(rounded(Term.arrange(a)), rounded(Term.arrange(b)))) return "normal form"
  return Term.skeleton(a) === Term.skeleton(b) ? "form" : "rows"
}
