import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Columns from "../../../src/evidence/columns.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as TermWriter from "../../../src/evidence/TermWriter.ts"
import * as Data from "../../../src/data/Data.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.sub, Operator.log, Operator.sqrt],
})
const difference = Tree.branch(0, [Tree.leaf(0), Tree.leaf(1)])

/** How an operator of a - b is written, given rows of a and b. */
const text = (operator: number, ...sets: ReadonlyArray<ReadonlyArray<readonly [number, number]>>) =>
  Effect.gen(function* () {
    const data = yield* Effect.forEach(sets, (X) =>
      Effect.flatMap(Data.fromRows({ X, y: X.map(([a]) => a), features: grammar.features }), (rows) =>
        Columns.make(grammar, rows),
      ),
    )
    return infix(Term.simplify(TermWriter.writer(grammar, data)(Tree.branch(operator, [difference]))))
  })

describe("a protected operator", () => {
  const below = [
    [0.01, 4],
    [1, 5],
    [2, 9],
  ] as const
  const above = [
    [4, 1],
    [9, 2],
  ] as const

  it.effect("is written without its protection where that changes nothing", () =>
    Effect.gen(function* () {
      expect(yield* text(1, above)).toBe("log(a - b)")
      expect(yield* text(2, above)).toBe("sqrt(a - b)")
    }),
  )

  it.effect("is written of -x where |x| is -x", () =>
    Effect.gen(function* () {
      expect(yield* text(1, below)).toBe("log(b - a)")
      expect(yield* text(2, below)).toBe("sqrt(b - a)")
    }),
  )

  it.effect("stays where rows of any data need it", () =>
    Effect.gen(function* () {
      expect(yield* text(1, above, below)).toBe("plog(a - b)")
      expect(yield* text(2, below, above)).toBe("psqrt(a - b)")
    }),
  )
})
