import * as HallOfFame from "../HallOfFame.ts"
import * as Move from "../Move.ts"

/** The number of the best columns of each size, and of the smallest expressions, that are tried beside a column. */
const [peers, smallest] = [12, 100]

/**
 * Forward selection beside a column: the tree that raises the score most is added, as often as there is room.
 *
 * *When to use*: for sums of terms, each of which explains a part of y alone. A product of sums gains by the other moves.
 */
export const forwardSelection = Move.make({
  name: "forwardSelection",
  column: (bench, frontier, { id, signature }) => {
    const { scoring } = bench
    const ids = Int32Array.from(
      new Set([
        ...bench.companions(frontier, id),
        ...HallOfFame.idsOf(frontier.singles.flatMap((columns) => columns.slice(0, peers))),
        ...bench.columns().subarray(0, smallest),
      ]),
    ).filter(scoring.possible)
    const trees = [id]
    const signatures = [signature]
    while (trees.length < bench.most) {
      scoring.evaluate(frontier, trees, signatures, ids)
      if (scoring.best.id < 0) return
      trees.push(scoring.best.id)
      signatures.push(scoring.best.signature)
    }
  },
})
