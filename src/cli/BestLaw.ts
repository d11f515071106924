import { infix } from "../expr/text/infix.ts"
import type * as Term from "../expr/Term.ts"
import type * as Progress from "../report/Progress.ts"

/** A law as a progress line has it; undefined while there is none. */
export const of = (
  target: string,
  law: { readonly expression: Term.Term; readonly lmpse: number } | undefined,
): Progress.Best | undefined =>
  law && { logPosterior: law.lmpse, target, formula: infix(law.expression, { precision: 4 }) }
