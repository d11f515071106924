/**
 * The slot of each tree, no two in one, with the greatest sum of scores. By dynamic programming over the sets of slots
 * that are taken: 2^K steps for K slots.
 *
 * @param scores of each tree in each slot; no more trees than slots
 */
export const assign = (scores: ReadonlyArray<ArrayLike<number>>, slots: number): ReadonlyArray<number> => {
  const sets = 2 ** slots
  const best = new Float64Array(sets).fill(-Infinity)
  const last = new Int32Array(sets).fill(-1)
  best[0] = 0
  let found = 0
  for (let taken = 0; taken < sets; taken++) {
    // Trees are placed in order: as many are as slots are taken.
    const tree = size(taken)
    if (tree === scores.length && (size(found) < tree || best[taken]! > best[found]!)) found = taken
    if (tree >= scores.length) continue
    for (let slot = 0; slot < slots; slot++) {
      const next = taken | (1 << slot)
      if (next === taken) continue
      const score = best[taken]! + scores[tree]![slot]!
      if (score <= best[next]!) continue
      best[next] = score
      last[next] = slot
    }
  }
  const chosen: Array<number> = []
  for (let taken = found; taken !== 0; taken ^= 1 << last[taken]!) chosen.unshift(last[taken]!)
  return chosen
}

/** The number of elements of a set of bits. */
const size = (set: number): number => {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count++
  return count
}
