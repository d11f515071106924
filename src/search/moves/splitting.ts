import * as Move from "../Move.ts"
import * as Splitting from "../Splitting.ts"

/**
 * A function of a sum becomes the sum of the functions of its halves, and a sum the length of the vector of its halves: (a + b)^2 leads to
 * a^2 + b^2, 1 / (a + b) to 1 / a + 1 / b, a + b to sqrt(a^2 + b^2).
 *
 * *When to use*: for laws of distances and other sums of functions, of which a function of the sum is a near relative with half as many
 * operations. It is cheap: a tree without sums has nothing to split.
 */
export const splitting = Move.make({
  name: "splitting",
  slot: (bench, frontier, { tree, others }) => {
    if (tree !== undefined) bench.briefly(frontier, others, () => bench.possible(Splitting.of(bench, tree)))
  },
})
