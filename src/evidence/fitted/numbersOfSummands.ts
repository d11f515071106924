import * as Term from "../../expr/Term.ts"

type Groups = ReadonlyArray<ReadonlyArray<string>>

/** Groups of which those with a common name are one. */
const joined = (groups: Groups): Groups =>
  groups.reduce<Groups>((found, group) => {
    const common = found.filter((other) => other.some((name) => group.includes(name)))
    return [...found.filter((other) => !common.includes(other)), [...new Set([...common.flat(), ...group])]]
  }, [])

/**
 * The numbers of a formula by the summands that they are in: of a exp(-b x) + c exp(-(x - d)^2 / e) with b, d and e these are b, and d with e. A
 * summand whose numbers stand in several factors has one group, and two that have a number in common have one together.
 *
 * @param names of the numbers; others are as columns
 */
export const numbersOfSummands = (formula: Term.Term, names: ReadonlyArray<string>): Groups =>
  Term.fold<Groups>((layer) => {
    if (layer._tag === "Variable") return names.includes(layer.name) ? [[layer.name]] : []
    const parts = Term.children<Groups>(layer).filter((groups) => groups.length > 0)
    const isSum = layer._tag === "Binary" && (layer.operation === "add" || layer.operation === "sub")
    return isSum || parts.length < 2 ? joined(parts.flat()) : [[...new Set(parts.flat(2))]]
  })(formula)
