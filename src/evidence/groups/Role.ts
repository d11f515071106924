import * as Exact from "../exact/Exact.ts"

/** What a number of a law over groups is: an exact number, one number for all groups, or a number of each group. */
export type Role =
  | { readonly _tag: "Exact"; readonly exact: Exact.Exact }
  | { readonly _tag: "Shared" }
  | { readonly _tag: "Varies" }

export const shared: Role = { _tag: "Shared" }
export const varies: Role = { _tag: "Varies" }
export const exactly = (exact: Exact.Exact): Role => ({ _tag: "Exact", exact })

/** The value of an exact number, undefined of others. */
export const valueOf = (role: Role): number | undefined =>
  role._tag === "Exact" ? Exact.value(role.exact) : undefined

export const varying = (roles: ReadonlyArray<Role>): ReadonlyArray<number> =>
  roles.flatMap(({ _tag }, j) => (_tag === "Varies" ? [j] : []))

/** The roles of a law whose numbers all vary. */
export const allVarying = (count: number): ReadonlyArray<Role> => Array.from({ length: count }, () => varies)
