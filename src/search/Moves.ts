import type { AnyMove } from "./Move.ts"
import { forwardSelection } from "./moves/forwardSelection.ts"
import { bestSubsets } from "./moves/bestSubsets.ts"
import { constantExpressions } from "./moves/constantExpressions.ts"
import { crossLink } from "./moves/crossLink.ts"
import { dropping } from "./moves/dropping.ts"
import { featureSwap } from "./moves/featureSwap.ts"
import { lifting } from "./moves/lifting.ts"
import { scaling } from "./moves/scaling.ts"
import { polynomials } from "./moves/polynomials.ts"
import { rationalFunctions } from "./moves/rationalFunctions.ts"
import { recombination } from "./moves/recombination.ts"
import { sharing } from "./moves/sharing.ts"
import { singleIndex } from "./moves/singleIndex.ts"
import { splitting } from "./moves/splitting.ts"
import { waves } from "./moves/waves.ts"

export {
  bestSubsets,
  forwardSelection,
  constantExpressions,
  crossLink,
  dropping,
  featureSwap,
  lifting,
  polynomials,
  rationalFunctions,
  recombination,
  scaling,
  sharing,
  singleIndex,
  splitting,
  waves,
}

/** The moves that a search makes unless it is given others, beside replacing subtrees. */
export const all: ReadonlyArray<AnyMove> = [
  dropping,
  recombination,
  forwardSelection,
  polynomials,
  rationalFunctions,
  waves,
  bestSubsets,
  sharing,
  constantExpressions,
  featureSwap,
  lifting,
  crossLink,
  splitting,
  scaling,
  singleIndex,
]

/**
 * All but some, to see what these bring. `docs/feynman.md` has what each of ours brings.
 *
 * @example
 * Search.fit(model, data, { moves: Moves.without("lifting") })
 */
export const without = (...names: ReadonlyArray<string>): ReadonlyArray<AnyMove> =>
  all.filter(({ name }) => !names.includes(name))
