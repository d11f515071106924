import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Columns from "../../../src/evidence/columns.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { CompileError } from "../../../src/errors/Errors.ts"

const exponential = Operator.unary("exponential", (x) => Term.exp(x))
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.div, exponential],
  constants: { two: 2 },
})
// The data's order and number of columns are not the grammar's.
const data: Dataset = {
  features: ["unused", "b", "a"],
  columns: [
    [9, 9, 9, 9],
    [1, 0.25, -2, 1e-3],
    [0.5, 4, 800, -3],
  ].map((c) => Float64Array.from(c)),
  target: "y",
  y: Float64Array.of(1, 2, 3, 4),
  rows: 4,
}
const a = Tree.leaf(0)
const b = Tree.leaf(1)
const two = Tree.leaf(2)
const mul = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(0, [x, y])
const sin = (x: Tree.Tree) => Tree.branch(1, [x])
const div = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(2, [x, y])
const exp = (x: Tree.Tree) => Tree.branch(3, [x])

describe("columns", () => {
  it.effect("are the values of the tree's term, bit for bit", () =>
    Effect.gen(function* () {
      const columns = yield* Columns.make(grammar, data)
      for (const tree of [a, b, two, mul(a, b), sin(mul(two, a)), div(sin(a), mul(b, b)), div(a, sin(b))]) {
        const whole = scalarFunction(Tree.toTerm(grammar, tree), ["a", "b"])
        const { values, admissible } = columns.column(tree)
        expect(Array.from(values)).toEqual(
          [0, 1, 2, 3].map((i) => whole([data.columns[2]![i]!, data.columns[1]![i]!])),
        )
        expect(admissible).toBe(true)
      }
    }),
  )

  it.effect("share equal subtrees, and forget the least recently used ones beyond the capacity", () =>
    Effect.gen(function* () {
      const columns = yield* Columns.make(grammar, data)
      const product = columns.column(mul(a, b))
      columns.column(sin(mul(a, b)))
      expect(columns.column(mul(a, b))).toBe(product)
      expect(columns.column(a).values).toBe(data.columns[2])

      const small = yield* Columns.make(grammar, data, { capacity: 2 * 4 * 8 })
      const [first, second] = [small.column(sin(a)), small.column(sin(b))]
      expect(small.column(sin(a))).toBe(first)
      small.column(sin(two))
      expect(small.column(sin(a))).toBe(first)
      expect(small.column(sin(b))).not.toBe(second)
      expect(small.column(sin(b))).toEqual(second)
    }),
  )

  it.effect("are not admissible when a value is not finite or too large", () =>
    Effect.gen(function* () {
      const columns = yield* Columns.make(grammar, data)
      expect(columns.column(exp(a)).admissible).toBe(false)
      expect(columns.column(mul(exp(a), b)).admissible).toBe(false)
      expect(columns.column(exp(b)).admissible).toBe(true)
      // 800^32 and 800^64.
      const power = Array.from({ length: 5 }).reduce<Tree.Tree>((x) => mul(x, x), a)
      expect(columns.column(power).admissible).toBe(true)
      expect(columns.column(mul(power, power)).admissible).toBe(false)
    }),
  )

  it.effect("need every feature of the grammar", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Columns.make(grammar, { ...data, features: ["unused", "b", "c"] }))
      expect(error).toBeInstanceOf(CompileError)
      expect(error.message).toContain('"a"')
    }),
  )
})
