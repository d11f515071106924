import * as Term from "../../src/expr/Term.ts"
import {
  add,
  addExponents,
  asExponent,
  call,
  multiply,
  ofMonomial,
  ofFactor,
  power,
  pure,
  scale,
  type Sum,
} from "./sum.ts"

const isFitted = (name: string): boolean => /^c\d+$/.test(name)

/** The normal form of a law. Variables c0, c1, ... are its fitted numbers. */
export const of: (term: Term.Term) => Sum = Term.fold<Sum>((layer) => {
  switch (layer._tag) {
    case "Constant":
      return pure(layer.value)
    case "Variable":
      return isFitted(layer.name) ? pure("fitted") : ofFactor({ _tag: "Variable", name: layer.name })
    case "Unary":
      switch (layer.operation) {
        case "neg":
          return scale(layer.argument, -1)
        case "square":
          return power(layer.argument, 2)
        case "sqrt":
          return power(layer.argument, 0.5)
        default:
          return call(layer.operation, layer.argument)
      }
    case "Binary":
      switch (layer.operation) {
        case "add":
          return add(layer.left, layer.right)
        case "sub":
          return add(layer.left, scale(layer.right, -1))
        case "mul":
          return multiply(layer.left, layer.right)
        case "div":
          return multiply(layer.left, power(layer.right, -1))
        case "pow":
          return power(layer.left, asExponent(layer.right))
        default:
          throw new Error(`the operation ${layer.operation} has no normal form`)
      }
    case "Application":
      throw new Error(`the operator ${layer.name} has no normal form`)
  }
})

/** The sum with sums among the factors multiplied out, each at most `most` times: (a + b) x becomes a x + b x. */
export const distributed = (sum: Sum, most = 1): Sum => {
  let out = pure(sum.constant)
  for (const { coefficient, factors } of sum.monomials) {
    const at = factors.findIndex(
      ({ base, exponent }) =>
        base._tag === "Sum" &&
        typeof exponent === "number" &&
        Number.isInteger(exponent) &&
        exponent >= 1 &&
        exponent <= most,
    )
    const factor = factors[at]
    if (factor === undefined || factor.base._tag !== "Sum") {
      out = add(out, { constant: 0, monomials: [{ coefficient, factors }] })
      continue
    }
    const left = addExponents(factor.exponent, -1)
    const rest = ofMonomial({
      coefficient,
      factors: left === 0 ? factors.toSpliced(at, 1) : factors.with(at, { ...factor, exponent: left }),
    })
    const parts = [
      ...factor.base.sum.monomials.map((monomial) => ofMonomial(monomial)),
      ...(factor.base.sum.constant === 0 ? [] : [pure(factor.base.sum.constant)]),
    ].map((part) => multiply(part, rest))
    out = parts.reduce((all, part) => add(all, distributed(part, most)), out)
  }
  return out
}
