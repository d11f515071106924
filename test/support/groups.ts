import type * as GroupedLaw from "../../src/evidence/groups/GroupedLaw.ts"
import { leastSquares } from "../../src/numeric/leastSquares.ts"

/** A law that is linear in its numbers, over given columns of each group. */
export const linear = (
  columns: ReadonlyArray<ReadonlyArray<Float64Array>>,
  y: ReadonlyArray<Float64Array>,
): GroupedLaw.GroupedLaw => {
  const count = columns[0]!.length
  const at: GroupedLaw.GroupedLaw["at"] = (group, numbers) => {
    const residual = y[group]!.map((value, i) =>
      columns[group]!.reduce((left, column, j) => left - numbers[j]! * column[i]!, value),
    )
    const rss = residual.reduce((sum, value) => sum + value * value, 0)
    return { numbers, residual, rss, columns: () => columns[group]! }
  }
  return {
    count,
    coefficients: count,
    groups: columns.length,
    at,
    alone: (group) => at(group, leastSquares(columns[group]!, y[group]!).coefficients),
  }
}
