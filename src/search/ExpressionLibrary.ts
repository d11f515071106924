import { room } from "./kernel/Room.ts"
import * as Fingerprint from "./Fingerprint.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * The small expressions of a grammar, in the order of their costs. An expression is kept unless a cheaper one has the
 * same values on the data. A node costs 1; an operator with a ninth of the highest prior probability costs one more
 * (`SearchSpace.costs`). Expressions of constants alone are left out, except for the terminals.
 */
export interface ExpressionLibrary {
  /** The nodes of the kept expressions, cheapest first. */
  readonly ids: ReadonlyArray<number>
  /** Whether there are expressions that were not evaluated yet. */
  readonly growing: () => boolean
  /**
   * Evaluates the next expressions.
   *
   * @param each gets the nodes of the new kept expressions
   */
  readonly grow: (each: (ids: Int32Array) => void) => void
}

/** The content of a library, as plain data. */
export interface Data {
  /** the nodes that are kept, cheapest first */
  readonly kept: Array<number>
  /** index into `kept` of the first expression of each cost */
  readonly starts: Array<number>
  /** the cost of the expressions that are composed at present; 1 for the terminals */
  cost: number
  /** the number of composed expressions of this cost */
  made: number
  growing: boolean
  /** 1 for each composed node; empty when the library is full */
  met: Uint8Array
  /** fingerprints of the values of evaluated expressions; empty when the library is full */
  readonly values: Set<number>
}

export const nothing = (): Data => ({
  kept: [],
  starts: [0, 0],
  cost: 1,
  made: 0,
  growing: true,
  met: new Uint8Array(4096),
  values: new Set(),
})

/** The cost up to which every expression was composed and scored. */
export const exhausted = ({ starts }: Data): number => starts.length - 2

/**
 * @param limit the largest number of kept expressions
 * @param data the content from which the library goes on, and to which it adds expressions
 * @param leaves the nodes that expressions are made of; the terminals if left out
 */
export const make = (
  space: SearchSpace,
  limit: number,
  data: Data = nothing(),
  leaves: Iterable<number> = Array.from({ length: space.terminals }, (_, id) => id),
): ExpressionLibrary => {
  const { dag, attributes, operators, arity, commutative, numeric, costs } = space
  const { kept, starts, values } = data
  const distinct = Fingerprint.make(space, values)
  const fresh = new Int32Array(Fingerprint.batch)
  const good = new Int32Array(Fingerprint.batch)
  const dearest = costs.reduce((most, cost) => Math.max(most, cost), 1)

  /** Composes the expressions of a cost. None is evaluated here. */
  function* compose(total: number): Generator<number> {
    const of = (count: number): readonly [number, number] => [starts[count]!, starts[count + 1]!]
    for (let operator = 0; operator < operators; operator++) {
      const rest = total - costs[operator]!
      // Powers with a fitted exponent are forms (`FormLibrary`).
      if (rest < 1 || numeric[operator] === 1) continue
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
          for (let j = rightFrom; j < rightTo; j++) {
            const b = kept[j]!
            if (!attributes.varies(a) && !attributes.varies(b)) continue
            if (attributes.may(operator, a, b)) yield dag.apply(operator, a, b)
          }
        }
      }
    }
  }

  const sourceOf = (cost: number): Iterator<number> =>
    cost === 1 ? leaves[Symbol.iterator]() : compose(cost)
  let source = sourceOf(data.cost)
  // Expressions that an earlier library of these data composed are passed over: the graph has their nodes.
  for (let i = 0; i < data.made; i++) source.next()

  const full = (): void => {
    data.growing = false
    data.met = new Uint8Array(0)
    values.clear()
  }
  const grow: ExpressionLibrary["grow"] = (each) => {
    let count = 0
    while (count < Fingerprint.batch) {
      const next = source.next()
      if (next.done === true) {
        if (count > 0) break
        starts[data.cost + 1] = kept.length
        data.cost++
        data.made = 0
        // There is no expression at as many costs in a row as the dearest operator costs: there is none above.
        if (kept.length >= limit || starts[Math.max(1, data.cost - dearest)] === kept.length) return full()
        source = sourceOf(data.cost)
        continue
      }
      data.made++
      const id = next.value
      data.met = room(Uint8Array, data.met, id + 1)
      if (data.met[id] === 1) continue
      data.met[id] = 1
      fresh[count++] = id
    }
    let found = 0
    distinct.fresh(fresh.subarray(0, count), (id) => {
      kept.push(id)
      good[found++] = id
      return kept.length < limit
    })
    if (kept.length >= limit) full()
    each(good.subarray(0, found))
  }
  return { ids: kept, growing: () => data.growing, grow }
}
