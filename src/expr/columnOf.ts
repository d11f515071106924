import { compileColumn } from "./evaluate.ts"
import { incremental } from "./incremental.ts"
import type * as Term from "./Term.ts"

/** On fewer rows a pass for each operation takes less time than to compile the term to one pass, which is used once. */
const few = 5000

/** The values of a term on rows. @throws RangeError as the function of `compileColumn` */
export const columnOf = (
  term: Term.Term,
  features: ReadonlyArray<string>,
  columns: ReadonlyArray<Float64Array>,
  rows: number,
): Float64Array => {
  if (rows < few) return incremental(term, { features, columns, rows }, [])([]).slice()
  const out = new Float64Array(rows)
  compileColumn(term, features)(columns, out)
  return out
}
