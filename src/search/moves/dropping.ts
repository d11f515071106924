import * as Move from "../Move.ts"

/**
 * An ensemble is tried without each of its trees.
 *
 * *When to use*: with several trees, where early ones become useless beside later ones. With one tree it tries nothing.
 */
export const dropping = Move.make({
  name: "dropping",
  slot: (bench, frontier, { others: { trees, signatures } }) => {
    const last = trees.at(-1)
    // The other trees but for the last, and the last beside them, are the ensemble without the tree of this slot.
    if (last !== undefined)
      bench.scoring.evaluate(frontier, trees.slice(0, -1), signatures.slice(0, -1), Int32Array.of(last))
  },
})
