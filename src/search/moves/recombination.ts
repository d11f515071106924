import * as HallOfFame from "../HallOfFame.ts"
import * as Move from "../Move.ts"

/**
 * All columns of kept ensembles, and the best alone, are tried in a slot, from inner products alone (`GramMatrix`).
 *
 * *When to use*: always with two trees or more: it evaluates no column, and finds sums whose terms were found apart.
 */
export const recombination = Move.make({
  name: "recombination",
  slot: (bench, frontier, { others: { trees, signatures } }) => {
    const kept = new Set(HallOfFame.idsOf(frontier.singles.flat()))
    for (const entries of frontier.strata)
      for (const entry of entries) for (const id of entry.trees) kept.add(id)
    bench.scoring.recombine(frontier, trees, signatures, kept)
  },
})
