import type { Frontier } from "./Frontier.ts"
import type { Monomials } from "./Monomials.ts"
import type { Scoring } from "./Scoring.ts"

/**
 * Terms that have the unit of a law by dimensional analysis (`Monomials`): products of powers of columns, and expressions of the library
 * times what their units lack. They are tried as ensembles of one; there are none where columns have no units.
 */
export interface UnitTerms {
  /** Tries those of expressions that have come to a library. @param before how many were there */
  readonly grown: (frontier: Frontier, ids: Int32Array, before: number) => void
  /** Tries those of the library anew, after a response has changed. */
  readonly again: (frontier: Frontier, library: Int32Array) => void
}

/** The first expressions of a library, for which the terms are tried. */
const first = 2000

/** @param links the place of each response's link among those of the likelihood */
export const make = (
  { terms, completed }: Monomials,
  { possible, evaluate }: Pick<Scoring, "possible" | "evaluate">,
  links: ReadonlyArray<number>,
): UnitTerms => {
  const tried = (frontier: Frontier, ids: Int32Array): void => {
    const link = links[frontier.response]!
    const found = new Set([...terms(link), ...completed(link, ids)])
    evaluate(frontier, [], [], Int32Array.from(found).filter(possible))
  }
  return {
    grown: (frontier, ids, before) => {
      if (before < first) tried(frontier, ids)
    },
    again: (frontier, library) => tried(frontier, library.subarray(0, first)),
  }
}
