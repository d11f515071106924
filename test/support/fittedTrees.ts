// Trees with fitted constants that have the prior of coefficients.
import * as Operator from "../../src/expr/Operator.ts"
import * as Constant from "../../src/prob/Constant.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Tree from "../../src/prob/Tree.ts"

export const grammar = Grammar.make({
  features: ["x"],
  operators: [Operator.add, Operator.mul, Operator.exp, Operator.pow, Operator.div],
  constants: { c: Constant.scaleFree },
})
/** The places of its operators. */
export const [add, mul, exp, pow, div] = [0, 1, 2, 3, 4]
export const x = Tree.leaf(0)
/** A fitted constant, begun at a value. */
export const c = (value: number): Tree.Tree => Tree.leaf(1, value)
/** exp(c x), begun at a value of c. */
export const exponential = (value: number): Tree.Tree => Tree.branch(exp, [Tree.branch(mul, [c(value), x])])
