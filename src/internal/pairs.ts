/** The pairs of a list, the one that comes first in it first. */
export const pairs = <A>(list: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  list.flatMap((later, k) => list.slice(0, k).map((earlier) => [earlier, later] as const))
