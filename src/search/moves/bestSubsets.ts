import * as BestSubsets from "../BestSubsets.ts"
import { height } from "../Frontier.ts"
import * as Move from "../Move.ts"

/** The step of a restart at which subsets are looked at: other moves find laws of one term before. */
const begins = 24
/** The number of responses whose subsets are looked at, those that lead, and the number of steps that this takes for one. */
const [responses, parts] = [2, 5]

/**
 * The best sums of simple terms are found by exhaustive search, once in a restart.
 *
 * *When to use*: for polynomials and other sums of terms that explain little by themselves: a^4 - a^3 + b^2 / 2.
 */
export const bestSubsets = Move.make<{ readonly steps: number }>({
  name: "bestSubsets",
  begin: () => ({ steps: 0 }),
  step: (bench, { steps }) => {
    const [rank, part] = [Math.floor((steps - begins) / parts), (steps - begins) % parts]
    if (rank >= 0 && rank < responses && bench.most > 1 && !bench.leavesNothing()) {
      const frontier = bench.frontiers.toSorted((a, b) => height(b) - height(a))[rank]
      if (frontier !== undefined)
        bench.scoring.take(
          frontier,
          BestSubsets.of(bench, frontier, BestSubsets.columns(bench), { part, parts }),
        )
    }
    return { steps: steps + 1 }
  },
})
