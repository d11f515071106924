import { length, shares } from "../../numeric/collinearity.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import type { Linearised } from "./Hierarchy.ts"
import type { Role } from "./Role.ts"

/**
 * Of the derivative by each shared number the share of its length outside of the span of all others, those by the groups' own
 * numbers among them, over all rows.
 */
export const ofShared = (
  { count, groups }: Linearised,
  roles: ReadonlyArray<Role>,
): ReadonlyArray<number> => {
  const width = count + 3
  /** Columns of a group's triangle have the lengths and inner products of its rows. */
  const columns = (group: Float64Array, tag: Role["_tag"]): ReadonlyArray<Float64Array> =>
    roles.flatMap(({ _tag }, j) =>
      _tag === tag ? [Float64Array.from({ length: width }, (_, i) => group[i * width + j]!)] : [],
    )
  const parts = groups.map((group) => {
    const own = columns(group, "Varies")
    return columns(group, "Shared").map((whole) => ({ whole, outside: leastSquares(own, whole).residual }))
  })
  const joined = (j: number, of: "whole" | "outside"): Float64Array =>
    Float64Array.from(parts.flatMap((part) => Array.from(part[j]![of])))
  const all = parts[0]!.map((_, j) => ({ whole: length(joined(j, "whole")), outside: joined(j, "outside") }))
  const inside = shares(all.map(({ outside }) => outside))
  return all.map(({ whole, outside }, j) => (whole === 0 ? 0 : (inside[j]! * length(outside)) / whole))
}
