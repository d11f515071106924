import * as Move from "../Move.ts"

/** Numbers that operators make of the grammar's constants (3, 1/2, 2 pi) are parts of new trees. */
export const constantExpressions = Move.make({
  name: "constantExpressions",
  parts: ({ numbers }) => ({ replacements: numbers, partners: numbers }),
})
