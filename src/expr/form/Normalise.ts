import { fold, type Term } from "../term/TermF.ts"
import { variable, type Sum } from "./Form.ts"
import * as Coefficient from "./Coefficient.ts"
import * as Functions from "./Functions.ts"
import * as Products from "./Product.ts"
import * as Signs from "./Signs.ts"
import * as Sums from "./Sum.ts"

/**
 * The normal form of a term.
 *
 * @param isPositive the variables that are positive wherever the term is used
 */
export const normalise = (term: Term, isPositive: Signs.Positive): Sum => {
  const signs = Signs.of(isPositive)
  const form = fold<Sum>((layer) => {
    switch (layer._tag) {
      case "Constant":
        return Sums.fromNumber(layer.value)
      case "Variable":
        return Products.toSum(Products.make(Coefficient.one, [{ base: variable(layer.name), exponent: 1 }]))
      case "Unary":
        return Functions.unary(layer.operation, layer.argument, signs)
      case "Binary":
        return Functions.binary(layer.operation, layer.left, layer.right, signs)
      case "Application":
        return Functions.applied(layer)
    }
  })
  return Sums.factored(form(term))
}
