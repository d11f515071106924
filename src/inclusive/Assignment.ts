/** The finite number that replaces -Infinity: below any log density. */
const least = -1e100

/**
 * The assignment of trees to distinct slots with the greatest sum of scores, by shortest augmenting paths (Kuhn and
 * Munkres; Jonker and Volgenant 1987), in O(trees^2 slots) operations.
 *
 * @param scores of each tree in each slot; no more trees than slots
 */
export const assign = (scores: ReadonlyArray<ArrayLike<number>>, slots: number): ReadonlyArray<number> => {
  // Slots are numbered from 1; slot 0 holds the tree that is being placed. Trees are numbered from 1; 0 is no tree.
  const potentials = new Float64Array(scores.length + 1)
  const prices = new Float64Array(slots + 1)
  const holder = new Int32Array(slots + 1)
  const cost = (tree: number, slot: number): number => -Math.max(least, scores[tree - 1]![slot - 1]!)
  for (let placed = 1; placed <= scores.length; placed++) {
    const nearest = new Float64Array(slots + 1).fill(Infinity)
    const from = new Int32Array(slots + 1)
    const reached = new Uint8Array(slots + 1)
    holder[0] = placed
    let at = 0
    while (holder[at] !== 0) {
      reached[at] = 1
      const tree = holder[at]!
      let step = Infinity
      let next = 0
      for (let slot = 1; slot <= slots; slot++) {
        if (reached[slot] === 1) continue
        const reduced = cost(tree, slot) - potentials[tree]! - prices[slot]!
        if (reduced < nearest[slot]!) {
          nearest[slot] = reduced
          from[slot] = at
        }
        if (next === 0 || nearest[slot]! < step) {
          step = nearest[slot]!
          next = slot
        }
      }
      for (let slot = 0; slot <= slots; slot++)
        if (reached[slot] === 1) {
          potentials[holder[slot]!]! += step
          prices[slot]! -= step
        } else nearest[slot]! -= step
      at = next
    }
    // Each tree on the augmenting path moves to the next slot of the path.
    while (at !== 0) {
      const before = from[at]!
      holder[at] = holder[before]!
      at = before
    }
  }
  const chosen = Array.from(scores, () => -1)
  for (let slot = 1; slot <= slots; slot++) if (holder[slot] !== 0) chosen[holder[slot]! - 1] = slot - 1
  return chosen
}
