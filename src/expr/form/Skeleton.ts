import type { Term } from "../term/TermF.ts"
import type { Base, Sum } from "./Form.ts"
import { normalise } from "./Normalise.ts"

/**
 * The skeleton of a formula: its normal form without the values of its numbers. Formulas that differ in coefficients,
 * exponents and constants alone have one skeleton: 2 x^1.5 and x^1.4998, or exp(-t) and 3 exp(-0.9 t). A sum with a
 * constant and one without differ.
 *
 * @returns a string, equal for equal skeletons
 */
export const skeleton = (term: Term): string => ofSum(normalise(term, () => false))

const ofSum = ({ terms }: Sum): string =>
  terms
    .map(({ powers }) =>
      powers
        .map(({ base, exponent }) => `${exponent < 0 ? "/" : ""}${ofBase(base)}`)
        .filter((one) => one.replace("/", "") !== "")
        .sort()
        .join("*"),
    )
    .sort()
    .join("+")

/** Empty for numbers. */
const ofBase = (base: Base): string => {
  switch (base._tag) {
    case "Whole":
    case "Pi":
      return ""
    case "Variable":
      return base.key
    case "Call":
      return `${base.operation}[${base.operands.map(ofSum).join(";")}]`
    case "Application":
      return `${JSON.stringify(base.name)}[${base.operands.map(ofSum).join(";")}]`
    case "Group":
      return `(${ofSum(base.sum)})`
  }
}
