const moves = [
  /** a good column alone is completed to an ensemble by what helps most */
  "completion",
  /** the trees of all kept ensembles, and the best alone, are tried in every slot of others, from inner products alone */
  "recombination",
  /** a tree is tried with other features in the place of its own */
  "likes",
  /** numbers made of the grammar's constants are parts of new trees */
  "numerals",
  /** an operator comes on top of a subtree that is combined with a constant at the same time */
  "lifting",
  /** subtrees of the best ensembles are parts of new trees */
  "sharing",
  /** trees of the best ensembles and their operands are tried under every link */
  "spreading",
  /** an ensemble is tried without each of its trees */
  "dropping",
  /** a search that finds nothing better begins anew */
  "restarting",
] as const

/** What a search does beside replacing subtrees: each of these can be left out, to see what it brings. */
export type Move = (typeof moves)[number]

export const all: ReadonlySet<Move> = new Set(moves)
