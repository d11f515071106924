import * as FeatureSwap from "../FeatureSwap.ts"
import * as Move from "../Move.ts"

/** How many trees with other features stand beside a column, and in a neighbourhood of each level. */
const besideColumn = 1000
const byLevel = [42, 150, 400]

/**
 * A tree is tried with other features in the place of its own: laws treat like quantities alike.
 *
 * *When to use*: where columns come in sets of one kind, as coordinates or masses: (x1 - x2)^2 leads to (y1 - y2)^2. Columns of as many
 * kinds as there are columns gain nothing by it.
 */
export const featureSwap = Move.make({
  name: "featureSwap",
  parts: (_, __, level) => ({ swaps: byLevel[level] ?? 0 }),
  companions: ({ space }, _, column) => FeatureSwap.renamings(space, column, besideColumn),
})
