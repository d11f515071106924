import type { Operator } from "../../expr/Operator.ts"
import type { BinaryPrimitive, ScalarAlgebra, UnaryPrimitive } from "../../numeric/Algebra.ts"
import * as Term from "../../expr/Term.ts"
import { protect } from "./Protection.ts"

/** One step of a straight-line program; operands are the numbers of earlier steps. */
export type Instruction =
  | { readonly _tag: "Argument"; readonly name: string }
  | { readonly _tag: "Literal"; readonly value: number }
  | { readonly _tag: "Unary"; readonly operation: UnaryPrimitive; readonly argument: number }
  | {
      readonly _tag: "Binary"
      readonly operation: BinaryPrimitive
      readonly left: number
      readonly right: number
    }

/**
 * All operators of a grammar as one straight-line program over primitives, in which an operation that occurs in several
 * of them (such as the guarded denominator of `div` and `inv`) is one step.
 */
export interface Program {
  readonly instructions: ReadonlyArray<Instruction>
  /** for each operator, the number of the step that is its value */
  readonly outputs: ReadonlyArray<number>
}

/**
 * The program of relaxed trees: operations are protected (see `Protection`).
 *
 * @param unit the unit of the protections, by the columns of the terminals; 1 if left out
 */
export const make = (operators: ReadonlyArray<Operator>, unit = 1): Program => {
  const instructions: Array<Instruction> = []
  const known = new Map<string, number>()
  const emit = (instruction: Instruction): number => {
    const key = JSON.stringify(instruction)
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, instructions.length)
    return instructions.push(instruction) - 1
  }
  const visit = (term: Term.Term): number => {
    switch (term._tag) {
      case "Variable":
        return emit({ _tag: "Argument", name: term.name })
      case "Constant":
        return emit({ _tag: "Literal", value: term.value })
      case "Application":
        return visit(Term.expand(term))
      case "Unary":
        return emit({
          _tag: "Unary",
          // `expand` leaves primitives only.
          operation: term.operation as UnaryPrimitive,
          argument: visit(term.argument),
        })
      case "Binary":
        return emit({
          _tag: "Binary",
          // `expand` leaves primitives only.
          operation: term.operation as BinaryPrimitive,
          left: visit(term.left),
          right: visit(term.right),
        })
    }
  }
  const outputs = operators.map((operator) => visit(Term.expand(protect(operator.term, unit))))
  return { instructions, outputs }
}

/**
 * Binds a program to arguments. The result computes the value of an operator on demand, each step at most once.
 */
export const bind = <T>(
  program: Program,
  A: ScalarAlgebra<T>,
  argument: (name: string) => T,
): ((operator: number) => T) => {
  const values = new Map<number, T>()
  const value = (index: number): T => {
    const before = values.get(index)
    if (before !== undefined) return before
    const instruction = program.instructions[index]!
    const result = compute(instruction)
    values.set(index, result)
    return result
  }
  const compute = (instruction: Instruction): T => {
    switch (instruction._tag) {
      case "Argument":
        return argument(instruction.name)
      case "Literal":
        return A.literal(instruction.value)
      case "Unary":
        return A.unary[instruction.operation](value(instruction.argument))
      case "Binary":
        return A.binary[instruction.operation](value(instruction.left), value(instruction.right))
    }
  }
  return (operator) => value(program.outputs[operator]!)
}
