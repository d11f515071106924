import { dual } from "../../numeric/Dual.ts"
import { constant, variable as variableTerm } from "./Constructors.ts"
import { algebra } from "./Expand.ts"
import { interpret } from "./Interpret.ts"
import { simplify } from "./Simplify.ts"
import type { Term } from "./TermF.ts"

/**
 * The partial derivative of a term, simplified. Protected operations are differentiated through their definitions;
 * `dual` states the conventions where no derivative exists.
 *
 * @example
 * derivative(Term.sin(Term.square(Term.variable("x"))), "x") // cos(x^2)*2*x
 */
export const derivative = <V extends string>(term: Term<V>, variable: NoInfer<V>): Term<V> => {
  const run = interpret(dual(algebra<V>()))(term)
  const { slope } = run((name) => ({
    value: variableTerm(name),
    slope: name === variable ? constant(1) : undefined,
  }))
  return simplify(slope ?? constant(0))
}
