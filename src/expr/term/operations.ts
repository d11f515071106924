import type { BinaryOperation, UnaryOperation } from "./TermF.ts"

/** All unary operations, protected ones included. */
export const unaryOperations = [
  "neg",
  "square",
  "sqrt",
  "abs",
  "sign",
  "exp",
  "log",
  "sin",
  "cos",
  "tan",
  "tanh",
  "asin",
  "acos",
  "atan",
  "guard",
  "psqrt",
  "plog",
  "pexp",
  "pinv",
] as const satisfies ReadonlyArray<UnaryOperation>

/** All binary operations, protected ones included. */
export const binaryOperations = [
  "add",
  "sub",
  "mul",
  "div",
  "pow",
  "min",
  "max",
  "pdiv",
] as const satisfies ReadonlyArray<BinaryOperation>

/** A record with an entry for each operation. */
export const eachOperation = <O extends BinaryOperation | UnaryOperation, F>(
  operations: ReadonlyArray<O>,
  make: (operation: O) => F,
): Readonly<Record<O, F>> =>
  // The keys are the operations.
  Object.fromEntries(operations.map((operation) => [operation, make(operation)])) as Record<O, F>
