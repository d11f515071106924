import * as FrequentSubtrees from "../FrequentSubtrees.ts"
import * as Move from "../Move.ts"

/** How many subtrees are parts, by level. */
const byLevel = [30, 120, 600]

/**
 * Subtrees that are frequent in the best ensembles of each size are parts of new trees.
 *
 * *When to use*: where a law has one expression in several places, as exp(-x) in a quotient. It follows the ensembles found so far, so
 * that a single restart with it may stay near its first optimum.
 */
export const sharing = Move.make({
  name: "sharing",
  parts: ({ space }, frontier, level) => {
    const shared = FrequentSubtrees.frequent(space, frontier, byLevel[level] ?? 0)
    return { replacements: shared, partners: shared }
  },
})
