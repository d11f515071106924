import * as Term from "../../expr/Term.ts"

/** The names by which a formula is linear together, given its other names: their derivatives have none of them. */
export const linearNames = (formula: Term.Term, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const name of names) {
    const both = [...found, name]
    const own = (one: string): boolean =>
      !Term.variables(Term.derivative(formula, one)).some((other) => both.includes(other))
    if (both.every(own)) found.push(name)
  }
  return found
}
