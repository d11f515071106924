import { room } from "./kernel/Room.ts"
import * as Fingerprint from "./Fingerprint.ts"
import type { Space } from "./SearchSpace.ts"

/**
 * Small expressions, each value once: all that a grammar makes of its terminals, by what they cost, kept when no cheaper
 * one has the same values on the data. A node costs 1, and an operator that the prior holds for a third as likely as the
 * likeliest one more (`Space.costs`). Expressions of constants alone are left out, but for the terminals.
 */
export interface Bank {
  /** The nodes so far, cheapest first. */
  readonly ids: ReadonlyArray<number>
  /**
   * Evaluates the next expressions.
   *
   * @param each is told of the new ones
   * @returns false when the bank is full
   */
  readonly grow: (each: (ids: Int32Array) => void) => boolean
}

/** @param limit the most expressions that are kept */
export const make = (space: Space, limit: number): Bank => {
  const { dag, attributes, operators, arity, commutative, costs } = space
  const kept: Array<number> = []
  // Where the expressions of each cost begin among those kept.
  const starts: Array<number> = [0, 0]
  const distinct = Fingerprint.make(space)
  const fresh = new Int32Array(Fingerprint.batch)
  const good = new Int32Array(Fingerprint.batch)
  let met = new Uint8Array(4096)
  let source = terminalSource()
  let size = 1
  const dearest = costs.reduce((most, cost) => Math.max(most, cost), 1)

  function* terminalSource(): Generator<number> {
    for (let id = 0; id < space.terminals; id++) yield id
  }
  /** The expressions of a cost, before any is evaluated. */
  function* compose(total: number): Generator<number> {
    const of = (count: number): readonly [number, number] => [starts[count]!, starts[count + 1]!]
    for (let operator = 0; operator < operators; operator++) {
      const rest = total - costs[operator]!
      if (rest < 1) continue
      if (arity[operator] === 1) {
        const [from, to] = of(rest)
        for (let i = from; i < to; i++) {
          const id = kept[i]!
          if (attributes.varies(id) && attributes.may(operator, id)) yield dag.apply(operator, id, -1)
        }
        continue
      }
      for (let left = 1; left < rest; left++) {
        const right = rest - left
        if (commutative[operator] === 1 && left < right) continue
        const [leftFrom, leftTo] = of(left)
        const [rightFrom, rightTo] = of(right)
        for (let i = leftFrom; i < leftTo; i++) {
          const a = kept[i]!
          if (!attributes.may(operator, a)) continue
          for (let j = rightFrom; j < rightTo; j++) {
            const b = kept[j]!
            if (!attributes.varies(a) && !attributes.varies(b)) continue
            if (attributes.may(operator, b)) yield dag.apply(operator, a, b)
          }
        }
      }
    }
  }

  const grow: Bank["grow"] = (each) => {
    let count = 0
    while (count < Fingerprint.batch) {
      const next = source.next()
      if (next.done === true) {
        if (count > 0) break
        starts[size + 1] = kept.length
        size++
        // As many costs in a row without an expression as an operator can cost: none will come.
        if (kept.length >= limit || starts[Math.max(1, size - dearest)] === kept.length) return false
        source = compose(size)
        continue
      }
      const id = next.value
      met = room(Uint8Array, met, id + 1)
      if (met[id] === 1) continue
      met[id] = 1
      fresh[count++] = id
    }
    let found = 0
    distinct.fresh(fresh.subarray(0, count), (id) => {
      kept.push(id)
      good[found++] = id
      return kept.length < limit
    })
    each(good.subarray(0, found))
    return kept.length < limit
  }
  return { ids: kept, grow }
}
