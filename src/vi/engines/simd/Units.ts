import type { Program } from "../Program.ts"

// Values of nodes are kept in units that make the clip shorter (see `math/tanh`). Operators are compiled for operands
// in these units. Products, quotients, and sums of operands with equal units carry the unit along, and a weight absorbs
// it at no cost. Other operations get operands without a unit.

/** The unit if it keeps values inside of float32's range, else 1. */
const fitting = (unit: number): number => (unit < 2 ** 32 && unit > 2 ** -32 ? unit : 1)

/**
 * The units of a program's steps: a step's value is the computed number times its unit.
 *
 * @param unit the unit of the arguments
 */
export const of = ({ instructions }: Program, unit: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const step of instructions) {
    if (step._tag === "Argument") found.push(unit)
    else if (step._tag === "Literal") found.push(1)
    else if (step._tag === "Unary") {
      const a = found[step.argument]!
      if (step.operation === "neg" || step.operation === "abs") found.push(a)
      else found.push(step.operation === "square" ? fitting(a * a) : 1)
    } else {
      const [a, b] = [found[step.left]!, found[step.right]!]
      if (step.operation === "mul") found.push(fitting(a * b))
      else if (step.operation === "div") found.push(fitting(a / b))
      else found.push(step.operation !== "pow" && a === b ? a : 1)
    }
  }
  return found
}

/** The factors of a step's computed operands before its operation; 1 for an operand that the step does not have. */
export const factors = (
  { instructions }: Program,
  units: ReadonlyArray<number>,
  step: number,
): readonly [number, number] => {
  const instruction = instructions[step]!
  if (instruction._tag === "Unary") {
    const a = units[instruction.argument]!
    const { operation } = instruction
    const carried =
      operation === "neg" ||
      operation === "abs" ||
      operation === "sign" ||
      (operation === "square" && units[step] === a * a)
    return [carried ? 1 : a, 1]
  }
  if (instruction._tag !== "Binary") return [1, 1]
  const [a, b] = [units[instruction.left]!, units[instruction.right]!]
  const { operation } = instruction
  const carried =
    operation === "mul"
      ? units[step] === a * b
      : operation === "div"
        ? units[step] === a / b
        : operation !== "pow" && a === b
  return carried ? [1, 1] : [a, b]
}
