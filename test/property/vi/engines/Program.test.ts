import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Program from "../../../../src/vi/engines/Program.ts"
import { protect } from "../../../../src/vi/engines/Protection.ts"
import type { ScalarAlgebra } from "../../../../src/numeric/Algebra.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryOperator, everydayNumber } from "../../../../src/testing/arbitraryModel.ts"
import { runs } from "../../../support/property.ts"

const operators = fc.array(arbitraryOperator("f", { depth: 4 }), { minLength: 1, maxLength: 4 })

/** The arithmetic of numbers, which counts what it is asked to do. */
const counting = (): { readonly algebra: ScalarAlgebra<number>; readonly count: () => number } => {
  let count = 0
  const counted =
    <A extends ReadonlyArray<number>>(f: (...operands: A) => number) =>
    (...operands: A): number => {
      count += 1
      return f(...operands)
    }
  const each = <K extends string, F extends (...operands: Array<number>) => number>(
    record: Readonly<Record<K, F>>,
  ) =>
    // A record with the same keys and functions of the same arguments.
    Object.fromEntries(Object.entries<F>(record).map(([name, f]) => [name, counted(f)])) as Readonly<
      Record<K, F>
    >
  const { literal, unary, binary } = Term.arithmetic
  return { algebra: { literal, unary: each(unary), binary: each(binary) }, count: () => count }
}

describe("a program", () => {
  it("computes each operator bit for bit as its protected term, over primitives only", () => {
    fc.assert(
      fc.property(operators, everydayNumber, everydayNumber, (all, x, y) => {
        const value = Program.bind(Program.make(all), Term.arithmetic, (name) => (name === "x" ? x : y))
        all.forEach(({ term }, index) => {
          const expected = Term.interpret(Term.arithmetic)(protect(term, 1))((name) => (name === "x" ? x : y))
          expect(value(index)).toBe(expected)
        })
      }),
      runs(300),
    )
  })

  it("has every step once, after its operands, and computes it once", () => {
    fc.assert(
      fc.property(operators, (all) => {
        const program = Program.make(all)
        const texts = program.instructions.map((instruction) => JSON.stringify(instruction))
        expect(new Set(texts).size).toBe(texts.length)
        program.instructions.forEach((instruction, index) => {
          const operands =
            instruction._tag === "Unary"
              ? [instruction.argument]
              : instruction._tag === "Binary"
                ? [instruction.left, instruction.right]
                : []
          expect(operands.every((operand) => operand < index)).toBe(true)
        })
        const { algebra, count } = counting()
        const value = Program.bind(program, algebra, () => 0.5)
        all.forEach((_, index) => value(index))
        all.forEach((_, index) => value(index))
        const operations = program.instructions.filter(({ _tag }) => _tag === "Unary" || _tag === "Binary")
        expect(count()).toBe(operations.length)
      }),
      runs(200),
    )
  })

  it("shares the guarded denominator of div and inv, and asks for no argument that nobody needs", () => {
    const inverse = Operator.binary("over", (_, y) => Term.pinv(y))
    const program = Program.make([Operator.div, inverse])
    const guards = program.instructions.filter((one) => one._tag === "Unary" && one.operation === "guard")
    expect(guards).toHaveLength(1)
    const asked: Array<string> = []
    const value = Program.bind(program, Term.arithmetic, (name) => {
      asked.push(name)
      return 4
    })
    expect(value(1)).toBe(0.25)
    expect(asked).toEqual(["y"])
  })
})
