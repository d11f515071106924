import * as BestSubsets from "../BestSubsets.ts"
import * as Move from "../Move.ts"

/** The step of a restart at which subsets are looked at: other moves find laws of one term before. */
const begins = 24
/** The number of responses whose subsets are looked at: those that lead. */
const responses = 2

/**
 * The best sums of simple terms are found by exhaustive search, once in a restart.
 *
 * *When to use*: for polynomials and other sums of terms that explain little by themselves: a^4 - a^3 + b^2 / 2..
 */
export const bestSubsets = Move.make<{ readonly steps: number }>({
  name: "bestSubsets",
  begin: () => ({ steps: 0 }),
  gradually: function* (bench, { steps }) {
    if (steps + 1 === begins && !bench.leavesNothing()) {
      const height = (response: number): number => bench.frontiers[response]!.leader()?.score ?? -Infinity
      const leading = Array.from(bench.frontiers.keys())
        .toSorted((a, b) => height(b) - height(a))
        .slice(0, responses)
      const found = []
      for (const response of leading) {
        const frontier = bench.frontiers[response]!
        found.push({ frontier, subsets: yield* BestSubsets.of(bench, frontier) })
      }
      for (const { frontier, subsets } of found) bench.scoring.take(frontier, subsets)
    }
    return { steps: steps + 1 }
  },
})
