import * as Schema from "effect/Schema"
import type { Term } from "../expr/Term.ts"
import { infixWriter } from "../expr/text/infix.ts"
import { javascriptWriter } from "../expr/text/javascript.ts"
import { latexWriter } from "../expr/text/latex.ts"
import { numpyWriter } from "../expr/text/numpy.ts"
import { sympyWriter } from "../expr/text/sympy.ts"

/** A formula in every notation, as fields of a document. */
export const fields = {
  /** the whole fitted formula in infix, with exact numbers */
  expression: Schema.String,
  /** the same, for SymPy's `sympify` */
  sympy: Schema.String,
  /** the same as an expression of NumPy, `np` */
  numpy: Schema.String,
  /** the same as an expression of JavaScript */
  javascript: Schema.String,
  latex: Schema.String,
} as const

/** The formulas of a fit share most of their trees: one writer of each notation for all. */
export const writers = () => ({
  infix: infixWriter(),
  sympy: sympyWriter(),
  numpy: numpyWriter(),
  javascript: javascriptWriter(),
  latex: latexWriter({ precision: 6 }),
})

export type Writers = ReturnType<typeof writers>

export const of = (write: Writers, term: Term) => ({
  expression: write.infix(term),
  sympy: write.sympy(term),
  numpy: write.numpy(term),
  javascript: write.javascript(term),
  latex: write.latex(term),
})
