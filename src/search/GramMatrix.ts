import { FAULTS, FIRST, SHIFT, SQUARE } from "./kernel/Kernel.ts"
import { room } from "./kernel/Room.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * The inner products of columns that are kept, by one response's weights, each worked out once: what any of them brings
 * beside any others follows without a pass over the data.
 */
export interface GramMatrix {
  /** Takes columns in; those that are not admissible have no part. */
  readonly add: (ids: Iterable<number>) => void
  /** All that was taken in, in the order of the rows of `moments`. */
  readonly members: () => Int32Array
  /**
   * Rows of moments of all members beside held trees, as `Regression.moments` has them; overwritten by the next call.
   */
  readonly moments: (base: ReadonlyArray<number>) => Float64Array
  /** Forgets everything, as it must when the response has changed. */
  readonly clear: () => void
}

/** More members than these are begun anew with, to bound memory; and as many columns have their products kept. */
export interface Limits {
  readonly members: number
  readonly bases: number
}
const defaults: Limits = { members: 4096, bases: 256 }

/** Products of one column with the first `known` members. */
interface Products {
  values: Float64Array
  known: number
}

/** Own moments of a member: with itself, the intercept, the response and the witness; and its shift. */
const own = { SQUARE: 0, ONE: 1, RESPONSE: 2, WITNESS: 3, SHIFT: 4, width: 5 } as const

/** @param seen where the columns that came are kept, in order, plain data; those that are there already are taken in */
export const make = (
  { kernel, responses, one, witness }: SearchSpace,
  response: number,
  seen: Array<number> = [],
  most: Limits = defaults,
): GramMatrix => {
  let ids = new Int32Array(64)
  let count = 0
  let moments = new Float64Array(own.width * 64)
  const known = new Set<number>()
  const before = seen.splice(0)
  // In the order of their last use.
  const products = new Map<number, Products>()
  let workspace = new Float64Array(0)
  let table = new Float64Array(0)

  const clear = (): void => {
    count = 0
    known.clear()
    seen.length = 0
    products.clear()
  }

  const hold = (columns: ReadonlyArray<number>): void => {
    kernel.weigh(responses[response]!.weight)
    kernel.hold(columns)
  }

  const momentsOf = (list: Int32Array, width: number): Float64Array => {
    workspace = room(Float64Array, workspace, list.length * width)
    kernel.moments(list, workspace)
    return workspace
  }

  const add: GramMatrix["add"] = (some) => {
    const fresh = Int32Array.from(some).filter((id) => !known.has(id))
    if (fresh.length === 0) return
    if (count + fresh.length <= most.members) return take(fresh)
    clear()
    take(Int32Array.from(some).subarray(0, most.members))
  }

  const take = (fresh: Int32Array): void => {
    ids = room(Int32Array, ids, count + fresh.length)
    moments = room(Float64Array, moments, own.width * (count + fresh.length))
    hold([one, responses[response]!.id, witness])
    const width = FIRST + 3
    const rows = momentsOf(fresh, width)
    fresh.forEach((id, i) => {
      const at = i * width
      if (known.has(id)) return
      known.add(id)
      seen.push(id)
      if (rows[at + FAULTS] !== 0) return
      ids[count] = id
      const to = own.width * count++
      moments[to + own.SQUARE] = rows[at + SQUARE]!
      moments[to + own.SHIFT] = rows[at + SHIFT]!
      moments[to + own.ONE] = rows[at + FIRST]!
      moments[to + own.RESPONSE] = rows[at + FIRST + 1]!
      moments[to + own.WITNESS] = rows[at + FIRST + 2]!
    })
  }

  if (before.length > 0) take(Int32Array.from(before))

  const beside = (column: number): Float64Array => {
    const found = products.get(column) ?? { values: new Float64Array(ids.length), known: 0 }
    products.delete(column)
    products.set(column, found)
    const [oldest] = products.keys()
    if (products.size > most.bases && oldest !== undefined) products.delete(oldest)
    if (found.known < count) {
      found.values = room(Float64Array, found.values, count)
      hold([column])
      const width = FIRST + 1
      const rows = momentsOf(ids.subarray(found.known, count), width)
      for (let i = found.known; i < count; i++) found.values[i] = rows[(i - found.known) * width + FIRST]!
      found.known = count
    }
    return found.values
  }

  return {
    add,
    clear,
    members: () => ids.subarray(0, count),
    moments: (base) => {
      const columns = base.map(beside)
      const width = FIRST + base.length + 3
      table = room(Float64Array, table, count * width)
      for (let i = 0; i < count; i++) {
        const at = i * width
        const from = i * own.width
        table[at + FAULTS] = 0
        table[at + SQUARE] = moments[from + own.SQUARE]!
        table[at + SHIFT] = moments[from + own.SHIFT]!
        table[at + FIRST] = moments[from + own.ONE]!
        for (let k = 0; k < columns.length; k++) table[at + FIRST + 1 + k] = columns[k]![i]!
        table[at + FIRST + 1 + columns.length] = moments[from + own.RESPONSE]!
        table[at + FIRST + 2 + columns.length] = moments[from + own.WITNESS]!
      }
      return table
    },
  }
}
