import type { ShippedName } from "../../src/expr/Operator.ts"

/** What the search may use, the same for every equation. `forms.py` computes from it what it cannot express. */
export const grammar = {
  operators: ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"],
  /** numbers that are terminals besides the variables */
  constants: [1, 2, Math.PI],
  /** whether terminals may be numbers that are learned */
  learned: false,
  /** terms in the sum, besides the intercept */
  trees: 3,
  depth: 7,
  /** functions of y that the sum may stand for, besides y itself, as `forms.py` names them */
  links: ["square", "sqrt", "inverse", "inverseSquare", "log", "exp", "sin", "cos", "arcsin"],
} as const satisfies {
  readonly operators: ReadonlyArray<ShippedName>
  readonly constants: ReadonlyArray<number>
  readonly learned: boolean
  readonly trees: number
  readonly depth: number
  readonly links: ReadonlyArray<string>
}
