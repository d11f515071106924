import { describe, expect, it } from "vitest"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Phase from "../../../src/search/Phase.ts"

const { add, exp, mul, sin, cos, square } = Operator
const grammar = Grammar.make({
  features: ["t"],
  operators: [add, mul, sin, cos, exp, square],
  constants: { c: Constant.fitted(Dist.normal(0, 10)) },
})
const of = (name: string): number => grammar.operators.findIndex((one) => one.name === name)
const number = (value: number): Tree.Tree => Tree.leaf(1, value)
const t = Tree.leaf(0)
const wave = (name: string, phase: number): Tree.Tree =>
  Tree.branch(of(name), [Tree.branch(of("add"), [number(phase), Tree.branch(of("mul"), [number(1.4), t])])])
/** The numbers of a tree in order. */
const numbers = (tree: Tree.Tree): ReadonlyArray<number> =>
  tree._tag === "Leaf" ? (tree.value === undefined ? [] : [tree.value]) : tree.children.flatMap(numbers)

describe("phases", () => {
  const wrapped = Phase.wrapped(grammar)
  it("are from -pi to pi, whole turns away", () => {
    for (const [phase, near] of [
      [-47.2634, -47.2634 + 16 * Math.PI],
      [7, 7 - 2 * Math.PI],
      [0.4, 0.4],
    ] as const) {
      const [first, second] = numbers(wrapped(Tree.branch(of("mul"), [wave("cos", phase), t])))
      expect(first).toBeCloseTo(near, 12)
      expect(Math.abs(first!)).toBeLessThanOrEqual(Math.PI)
      expect(second).toBe(1.4)
    }
  })
  it("are those of functions with a period alone, and numbers in factors stay", () => {
    expect(numbers(wrapped(wave("exp", 9)))).toEqual([9, 1.4])
    expect(numbers(wrapped(wave("square", 9)))).toEqual([9, 1.4])
    const frequency = Tree.branch(of("sin"), [Tree.branch(of("mul"), [number(19), t])])
    expect(numbers(wrapped(frequency))).toEqual([19])
  })
})
