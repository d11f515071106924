import * as Move from "../Move.ts"

/**
 * Numbers that operators make of the grammar's constants (3, 1/2, 2 pi) are parts of new trees.
 *
 * *When to use*: where laws have whole or simple numbers inside of terms, as formulas of physics do. Without constants in the
 * grammar it tries nothing.
 */
export const constantExpressions = Move.make({
  name: "constantExpressions",
  parts: ({ numbers }) => ({ replacements: numbers, partners: numbers }),
})
